package examples.paths;

import java.util.ArrayDeque;
import java.util.Deque;

/** Brings paths with forward slashes into their shortest form. */
public final class PathNormalizer {

    private PathNormalizer() {
    }

    public static boolean isAbsolute(String path) {
        return path.startsWith("/");
    }

    /** The path without empty, {@code .} and {@code ..} segments; {@code .} when nothing is left. */
    public static String normalize(String path) {
        Deque<String> names = new ArrayDeque<>();
        for (String segment : path.split("/")) {
            if (segment.isEmpty() || segment.equals(".")) {
                continue;
            }
            if (segment.equals("..")) {
                names.removeLast();
            } else {
                names.addLast(segment);
            }
        }
        String joined = String.join("/", names);
        if (isAbsolute(path)) {
            return "/" + joined;
        }
        return joined.isEmpty() ? "." : joined;
    }
}
