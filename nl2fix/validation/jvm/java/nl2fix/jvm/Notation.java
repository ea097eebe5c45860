package nl2fix.jvm;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Short texts of values for people, in Java's notation where it has one. */
final class Notation {
    private static final int LONGEST = 200;
    private static final int DEEPEST = 4;
    private static final int MOST_PARTS = 40;

    /** Values that are looked at for one text. */
    private static final int MOST_VALUES = 400;

    private final StringBuilder text = new StringBuilder();
    private final int[] left;

    private Notation(int[] left) {
        this.left = left;
    }

    static String of(Object value) {
        Notation notation = new Notation(new int[] {MOST_VALUES});
        try {
            notation.write(value, 0);
        } catch (IllegalAccessException hidden) {
            return "?";
        }
        return cut(notation.text.toString());
    }

    static String list(Object[] values) {
        StringBuilder joined = new StringBuilder();
        for (Object value : values) {
            joined.append(joined.length() == 0 ? "" : ", ").append(of(value));
        }
        return cut(joined.toString());
    }

    /** Whether an object of the JDK tells its content, and nothing else, by toString. */
    static boolean speaks(Class<?> type) {
        return type.getName().matches("java\\.(math|time)\\..*|java\\.io\\.(StringWriter|File)"
                + "|java\\.net\\.UR[IL]|java\\.text\\.(SimpleDate|Decimal)Format|java\\.util\\.regex\\.Pattern"
                + "|java\\.util\\.(Optional\\w*|Date|Locale|UUID|BitSet|Currency|StringJoiner)"
                + "|java\\.util\\.concurrent\\.atomic\\.Atomic(Integer|Long|Boolean)");
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
    }

    private void write(Object value, int depth) throws IllegalAccessException {
        if (text.length() > LONGEST || depth > DEEPEST || left[0]-- <= 0) {
            text.append('…');
            return;
        }
        Class<?> type = value == null ? null : value.getClass();
        if (value == null || value instanceof Boolean || value instanceof Number && Portrait.ofJdk(type)) {
            number(value);
        } else if (value instanceof Character) {
            text.append('\'').append(escaped(value.toString(), '\'')).append('\'');
        } else if (value instanceof String) {
            text.append('"').append(escaped((String) value, '"')).append('"');
        } else if (value instanceof Enum) {
            text.append(simple(((Enum<?>) value).getDeclaringClass())).append('.').append(((Enum<?>) value).name());
        } else if (type.isArray()) {
            array(value, depth);
        } else if (value instanceof Collection) {
            String face = value instanceof Set ? "Set.of(" : value instanceof List ? "List.of(" : simple(type) + "(";
            all(face, (Collection<?>) value, value instanceof Set && !(value instanceof java.util.SortedSet), depth);
        } else if (value instanceof Map) {
            map((Map<?, ?>) value, depth);
        } else {
            object(value, type, depth);
        }
    }

    private void number(Object value) {
        text.append(value);
        text.append(value instanceof Long ? "L" : value instanceof Float ? "f" : "");
    }

    private void array(Object value, int depth) throws IllegalAccessException {
        text.append('{');
        int length = Array.getLength(value);
        for (int i = 0; i < Math.min(length, MOST_PARTS); i++) {
            text.append(i == 0 ? "" : ", ");
            write(Array.get(value, i), depth + 1);
        }
        text.append(length > MOST_PARTS ? ", …}" : "}");
    }

    private void all(String head, Collection<?> values, boolean sorted, int depth) throws IllegalAccessException {
        List<String> parts = new ArrayList<>();
        for (Object value : values) {
            if (parts.size() == MOST_PARTS) {
                break;
            }
            parts.add(part(value, depth));
        }
        if (sorted) {
            Collections.sort(parts);
        }
        text.append(head).append(String.join(", ", parts));
        text.append(values.size() > MOST_PARTS ? ", …)" : ")");
    }

    private void map(Map<?, ?> values, int depth) throws IllegalAccessException {
        List<String> parts = new ArrayList<>();
        for (Map.Entry<?, ?> entry : values.entrySet()) {
            if (parts.size() == MOST_PARTS) {
                break;
            }
            parts.add(part(entry.getKey(), depth) + ", " + part(entry.getValue(), depth));
        }
        Collections.sort(parts);
        text.append("Map.of(").append(String.join(", ", parts)).append(')');
    }

    private String part(Object value, int depth) throws IllegalAccessException {
        Notation inner = new Notation(left);
        inner.write(value, depth + 1);
        return inner.text.toString();
    }

    private void object(Object value, Class<?> type, int depth) throws IllegalAccessException {
        if (value instanceof Throwable || value instanceof Class) {
            text.append(value instanceof Class ? ((Class<?>) value).getName() : Portrait.name(type));
        } else if (StandIn.written(value) != null) {
            text.append(StandIn.written(value));
        } else if (Portrait.ofJdk(type)) {
            boolean content = value instanceof CharSequence || speaks(type);
            text.append(simple(type)).append(content ? "(" + escaped(value.toString(), '"') + ")" : "");
        } else {
            List<String> parts = new ArrayList<>();
            for (Field field : Portrait.fields(type)) {
                parts.add(field.getName() + "=" + part(field.get(value), depth));
            }
            text.append(simple(type)).append('(').append(String.join(", ", parts)).append(')');
        }
    }

    private static String simple(Class<?> type) {
        String name = Portrait.name(type);
        return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    }

    private static String escaped(String plain, char quote) {
        StringBuilder escaped = new StringBuilder();
        for (char each : plain.substring(0, Math.min(plain.length(), LONGEST)).toCharArray()) {
            int known = "\n\t\r\b\f".indexOf(each);
            if (known >= 0) {
                escaped.append('\\').append("ntrbf".charAt(known));
            } else if (each == quote || each == '\\') {
                escaped.append('\\').append(each);
            } else if (each < 32 || each == 127 || Character.isSurrogate(each)) {
                escaped.append(String.format("\\u%04x", (int) each));
            } else {
                escaped.append(each);
            }
        }
        return escaped.toString();
    }
}
