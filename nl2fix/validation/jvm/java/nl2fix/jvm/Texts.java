package nl2fix.jvm;

/** Short descriptions of failures, made without trusting the code that threw them. */
final class Texts {
    private static final int LONGEST = 600;

    private Texts() {
    }

    static String describe(Throwable failure) {
        String name = failure.getClass().getName();
        String message;
        try {
            message = failure.getMessage();
        } catch (Throwable broken) {
            message = "(its message cannot be read: " + broken.getClass().getName() + ")";
        }
        return cut(message == null ? name : name + ": " + message);
    }

    static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
