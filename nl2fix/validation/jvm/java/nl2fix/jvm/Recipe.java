package nl2fix.jvm;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * How a value is made, in any class loader, as often as wanted: a tree that the parent sends.
 *
 * <p>A node is a letter, a name, a list of type names and the nodes it is made of: 'n' null, 'v' a plain value (name:
 * its kind, one type name: its text), 'a' an array (name: its component), 'l' a collection and 'm' a map of the named class
 * (keys and values in turn), 'f' a static field or enum constant, 'o' a constructor's object, 's' what a static
 * method returns, 'i' what implements an interface as {@link StandIn} has it.
 */
final class Recipe {
    private final char kind;
    private final String name;
    private final List<String> words;
    private final List<Recipe> parts = new ArrayList<>();

    private Recipe(Request request) {
        kind = (char) request.number();
        name = request.text();
        words = request.texts();
        for (int left = request.number(); left > 0; left--) {
            parts.add(new Recipe(request));
        }
    }

    static List<Recipe> readAll(Request request) {
        List<Recipe> recipes = new ArrayList<>();
        for (int left = request.number(); left > 0; left--) {
            recipes.add(new Recipe(request));
        }
        return recipes;
    }

    Object make(ClassLoader loader) throws Exception {
        switch (kind) {
            case 'v':
                return plain(name, words.get(0));
            case 'a':
                return array(loader);
            case 'l':
                return collection(loader);
            case 'm':
                return map(loader);
            case 'f':
                Field field = type(name, loader).getDeclaredField(words.get(0));
                field.setAccessible(true);
                return field.get(null);
            case 'o':
                Constructor<?> maker = type(name, loader).getDeclaredConstructor(types(words, loader));
                maker.setAccessible(true);
                return maker.newInstance(makeAll(parts, loader));
            case 's':
                List<String> parameters = words.subList(1, words.size());
                Method factory = type(name, loader).getDeclaredMethod(words.get(0), types(parameters, loader));
                factory.setAccessible(true);
                return factory.invoke(null, makeAll(parts, loader));
            case 'i':
                return StandIn.make(type(name, loader), words);
            default:
                return null;
        }
    }

    static Object[] makeAll(List<Recipe> recipes, ClassLoader loader) throws Exception {
        Object[] made = new Object[recipes.size()];
        for (int i = 0; i < made.length; i++) {
            made[i] = recipes.get(i).make(loader);
        }
        return made;
    }

    static Class<?>[] types(List<String> names, ClassLoader loader) throws ClassNotFoundException {
        Class<?>[] found = new Class<?>[names.size()];
        for (int i = 0; i < found.length; i++) {
            found[i] = type(names.get(i), loader);
        }
        return found;
    }

    /** The class of that name, as {@code Class.getName()} gives it; primitive ones by their keyword. */
    static Class<?> type(String name, ClassLoader loader) throws ClassNotFoundException {
        switch (name) {
            case "boolean": return boolean.class;
            case "char": return char.class;
            case "byte": return byte.class;
            case "short": return short.class;
            case "int": return int.class;
            case "long": return long.class;
            case "float": return float.class;
            case "double": return double.class;
            default: return Class.forName(name, false, loader);
        }
    }

    private static Object plain(String kind, String text) {
        switch (kind) {
            case "boolean": return Boolean.valueOf(text);
            case "char": return (char) Integer.parseInt(text);
            case "byte": return Byte.valueOf(text);
            case "short": return Short.valueOf(text);
            case "int": return Integer.valueOf(text);
            case "long": return Long.valueOf(text);
            case "float": return Float.valueOf(text);
            case "double": return Double.valueOf(text);
            default: return text;
        }
    }

    private Object array(ClassLoader loader) throws Exception {
        Object array = Array.newInstance(type(name, loader), parts.size());
        for (int i = 0; i < parts.size(); i++) {
            Array.set(array, i, parts.get(i).make(loader));
        }
        return array;
    }

    @SuppressWarnings("unchecked")
    private Object collection(ClassLoader loader) throws Exception {
        Collection<Object> made = (Collection<Object>) empty(loader);
        for (Recipe part : parts) {
            made.add(part.make(loader));
        }
        return made;
    }

    @SuppressWarnings("unchecked")
    private Object map(ClassLoader loader) throws Exception {
        Map<Object, Object> made = (Map<Object, Object>) empty(loader);
        for (int i = 0; i + 1 < parts.size(); i += 2) {
            made.put(parts.get(i).make(loader), parts.get(i + 1).make(loader));
        }
        return made;
    }

    private Object empty(ClassLoader loader) throws Exception {
        return type(name, loader).getConstructor().newInstance();
    }
}
