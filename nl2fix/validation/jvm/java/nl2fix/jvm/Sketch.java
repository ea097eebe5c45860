package nl2fix.jvm;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells the parent what values of a type are made of. No code of the program runs: its classes are loaded, not
 * initialised.
 *
 * <p>A node is a letter, a name, texts and nodes, as the recipes that are drawn from it: 'v' a plain value, 'a' an array,
 * 'l' a collection, 'm' a map, 'e' an enumeration (texts: its constants), 'o' an object (nodes: ways to make one), and
 * of those 'c' a constructor and 's' a static method (name: its own, texts: parameter types, nodes: these), 'f' a
 * constant; 'i' an interface of one method (texts: what that returns and takes); '?' what only null is known of.
 */
final class Sketch {
    private static final int DEEPEST = 3;
    private static final int MOST_WAYS = 6;
    private static final int MOST_PARAMETERS = 5;
    private static final Map<String, String> MADE_AS = new HashMap<>();
    private static final Set<String> PLAIN = new HashSet<>();

    static {
        String[][] pairs = {
            {"java.util.List", "java.util.ArrayList"}, {"java.util.Collection", "java.util.ArrayList"},
            {"java.lang.Iterable", "java.util.ArrayList"}, {"java.util.AbstractList", "java.util.ArrayList"},
            {"java.util.Set", "java.util.LinkedHashSet"}, {"java.util.SortedSet", "java.util.TreeSet"},
            {"java.util.NavigableSet", "java.util.TreeSet"}, {"java.util.Queue", "java.util.ArrayDeque"},
            {"java.util.Deque", "java.util.ArrayDeque"}, {"java.util.Map", "java.util.LinkedHashMap"},
            {"java.util.SortedMap", "java.util.TreeMap"}, {"java.util.NavigableMap", "java.util.TreeMap"},
            {"java.io.Reader", "java.io.StringReader"}, {"java.io.Writer", "java.io.StringWriter"},
            {"java.lang.Appendable", "java.lang.StringBuilder"},
        };
        for (String[] pair : pairs) {
            MADE_AS.put(pair[0], pair[1]);
        }
        Collections.addAll(PLAIN, "boolean", "char", "byte", "short", "int", "long", "float", "double",
                "java.lang.Boolean", "java.lang.Character", "java.lang.Byte", "java.lang.Short", "java.lang.Integer",
                "java.lang.Long", "java.lang.Float", "java.lang.Double", "java.lang.String",
                "java.lang.CharSequence", "java.lang.Number", "java.lang.Object", "java.lang.Comparable");
    }

    private final Reply reply;
    private final ClassPath path;
    private final Executable unit;

    private Sketch(Reply reply, ClassPath path, Executable unit) {
        this.reply = reply;
        this.path = path;
        this.unit = unit;
    }

    /** Writes whether the unit needs no receiver, its parameter types' names, the receiver's,
     * the parameters' and the result's nodes.
     */
    static Reply of(Request request, ClassPath path) throws ClassNotFoundException {
        ClassLoader loader = new CandidateLoader(path, CandidateLoader.Edit.read(request));
        Class<?> owner = Class.forName(request.text(), false, loader);
        Executable unit = Unit.find(owner, request.text(), request.texts());
        Reply reply = new Reply('T').flag(unit != null);
        if (unit == null) {
            return reply;
        }
        Sketch sketch = new Sketch(reply, path, unit);
        reply.flag(Unit.isStatic(unit));
        sketch.texts(names(unit.getParameterTypes()));
        sketch.type(owner, 0);
        sketch.types(parameters(unit), 0);
        sketch.type(unit instanceof Method ? ((Method) unit).getGenericReturnType() : owner, 0);
        return reply;
    }

    /** Generic where they are known for each parameter; those of enumerations and inner classes are not always. */
    private static Type[] parameters(Executable unit) {
        Type[] generic = unit.getGenericParameterTypes();
        return generic.length == unit.getParameterCount() ? generic : unit.getParameterTypes();
    }

    private void node(char kind, String name, List<String> words) {
        reply.number(kind).text(name);
        texts(words);
    }

    private void leaf(char kind, String name, List<String> words) {
        node(kind, name, words);
        reply.number(0);
    }

    private void texts(List<String> words) {
        reply.number(words.size());
        for (String word : words) {
            reply.text(word);
        }
    }

    private void types(Type[] types, int depth) {
        reply.number(types.length);
        for (Type type : types) {
            type(type, depth);
        }
    }

    private void type(Type type, int depth) {
        Class<?> raw = raw(type);
        String name = MADE_AS.getOrDefault(raw.getName(), raw.getName());
        if (PLAIN.contains(name)) {
            leaf('v', name, Collections.<String>emptyList());
        } else if (raw.isArray()) {
            node('a', raw.getComponentType().getName(), Collections.<String>emptyList());
            types(new Type[] {component(type, raw)}, depth);
        } else if (raw.isEnum()) {
            leaf('e', name, constants(raw, true));
        } else if (Collection.class.isAssignableFrom(raw) || raw == Iterable.class) {
            filled('l', name, new Type[] {argument(type, 0)}, depth);
        } else if (Map.class.isAssignableFrom(raw)) {
            filled('m', name, new Type[] {argument(type, 0), argument(type, 1)}, depth);
        } else {
            object(name, raw, depth);
        }
    }

    private void filled(char kind, String name, Type[] elements, int depth) {
        try {
            Class<?> made = Class.forName(name);
            made.getConstructor();
            if (!Modifier.isAbstract(made.getModifiers())) {
                node(kind, name, Collections.<String>emptyList());
                types(elements, depth);
                return;
            }
        } catch (ReflectiveOperationException | LinkageError other) {
            // None of the JDK's that can be made empty.
        }
        leaf('?', name, Collections.<String>emptyList());
    }

    private void object(String name, Class<?> raw, int depth) {
        Class<?> made = raw;
        try {
            made = Class.forName(name, false, raw.getClassLoader());
        } catch (ClassNotFoundException none) {
            // The one that was asked for, then.
        }
        List<Executable> ways = depth < DEEPEST && usable(made) ? ways(made) : Collections.<Executable>emptyList();
        List<String> constants = depth < DEEPEST ? constants(made, false) : Collections.<String>emptyList();
        if (ways.isEmpty() && depth < DEEPEST) {
            ways = waysBelow(made);
        }
        if (ways.isEmpty() && constants.isEmpty()) {
            Method open = StandIn.open(made);
            leaf(open == null ? '?' : 'i', name, open == null ? Collections.<String>emptyList() : names(open));
            return;
        }
        node('o', name, Collections.<String>emptyList());
        reply.number(ways.size() + constants.size());
        for (Executable way : ways) {
            node(way instanceof Constructor ? 'c' : 's', way.getName(), names(way.getParameterTypes()));
            types(parameters(way), depth + 1);
        }
        for (String constant : constants) {
            leaf('f', constant, Collections.<String>emptyList());
        }
    }

    /** What reaches for files, the network or threads is not made, nor is what the JDK keeps for itself. */
    private static boolean usable(Class<?> type) {
        String name = type.getName();
        if (type.getClassLoader() != null && !name.startsWith("java")) {
            return true;
        }
        return Modifier.isPublic(type.getModifiers())
                && (name.matches("java\\.(math|text|time)\\..*") || name.matches("java\\.io\\.String(Reader|Writer)")
                        || name.matches("java\\.util\\.(Date|Locale|BitSet|Random|StringTokenizer|GregorianCalendar)")
                        || name.matches("java\\.lang\\.String(Builder|Buffer)"));
    }

    private static List<Executable> ways(Class<?> type) {
        List<Executable> found = new ArrayList<>();
        if (!Modifier.isAbstract(type.getModifiers())) {
            for (Constructor<?> way : type.getDeclaredConstructors()) {
                add(found, way, type);
            }
        }
        for (Method way : type.getDeclaredMethods()) {
            if (Modifier.isStatic(way.getModifiers()) && way.getReturnType() == type) {
                add(found, way, type);
            }
        }
        return plainest(found);
    }

    /** Constructors of classes of the same package that extend or implement a type of the program, plainest first. */
    private List<Executable> waysBelow(Class<?> type) {
        List<Executable> found = new ArrayList<>();
        String name = type.getName();
        if (Portrait.ofJdk(type) || !Modifier.isAbstract(type.getModifiers()) || StandIn.open(type) != null) {
            return found;
        }
        for (CompiledClass each : path.compiled(name.substring(0, Math.max(name.lastIndexOf('.'), 0)))) {
            try {
                Class<?> below = Class.forName(each.binaryName, false, type.getClassLoader());
                if (type.isAssignableFrom(below) && !Modifier.isAbstract(below.getModifiers()) && keeps(below)) {
                    for (Constructor<?> way : below.getDeclaredConstructors()) {
                        add(found, way, below);
                    }
                }
            } catch (ClassNotFoundException | LinkageError broken) {
                // Others may be whole.
            }
        }
        return plainest(found);
    }

    /** Whether a receiver of this class runs the unit itself, and not a method in its place. */
    private boolean keeps(Class<?> below) {
        for (Class<?> type = below; type != null && type != unit.getDeclaringClass(); type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (unit instanceof Method && unit.getDeclaringClass().isAssignableFrom(below)
                        && method.getName().equals(unit.getName())
                        && Arrays.equals(method.getParameterTypes(), unit.getParameterTypes())) {
                    return false;
                }
            }
        }
        return true;
    }

    private static List<Executable> plainest(List<Executable> ways) {
        ways.sort(Comparator.comparing(Executable::getParameterCount).thenComparing(Executable::toString));
        return ways.size() > MOST_WAYS ? ways.subList(0, MOST_WAYS) : ways;
    }

    private static void add(List<Executable> found, Executable way, Class<?> type) {
        boolean hidden = Modifier.isPrivate(way.getModifiers());
        boolean ofJdk = type.getClassLoader() == null && !Modifier.isPublic(way.getModifiers());
        if (!hidden && !ofJdk && !way.isSynthetic() && way.getParameterCount() <= MOST_PARAMETERS) {
            for (Class<?> parameter : way.getParameterTypes()) {
                if (parameter == type) {
                    return;
                }
            }
            found.add(way);
        }
    }

    private static List<String> constants(Class<?> type, boolean enumeration) {
        List<String> names = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            int modifiers = field.getModifiers();
            boolean constant = Modifier.isStatic(modifiers) && Modifier.isFinal(modifiers)
                    && Modifier.isPublic(modifiers) && field.getType() == type;
            if ((enumeration ? field.isEnumConstant() : constant) && names.size() < MOST_WAYS) {
                names.add(field.getName());
            }
        }
        return names;
    }

    private static List<String> names(Method method) {
        List<String> names = names(method.getParameterTypes());
        names.add(0, method.getReturnType().getName());
        return names;
    }

    private static List<String> names(Class<?>[] types) {
        List<String> names = new ArrayList<>();
        for (Class<?> type : types) {
            names.add(type.getName());
        }
        return names;
    }

    private static Type component(Type type, Class<?> raw) {
        return type instanceof GenericArrayType
                ? ((GenericArrayType) type).getGenericComponentType() : raw.getComponentType();
    }

    private static Type argument(Type type, int place) {
        if (type instanceof ParameterizedType) {
            Type[] all = ((ParameterizedType) type).getActualTypeArguments();
            return place < all.length ? all[place] : Object.class;
        }
        return Object.class;
    }

    private static Class<?> raw(Type type) {
        if (type instanceof Class) {
            return (Class<?>) type;
        }
        if (type instanceof ParameterizedType) {
            return raw(((ParameterizedType) type).getRawType());
        }
        if (type instanceof GenericArrayType) {
            Type component = ((GenericArrayType) type).getGenericComponentType();
            return java.lang.reflect.Array.newInstance(raw(component), 0).getClass();
        }
        Type[] bounds = type instanceof TypeVariable
                ? ((TypeVariable<?>) type).getBounds() : ((WildcardType) type).getUpperBounds();
        return raw(bounds[0]);
    }
}
