package nl2fix.jvm;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;

/**
 * Implements an interface of one method, as a lambda expression would.
 *
 * <p>What it answers is told by texts: "poly" and three numbers, a polynomial of the first argument, lowest power first, for
 * numbers and, where it is positive, for truth; "compare" and 1 or -1, the order of two arguments; "same", the first argument;
 * "null". The last text is the expression as a person writes it.
 */
final class StandIn implements InvocationHandler {
    private static final String OF_JDK = "java\\.util\\.(Comparator|function\\.\\w+)|java\\.lang\\.Runnable"
            + "|java\\.util\\.concurrent\\.Callable";

    private final List<String> words;

    private StandIn(List<String> words) {
        this.words = words;
    }

    static Object make(Class<?> face, List<String> words) {
        return Proxy.newProxyInstance(face.getClassLoader(), new Class<?>[] {face}, new StandIn(words));
    }

    /** The only method that an interface leaves open; null for what is no such interface, or the JDK's own. */
    static Method open(Class<?> type) {
        if (!type.isInterface() || Portrait.ofJdk(type) && !type.getName().matches(OF_JDK)) {
            return null;
        }
        Method found = null;
        for (Method method : type.getMethods()) {
            if (Modifier.isAbstract(method.getModifiers()) && !ofObject(method)) {
                if (found != null) {
                    return null;
                }
                found = method;
            }
        }
        return found;
    }

    /** How it is written, where a value is one; null where not. */
    static String written(Object value) {
        Object handler = Proxy.isProxyClass(value.getClass()) ? Proxy.getInvocationHandler(value) : null;
        return handler instanceof StandIn ? handler.toString() : null;
    }

    @Override
    public String toString() {
        return words.get(words.size() - 1);
    }

    @Override
    public Object invoke(Object self, Method method, Object[] given) throws Throwable {
        Object[] arguments = given == null ? new Object[0] : given;
        if (ofObject(method)) {
            return ofObject(self, method, arguments);
        }
        if (!Modifier.isAbstract(method.getModifiers())) {
            return inherited(self, method, arguments);
        }
        switch (words.get(0)) {
            case "poly":
                return as(method.getReturnType(), polynomial(arguments));
            case "compare":
                return compared(arguments[0], arguments[1]) * Integer.parseInt(words.get(1));
            case "same":
                return arguments[0];
            default:
                return null;
        }
    }

    private static boolean ofObject(Method method) {
        try {
            return Modifier.isPublic(Object.class.getMethod(method.getName(), method.getParameterTypes()).getModifiers());
        } catch (NoSuchMethodException other) {
            return false;
        }
    }

    private Object ofObject(Object self, Method method, Object[] arguments) {
        switch (method.getName()) {
            case "equals":
                return self == arguments[0];
            case "hashCode":
                return words.hashCode();
            default:
                return toString();
        }
    }

    /** Calls what the interface implements itself, which JDKs before 16 have no way to. */
    private static Object inherited(Object self, Method method, Object[] arguments) throws Throwable {
        try {
            return InvocationHandler.class.getMethod("invokeDefault", Object.class, Method.class, Object[].class)
                    .invoke(null, self, method, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        } catch (NoSuchMethodException older) {
            throw new UnsupportedOperationException(method.getName());
        }
    }

    private double polynomial(Object[] arguments) {
        Object first = arguments.length == 0 ? null : arguments[0];
        double x = first instanceof Number ? ((Number) first).doubleValue()
                : first instanceof Character ? (Character) first : 0;
        return Double.parseDouble(words.get(1)) + Double.parseDouble(words.get(2)) * x
                + (words.get(3).equals("0") ? 0 : Double.parseDouble(words.get(3)) * x * x);
    }

    @SuppressWarnings("unchecked")
    private static int compared(Object one, Object other) {
        return ((Comparable<Object>) one).compareTo(other);
    }

    private static Object as(Class<?> type, double number) {
        switch (type.getName()) {
            case "boolean": case "java.lang.Boolean": return number > 0;
            case "char": case "java.lang.Character": return (char) number;
            case "byte": case "java.lang.Byte": return (byte) number;
            case "short": case "java.lang.Short": return (short) number;
            case "int": case "java.lang.Integer": return (int) number;
            case "long": case "java.lang.Long": return (long) number;
            case "float": case "java.lang.Float": return (float) number;
            default: return number;
        }
    }
}
