package nl2fix.jvm;

/** What one instruction of a loop does to what is known there. Numbers: JVM specification, chapter 6. */
final class Step {
    static final int FIELDS = 1;
    /** Arrays and lists, which may be one. */
    static final int ELEMENTS = 2;
    static final int BUILDERS = 4;
    private static final int DYNAMIC_CONSTANT = 17;
    private static final String KINDS = "IJFDA";
    /** Slots that instructions from 96 on take and give, for operands of two each: one character each. */
    private static final String ARITHMETIC_TAKES = "2424" + "2424" + "2424" + "2424" + "2424" + "1212" + "232323" + "242424";
    private static final String ARITHMETIC_GIVES = "1212" + "1212" + "1212" + "1212" + "1212" + "1212" + "121212" + "121212";
    /** The same from 133 on: conversions and comparisons. */
    private static final String CONVERSION_TAKES = "111222111222111" + "42244";
    private static final String CONVERSION_GIVES = "212112122121111" + "11111";

    private final Method method;
    private final int at;
    private final int opcode;
    private final Loop.Frame frame;
    private final Loop.Effects effects;

    Step(Method method, int at, Loop.Frame frame, Loop.Effects effects) {
        this.method = method;
        this.at = at;
        this.opcode = method.opcode(at);
        this.frame = frame;
        this.effects = effects;
    }

    /** Whether the instruction behind may be next. */
    static boolean goesOn(int opcode) {
        return !(opcode >= 167 && opcode <= 177 || opcode == 191 || opcode >= 200);
    }

    /** Does it; false where nobody knows what it does. */
    boolean isUnderstood() {
        if (opcode <= 20) {
            return constant();
        }
        if (opcode <= 45) {
            return opcode <= 25
                    ? load(method.opcode(at + 1), opcode - 21) : load((opcode - 26) % 4, (opcode - 26) / 4);
        }
        if (opcode <= 53) {
            return element();
        }
        if (opcode <= 78) {
            return opcode <= 58
                    ? store(method.opcode(at + 1), opcode - 54) : store((opcode - 59) % 4, (opcode - 59) / 4);
        }
        if (opcode <= 86) {
            return setElement();
        }
        if (opcode <= 95) {
            return stack();
        }
        return opcode == Method.IINC ? increment(method.opcode(at + 1)) : opcode <= 152 ? compute() : other();
    }

    private boolean constant() {
        boolean known = opcode < 18 || method.pool.tag(loaded()) != DYNAMIC_CONSTANT;
        int slots = opcode == 9 || opcode == 10 || opcode == 14 || opcode == 15 || opcode == 20 ? 2 : 1;
        push(opcode == 0 ? 0 : slots, 0);
        return known;
    }

    private int loaded() {
        return opcode == 18 ? method.opcode(at + 1) : method.unsigned(at + 1);
    }

    private boolean load(int local, int kind) {
        if (!effects.load(frame, local, KINDS.charAt(kind))) {
            return false;
        }
        for (int left = slots(kind); left > 0; left--) {
            frame.push(1L << local, local);
        }
        return true;
    }

    private boolean store(int local, int kind) {
        frame.give(Loop.FRESH);
        return effects.store(frame, local, frame.pop(slots(kind)));
    }

    private static int slots(int kind) {
        return kind == 1 || kind == 3 ? 2 : 1;
    }

    private boolean increment(int local) {
        return effects.load(frame, local, 'I') && effects.store(frame, local, 1L << local);
    }

    private boolean element() {
        long depends = decide(frame.pop(2));
        effects.reads |= ELEMENTS;
        push(opcode == 47 || opcode == 49 ? 2 : 1, depends);
        return true;
    }

    private boolean setElement() {
        boolean checked = opcode == 83;
        long value = frame.pop(opcode == 80 || opcode == 82 ? 2 : 1);
        decide(frame.pop(2) | (checked ? value : 0));
        effects.writes |= ELEMENTS;
        return true;
    }

    /** From {@code pop} to {@code swap}. */
    private boolean stack() {
        if (opcode <= 88) {
            frame.pop(opcode - 86);
            return true;
        }
        boolean swaps = opcode == 95;
        int copied = swaps ? 1 : opcode < 92 ? 1 : 2;
        int below = swaps ? 1 : (opcode - 89) % 3;
        int from = frame.size - copied - below;
        Loop.Frame old = frame.copy();
        if (from < 0) {
            return false;
        }
        frame.pop(copied + below);
        copy(old, from + below, copied);
        copy(old, from, below);
        copy(old, from + below, swaps ? 0 : copied);
        return true;
    }

    private void copy(Loop.Frame old, int from, int slots) {
        for (int i = from; i < from + slots; i++) {
            frame.push(old.stack[i], old.same[i]);
        }
    }

    /** From {@code iadd} to {@code dcmpg}. Whole numbers cannot be divided by zero. */
    private boolean compute() {
        boolean converts = opcode >= 133;
        int number = opcode - (converts ? 133 : 96);
        boolean divides = opcode == 108 || opcode == 109 || opcode == 112 || opcode == 113;
        int takes = (converts ? CONVERSION_TAKES : ARITHMETIC_TAKES).charAt(number) - '0';
        long divisor = divides ? decide(frame.pop(takes / 2)) : 0;
        long depends = frame.pop(divides ? takes / 2 : takes) | divisor;
        push((converts ? CONVERSION_GIVES : ARITHMETIC_GIVES).charAt(number) - '0', depends);
        return true;
    }

    private boolean other() {
        switch (opcode) {
            case 153: case 154: case 155: case 156: case 157: case 158: case 170: case 171: case 198: case 199:
                decide(frame.pop(1));
                return true;
            case 159: case 160: case 161: case 162: case 163: case 164:
                decide(frame.pop(2));
                return true;
            case 167: case 200:
                return true;
            case 178: case 179: case 180: case 181:
                return field();
            case 182: case 183: case 184: case 185: case 186:
                return Called.by(method, at, frame, effects);
            case 187:
                effects.allocates();
                frame.push(0, Loop.FRESH);
                return "java/lang/StringBuilder".equals(method.pool.className(method.unsigned(at + 1)));
            case 190: case 192: case 193:
                push(1, decide(frame.pop(1)));
                return true;
            case Method.WIDE:
                return wide();
            default:
                return false;
        }
    }

    private boolean field() {
        char type = method.pool.descriptor(method.unsigned(at + 1)).charAt(0);
        int slots = type == 'J' || type == 'D' ? 2 : 1;
        boolean writes = opcode == 179 || opcode == 181;
        frame.pop(writes ? slots : 0);
        long owner = opcode >= 180 ? decide(frame.pop(1)) : 0;
        if (writes) {
            effects.writes |= FIELDS;
        } else {
            effects.reads |= FIELDS;
            push(slots, owner);
        }
        return true;
    }

    private boolean wide() {
        int what = method.opcode(at + 1);
        int local = method.unsigned(at + 2);
        return what == Method.IINC ? increment(local)
                : what >= 54 ? what <= 58 && store(local, what - 54) : what <= 25 && load(local, what - 21);
    }

    private void push(int slots, long depends) {
        for (int left = slots; left > 0; left--) {
            frame.push(depends, -1);
        }
    }

    private long decide(long locals) {
        effects.decide(locals);
        return locals;
    }
}
