package nl2fix.jvm;

/**
 * Adds up what a clock shows from look to look. A leap counts for no more than one step: a machine that
 * stood still makes it, or a kernel that books late, and no code under test.
 */
final class Steps {
    private final double most;
    private double last = Double.NaN;
    private double total;

    /** Of at most so many seconds. */
    Steps(double most) {
        this.most = most;
    }

    /** Seconds since the first look, leaps left out. */
    double look(double now) {
        if (now > last) {
            total += Math.min(now - last, most);
        }
        last = now;
        return total;
    }
}
