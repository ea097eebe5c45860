package examples.invoice;

/** Arithmetic with amounts in cents. */
public final class Amounts {

    private Amounts() {
    }

    /** The given percentage of an amount, rounded half up. */
    public static long percent(long cents, int percent) {
        return Math.floorDiv(cents * percent + 50, 100L);
    }

    /** An amount as text, {@code 12.05}. */
    public static String format(long cents) {
        String sign = cents < 0 ? "-" : "";
        long absolute = Math.abs(cents);
        long rest = absolute % 100;
        return sign + absolute / 100 + "." + (rest < 10 ? "0" : "") + rest;
    }
}
