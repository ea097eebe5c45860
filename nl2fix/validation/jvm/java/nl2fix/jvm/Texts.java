package nl2fix.jvm;

import java.util.regex.Pattern;

/** Short descriptions of failures, made without trusting the code that threw them. */
final class Texts {
    private static final int LONGEST = 600;
    private static final int MOST_FRAMES = 8;
    private static final int MOST_CAUSES = 4;
    private static final Pattern FRAMEWORK = Pattern.compile("(java|javax|jdk|sun|junit|org\\.junit|org\\.testng|org\\.assertj|nl2fix)\\.");

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

    /** What caused a failure, a line each. */
    static String causes(Throwable failure) {
        StringBuilder lines = new StringBuilder();
        try {
            Throwable cause = failure.getCause();
            for (int told = 0; cause != null && told < MOST_CAUSES; told++) {
                lines.append("\nCaused by: ").append(describe(cause));
                cause = cause.getCause();
            }
        } catch (Throwable broken) {
            return "";
        }
        return lines.toString();
    }

    /** The topmost calls below the JDK and the test framework, a line each. */
    static String frames(Throwable failure) {
        StringBuilder lines = new StringBuilder();
        try {
            StackTraceElement[] all = failure.getStackTrace();
            for (int i = 0, told = 0; i < all.length && told < MOST_FRAMES; i++) {
                if (!FRAMEWORK.matcher(all[i].getClassName()).lookingAt()) {
                    lines.append("\n        at ").append(cut(all[i].toString()));
                    told++;
                }
            }
        } catch (Throwable broken) {
            return "";
        }
        return lines.toString();
    }

    /** A failed test as Gradle prints one. */
    static String failure(String id, String description, String frames) {
        String name = id.contains("::") ? id.replace("::", " > ") + "()" : id;
        return name + " FAILED\n    " + description.trim().replace("\n", "\n    ") + frames + "\n\n";
    }

    static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
