package nl2fix.jvm;

import java.lang.reflect.Array;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a test of the program's own package can see of a value: a tree of the same shape as a {@link Recipe}.
 *
 * <p>A node is a letter, a name, texts and nodes: 'n' null, 'v' a plain value (name: its kind, text: itself), 'a' an array
 * (name: its component), 'l' a list, 'u' a set, 'q' another collection, 'm' a map (keys and values in turn), 'f' a
 * constant of an enumeration, 'x' a thrown exception, 't' what only toString tells, 'o' an object and what can be asked
 * of it, each a 'd': name its declared type, text how to ask, e.g. {@code .getX()}; '?' what cannot be seen.
 */
final class Facts {
    private static final int MOST = 300;
    private static final int DEEPEST = 3;
    private static final int MOST_QUESTIONS = 16;
    private static final int LONGEST = 400;
    /** Names of methods that ask nothing, or nothing of the value. */
    private static final String CHANGES = "hashCode|(next|previous|pop|poll|take|read|write|remove|delete|clear|reset|add|put"
            + "|insert|push|increment|decrement|advance|skip|close|open|start|stop|run|execute|flush|save|load)([A-Z]\\w*)?";
    private static final Facts UNSEEN = new Facts('?', "");

    private final char kind;
    private final String name;
    private final List<String> words = new ArrayList<>();
    private final List<Facts> parts = new ArrayList<>();

    private Facts(char kind, String name, String... words) {
        this.kind = kind;
        this.name = name;
        Collections.addAll(this.words, words);
    }

    /** Of a call: what it returned or threw, then its receiver and each argument as they are now. */
    static List<Facts> of(Executable unit, Object result, Throwable thrown, Object receiver, Object[] arguments) {
        int[] left = {MOST};
        List<Facts> all = new ArrayList<>();
        Class<?> type = unit instanceof Method ? ((Method) unit).getReturnType() : unit.getDeclaringClass();
        all.add(thrown != null ? new Facts('x', thrown.getClass().getName()) : declared(type, "", result, 0, left));
        all.add(declared(unit.getDeclaringClass(), "", receiver, 0, left));
        for (int i = 0; i < arguments.length; i++) {
            all.add(declared(unit.getParameterTypes()[i], "", arguments[i], 0, left));
        }
        return all;
    }

    void write(Reply reply) {
        reply.number(kind).text(name).number(words.size());
        for (String word : words) {
            reply.text(word);
        }
        writeAll(parts, reply);
    }

    static void writeAll(List<Facts> facts, Reply reply) {
        reply.number(facts.size());
        for (Facts each : facts) {
            each.write(reply);
        }
    }

    private static Facts declared(Class<?> type, String question, Object value, int depth, int[] left) {
        Facts facts = new Facts('d', type.getName(), question);
        facts.parts.add(of(value, depth, left));
        return facts;
    }

    private static Facts of(Object value, int depth, int[] left) {
        if (value == null) {
            return new Facts('n', "");
        }
        Class<?> type = value.getClass();
        if (left[0]-- <= 0 || depth > DEEPEST) {
            return UNSEEN;
        }
        if (type.getName().matches("java\\.lang\\.(Boolean|Character|Byte|Short|Integer|Long|Float|Double|String)")) {
            String text = value instanceof Character ? String.valueOf((int) (Character) value) : value.toString();
            return text.length() > LONGEST ? UNSEEN : new Facts('v', type.getName().substring(10), text);
        }
        if (value instanceof Enum) {
            return new Facts('f', ((Enum<?>) value).getDeclaringClass().getName(), ((Enum<?>) value).name());
        }
        Facts facts;
        if (type.isArray()) {
            facts = new Facts('a', type.getComponentType().getName());
            for (int i = 0; i < Array.getLength(value) && left[0] > 0; i++) {
                facts.parts.add(of(Array.get(value, i), depth + 1, left));
            }
        } else if (value instanceof Collection) {
            facts = new Facts(value instanceof List ? 'l' : value instanceof Set ? 'u' : 'q', type.getName());
            for (Object each : (Collection<?>) value) {
                facts.parts.add(of(each, depth + 1, left));
            }
        } else if (value instanceof Map) {
            facts = new Facts('m', type.getName());
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                facts.parts.add(of(entry.getKey(), depth + 1, left));
                facts.parts.add(of(entry.getValue(), depth + 1, left));
            }
        } else {
            return Portrait.ofJdk(type) ? ofJdk(value, type) : asked(value, type, depth, left);
        }
        return left[0] > 0 ? facts : UNSEEN;
    }

    private static Facts ofJdk(Object value, Class<?> type) {
        boolean content = value instanceof CharSequence || Notation.speaks(type);
        String text = content ? value.toString() : "";
        return content && text.length() <= LONGEST ? new Facts('t', type.getName(), text) : UNSEEN;
    }

    /** Fields and questions without parameters that code of the same package may ask, public ones first. */
    private static Facts asked(Object value, Class<?> type, int depth, int[] left) {
        Facts facts = new Facts('o', type.getName());
        for (Method question : questions(type)) {
            try {
                question.setAccessible(true);
                Object answer = question.invoke(value);
                if (!question.getName().equals("toString") || !String.valueOf(answer).contains("@")) {
                    String asked = "." + question.getName() + "()";
                    facts.parts.add(declared(question.getReturnType(), asked, answer, depth + 1, left));
                }
            } catch (ReflectiveOperationException | RuntimeException unanswered) {
                // Others may answer.
            }
        }
        for (Field field : Portrait.fields(type)) {
            if (!Modifier.isPrivate(field.getModifiers())) {
                try {
                    Object content = field.get(value);
                    facts.parts.add(declared(field.getType(), "." + field.getName(), content, depth + 1, left));
                } catch (IllegalAccessException hidden) {
                    // Others may be open.
                }
            }
        }
        return facts;
    }

    private static List<Method> questions(Class<?> type) {
        List<Method> found = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (Field field : Portrait.fields(type)) {
            names.add(field.getName());
        }
        for (Class<?> owner = type; owner != null && !Portrait.ofJdk(owner); owner = owner.getSuperclass()) {
            for (Method method : owner.getDeclaredMethods()) {
                int hidden = Modifier.PRIVATE | Modifier.STATIC | Modifier.ABSTRACT | Modifier.NATIVE;
                boolean question = (method.getModifiers() & hidden) == 0 && !method.isSynthetic()
                        && method.getParameterTypes().length == 0 && method.getReturnType() != void.class;
                boolean tells = method.getReturnType().isPrimitive() || method.getReturnType().isEnum()
                        || method.getReturnType() == String.class;
                boolean named = names.contains(method.getName()) || method.getName().matches("(get|is|has)[A-Z]\\w*")
                        || tells && !method.getName().matches(CHANGES);
                if (question && named) {
                    found.add(method);
                }
            }
        }
        found.sort(Comparator.comparing((Method method) -> method.getName().equals("toString"))
                .thenComparing(method -> !Modifier.isPublic(method.getModifiers())).thenComparing(Method::getName));
        return found.size() > MOST_QUESTIONS ? found.subList(0, MOST_QUESTIONS) : found;
    }
}
