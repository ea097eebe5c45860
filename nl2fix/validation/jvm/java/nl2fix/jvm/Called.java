package nl2fix.jvm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a call in a loop does to what is known there. Understood are those of the JDK that, for equal arguments and
 * equal contents of what they read, always do the same and run no code of others.
 */
final class Called {
    private static final Set<String> VALUES = new HashSet<>(Arrays.asList(
            "Boolean", "Byte", "Character", "Double", "Float", "Integer", "Long", "Math", "Short", "StrictMath", "String"));
    /** Methods of these that ask for something else, run what a caller made, or fill what they are given. */
    private static final Set<String> OTHERWISE = new HashSet<>(Arrays.asList(
            "random", "getBoolean", "getInteger", "getLong", "format", "formatted", "getBytes", "transform", "getChars",
            "toChars"));
    /** Static methods of these that never throw where they are given numbers. */
    private static final Set<String> TOTAL = new HashSet<>(Arrays.asList("abs", "max", "min", "pow", "sqrt", "valueOf"));
    private static final Set<String> LISTS = new HashSet<>(Arrays.asList("java/util/List", "java/util/ArrayList"));
    private static final Set<String> ASKED = new HashSet<>(Arrays.asList("get(I)", "isEmpty()", "size()"));
    private static final Set<String> OF_BUILDER =
            new HashSet<>(Arrays.asList("charAt(I)", "indexOf(Ljava/lang/String;)", "length()", "toString()"));
    private static final int SPECIAL = 183;
    private static final int STATIC = 184;
    private static final int DYNAMIC = 186;
    private static final String LANG = "java/lang/";
    private static final String OBJECT = "Ljava/lang/Object;";
    private static final String CHARS = "[C";

    private final Loop.Frame frame;
    private final Loop.Effects effects;
    private final int opcode;
    private final String name;
    private final String descriptor;
    private final List<String> types = new ArrayList<>();

    private Called(Method method, int at, Loop.Frame frame, Loop.Effects effects) {
        int member = method.unsigned(at + 1);
        this.frame = frame;
        this.effects = effects;
        opcode = method.opcode(at);
        name = method.pool.name(member);
        descriptor = method.pool.descriptor(member);
        for (int from = 1; descriptor.charAt(from) != ')'; ) {
            int to = behind(from);
            types.add(descriptor.substring(from, to));
            from = to;
        }
    }

    /** False where nobody knows what it does. */
    static boolean by(Method method, int at, Loop.Frame frame, Loop.Effects effects) {
        Called called = new Called(method, at, frame, effects);
        effects.allocates();
        if (called.opcode == DYNAMIC) {
            return called.joins();
        }
        String owner = method.pool.owner(method.unsigned(at + 1));
        if (LISTS.contains(owner)) {
            return called.ofList();
        }
        String plain = owner.startsWith(LANG) ? owner.substring(LANG.length()) : "";
        return plain.equals("StringBuilder") ? called.ofBuilder() : VALUES.contains(plain) && called.ofValue();
    }

    private int behind(int from) {
        int to = from;
        while (descriptor.charAt(to) == '[') {
            to++;
        }
        return descriptor.charAt(to) == 'L' ? descriptor.indexOf(';', to) + 1 : to + 1;
    }

    /** Texts with {@code +}. */
    private boolean joins() {
        if (!name.startsWith("makeConcat") || !arePlain()) {
            return false;
        }
        give(arguments());
        return true;
    }

    private boolean ofValue() {
        boolean chars = types.contains(CHARS);
        if (opcode == SPECIAL || OTHERWISE.contains(name) || !arePlain()) {
            return false;
        }
        effects.reads |= chars ? Step.ELEMENTS : 0;
        boolean numbers = String.join("", types).length() == types.size();
        long depends = arguments() | receiver();
        give(opcode == STATIC && numbers && TOTAL.contains(name) ? depends : decide(depends));
        return true;
    }

    /**
     * What is appended changes nothing of what a loop does that does not read it. A builder that is only on the stack,
     * as older javac makes it for {@code +}, is a value that is made of what is appended.
     */
    private boolean ofBuilder() {
        if (!arePlain()) {
            return false;
        }
        long arguments = arguments();
        int builder = frame.same[frame.size - 1];
        boolean isFresh = builder == Loop.FRESH;
        if (name.equals("append")) {
            effects.writes |= isFresh ? 0 : Step.BUILDERS;
            frame.push(isFresh ? receiver() | arguments : decide(receiver()), builder);
            return true;
        }
        if (!name.equals("<init>") && !asks(OF_BUILDER)) {
            return false;
        }
        effects.reads |= isFresh ? 0 : Step.BUILDERS;
        long receiver = receiver();
        decide(arguments | (isFresh ? 0 : receiver));
        give(arguments | receiver);
        return true;
    }

    private boolean ofList() {
        boolean adds = name.equals("add") && descriptor.equals("(" + OBJECT + ")Z");
        if (!adds && !asks(ASKED)) {
            return false;
        }
        long arguments = arguments();
        int local = frame.same[frame.size - 1];
        if (local < 0) {
            return false;
        }
        effects.lists |= 1L << local;
        effects.writes |= adds ? Step.ELEMENTS : 0;
        effects.reads |= adds ? 0 : Step.ELEMENTS;
        give(decide(receiver() | (adds ? 0 : arguments)));
        return true;
    }

    private boolean asks(Set<String> known) {
        return known.contains(name + descriptor.substring(0, descriptor.indexOf(')') + 1));
    }

    /** Whether all are numbers, texts, or what {@code equals} only looks at. */
    private boolean arePlain() {
        for (String type : types) {
            boolean boxed = type.startsWith("L" + LANG) && VALUES.contains(type.substring(11, type.length() - 1));
            boolean looked = type.equals(OBJECT) && name.equals("equals");
            if (type.length() > 1 && !boxed && !looked && !type.equals(CHARS)) {
                return false;
            }
        }
        return true;
    }

    private long arguments() {
        long depends = 0;
        for (int i = types.size() - 1; i >= 0; i--) {
            depends |= frame.pop(slots(types.get(i)));
        }
        return depends;
    }

    private long receiver() {
        return opcode == STATIC ? 0 : frame.pop(1);
    }

    private void give(long depends) {
        String type = descriptor.substring(descriptor.indexOf(')') + 1);
        for (int left = type.equals("V") ? 0 : slots(type); left > 0; left--) {
            frame.push(depends, -1);
        }
    }

    private static int slots(String type) {
        return type.equals("J") || type.equals("D") ? 2 : 1;
    }

    private long decide(long locals) {
        effects.decide(locals);
        return locals;
    }
}
