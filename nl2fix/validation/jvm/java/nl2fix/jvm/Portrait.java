package nl2fix.jvm;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A number that is equal for values that look alike from outside, in whatever class loader and run.
 *
 * <p>Lists count by order, sets and maps without; floating point numbers by their first digits, so that the order of a
 * sum makes no difference; objects of the program by their class and fields, other than transient ones; objects of the
 * JDK that have no readable content by their class alone. Identities, addresses and hash codes have no part. Of what is
 * larger than a bound only the first part counts.
 */
final class Portrait {
    private static final int MOST_NODES = 3000;
    private static final int DEEPEST = 24;
    private static final MathContext DOUBLE = new MathContext(12);
    private static final MathContext FLOAT = new MathContext(6);

    private final IdentityHashMap<Object, Integer> open = new IdentityHashMap<>();
    private int left = MOST_NODES;

    static long of(Object value) throws IllegalAccessException {
        return new Portrait().digest(value, 0);
    }

    static long mix(long hash, long more) {
        long mixed = (hash ^ more) * 0x9E3779B97F4A7C15L;
        mixed ^= mixed >>> 32;
        mixed *= 0xD6E8FEB86659FD93L;
        return mixed ^ (mixed >>> 29);
    }

    static long text(CharSequence text) {
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001B3L;
        }
        return mix(hash, text.length());
    }

    private long digest(Object value, int depth) throws IllegalAccessException {
        if (value == null) {
            return 1;
        }
        if (left-- <= 0 || depth > DEEPEST) {
            return 2;
        }
        Class<?> type = value.getClass();
        if (value instanceof Number || value instanceof Boolean || value instanceof Character) {
            return mix(text(type.getName()), number(value));
        }
        if (value instanceof CharSequence && ofJdk(type)) {
            return mix(3, text(value.toString()));
        }
        if (value instanceof Enum) {
            return mix(text(name(((Enum<?>) value).getDeclaringClass())), text(((Enum<?>) value).name()));
        }
        if (value instanceof Class) {
            return text(((Class<?>) value).getName());
        }
        if (value instanceof Throwable) {
            return mix(4, text(name(type)));
        }
        if (open.containsKey(value)) {
            return mix(5, open.get(value));
        }
        open.put(value, open.size());
        try {
            return content(value, type, depth);
        } finally {
            open.remove(value);
        }
    }

    private long content(Object value, Class<?> type, int depth) throws IllegalAccessException {
        if (type.isArray()) {
            return array(value, depth);
        }
        if (value instanceof Collection) {
            return collection((Collection<?>) value, depth);
        }
        if (value instanceof Map) {
            return map((Map<?, ?>) value, depth);
        }
        if (value instanceof Map.Entry) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) value;
            return mix(digest(entry.getKey(), depth + 1), digest(entry.getValue(), depth + 1));
        }
        if (ofJdk(type)) {
            return mix(text(name(type)), Notation.speaks(type) ? text(value.toString()) : 0);
        }
        long hash = text(name(type));
        for (Field field : fields(type)) {
            hash = mix(hash, mix(text(field.getName()), digest(field.get(value), depth + 1)));
        }
        return hash;
    }

    private long array(Object array, int depth) throws IllegalAccessException {
        int length = Array.getLength(array);
        long hash = mix(6, length);
        for (int i = 0; i < length && left > 0; i++) {
            hash = mix(hash, digest(Array.get(array, i), depth + 1));
        }
        return hash;
    }

    private long collection(Collection<?> values, int depth) throws IllegalAccessException {
        boolean unordered = values instanceof Set || values instanceof java.util.PriorityQueue;
        long hash = unordered ? 7 : 8;
        int count = 0;
        for (Object value : values) {
            long one = digest(value, depth + 1);
            hash = unordered ? hash + mix(9, one) : mix(hash, one);
            count++;
            if (left <= 0) {
                break;
            }
        }
        return mix(hash, count);
    }

    private long map(Map<?, ?> values, int depth) throws IllegalAccessException {
        long hash = 10;
        for (Map.Entry<?, ?> entry : values.entrySet()) {
            hash += mix(digest(entry.getKey(), depth + 1), digest(entry.getValue(), depth + 1));
            if (left <= 0) {
                break;
            }
        }
        return mix(hash, 11);
    }

    private static long number(Object value) {
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isNaN(number) || Double.isInfinite(number)) {
                return Double.doubleToLongBits(number);
            }
            return Double.doubleToLongBits(
                    new BigDecimal(number).round(value instanceof Float ? FLOAT : DOUBLE).doubleValue());
        }
        return ofJdk(value.getClass()) ? text(value.toString()) : 0;
    }

    /** Also of what stands for an interface: its class is made by the JDK. */
    static boolean ofJdk(Class<?> type) {
        return type.getClassLoader() == null || type.getName().startsWith("java.") || Proxy.isProxyClass(type);
    }

    /** Without what is numbered anew in each run or edit. */
    static String name(Class<?> type) {
        String name = type.getName();
        int lambda = name.indexOf("$$");
        if (lambda >= 0) {
            return name.substring(0, lambda) + "$$";
        }
        if (type.isAnonymousClass() || Proxy.isProxyClass(type) && type.getInterfaces().length > 0) {
            Class<?>[] faces = type.getInterfaces();
            return faces.length > 0 ? faces[0].getName() : type.getSuperclass().getName();
        }
        return name;
    }

    /** Of an object of the program, inherited ones too, by name. */
    static List<Field> fields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> owner = type; owner != null && !ofJdk(owner); owner = owner.getSuperclass()) {
            for (Field field : owner.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())
                        && !field.isSynthetic()) {
                    field.setAccessible(true);
                    fields.add(field);
                }
            }
        }
        fields.sort(Comparator.comparing(Field::getName));
        return fields;
    }
}
