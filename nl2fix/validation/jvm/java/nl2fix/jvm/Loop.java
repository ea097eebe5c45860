package nl2fix.jvm;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/**
 * What decides whether a loop goes on: the local variables that conditions, and all that may throw, depend on in the
 * end, as they are where it begins anew. Comes the loop to its head twice with the same of them, it never ends, as
 * long as nothing else changes what it reads.
 *
 * <p>That holds for loops that do nothing but compute, read, and add to what they do not read: {@link #of} knows no
 * other ones. What a round reads before it has set it is what it has from the round before ({@code exposed}); a round's
 * own variables decide nothing. Control comes to the loop at its head only. What cannot lead back to the head is no
 * part of it. Loops that make arrays are left alone: they may run out of memory before they are out of time.
 */
final class Loop {
    /** In the place of a local variable: a builder that no variable has yet. */
    static final int FRESH = -2;
    /** Local variables that can be told apart. */
    private static final int MOST_LOCALS = 64;

    private final int head;
    private final int end;
    private final Method method;
    private final BitSet inside = new BitSet();
    /** By place: what is on the stack and set there. */
    private final Map<Integer, Frame> frames = new TreeMap<>();
    private final Deque<Integer> work = new ArrayDeque<>();
    private final Effects effects = new Effects();

    private Loop(Method method, int head, int end) {
        this.method = method;
        this.head = head;
        this.end = end;
    }

    /** The loop whose jumps back lead to a place; null where nobody can tell what decides. */
    static Loop of(Method method, int head) {
        int end = head + 1;
        for (int last = 0; last != end; ) {
            last = end;
            for (int at = 0; at < method.code.length; at += method.length(at)) {
                for (int target : method.targets(at)) {
                    boolean isBack = at >= end - 1 && target >= head && target < end;
                    end = isBack ? at + method.length(at) : end;
                }
            }
        }
        Loop loop = new Loop(method, head, end);
        return loop.isEnteredAtHead() && loop.isUnderstood() ? loop : null;
    }

    /** The local variables that decide → kind: one of I, J, F, D, A; L for a list of which only the JDK's are meant. */
    Map<Integer, Character> deciding() {
        long all = effects.deciding();
        Map<Integer, Character> found = new TreeMap<>();
        for (Map.Entry<Integer, Character> exposed : effects.exposed.entrySet()) {
            int local = exposed.getKey();
            if ((all >> local & 1) != 0) {
                found.put(local, (effects.lists >> local & 1) != 0 ? 'L' : exposed.getValue());
            }
        }
        return found;
    }

    private boolean isIn(int at) {
        return at >= head && at < end;
    }

    private boolean isEnteredAtHead() {
        for (int[] handler : method.handlers) {
            if (isIn(handler[2])) {
                return false;
            }
        }
        for (int at = 0; at < method.code.length; at += method.length(at)) {
            for (int target : method.targets(at)) {
                if (!isIn(at) && isIn(target) && target != head) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isUnderstood() {
        findInside();
        come(head, new Frame());
        while (!work.isEmpty()) {
            int at = work.remove();
            Frame frame = frames.get(at).copy();
            Step step = new Step(method, at, frame, effects);
            if (!step.isUnderstood()) {
                return false;
            }
            for (int target : next(at)) {
                if (!come(target, frame)) {
                    return false;
                }
            }
        }
        return effects.areApart();
    }

    /** Instructions from which the head can be reached again within the loop. */
    private void findInside() {
        boolean more = true;
        while (more) {
            more = false;
            for (int at = head; at < end; at += method.length(at)) {
                if (!inside.get(at) && leadsBack(at)) {
                    inside.set(at);
                    more = true;
                }
            }
        }
    }

    private boolean leadsBack(int at) {
        for (int target : next(at)) {
            if (target == head || isIn(target) && inside.get(target)) {
                return true;
            }
        }
        return false;
    }

    private int[] next(int at) {
        int[] targets = method.targets(at);
        if (Step.goesOn(method.opcode(at))) {
            targets = Arrays.copyOf(targets, targets.length + 1);
            targets[targets.length - 1] = at + method.length(at);
        }
        return targets;
    }

    /** Notes what is known where control comes to; false where the stack is not as it was. */
    private boolean come(int at, Frame frame) {
        if (at == head && !frame.isEmpty()) {
            return false;
        }
        if (!inside.get(at)) {
            return true;
        }
        Frame before = frames.get(at);
        if (before == null) {
            frames.put(at, frame.copy());
            work.add(at);
            return true;
        }
        if (before.size != frame.size) {
            return false;
        }
        if (before.join(frame)) {
            work.add(at);
        }
        return true;
    }

    /** What is known in front of an instruction, slot by slot: a long has two. */
    static final class Frame {
        /** Local variables that each slot of the stack depends on. */
        long[] stack = new long[8];
        /** The local variable that each slot is; -1: none; or {@link #FRESH}. */
        int[] same = new int[8];
        int size;
        /** Local variables that this round has set. */
        long set;

        Frame copy() {
            Frame copy = new Frame();
            copy.stack = stack.clone();
            copy.same = same.clone();
            copy.size = size;
            copy.set = set;
            return copy;
        }

        boolean isEmpty() {
            return size == 0;
        }

        void push(long depends, int local) {
            if (size == stack.length) {
                stack = Arrays.copyOf(stack, 2 * size);
                same = Arrays.copyOf(same, 2 * size);
            }
            stack[size] = depends;
            same[size++] = local;
        }

        /** What is on top gets a name: where it is what is meant, no other slot is that any more. */
        void give(int meant) {
            boolean isMeant = same[size - 1] == meant;
            for (int i = 0; i < size; i++) {
                same[i] = isMeant && same[i] == meant ? -1 : same[i];
            }
        }

        /** Takes slots off and tells what they depend on. */
        long pop(int slots) {
            long all = 0;
            for (int left = slots; left > 0; left--) {
                all |= stack[--size];
            }
            return all;
        }

        /** Whether anything is new. */
        boolean join(Frame other) {
            boolean changed = (set & ~other.set) != 0;
            set &= other.set;
            for (int i = 0; i < size; i++) {
                changed |= (other.stack[i] & ~stack[i]) != 0 || same[i] != -1 && same[i] != other.same[i];
                stack[i] |= other.stack[i];
                same[i] = same[i] == other.same[i] ? same[i] : -1;
            }
            return changed;
        }
    }

    /** What the instructions of a loop do together. */
    static final class Effects {
        /** Each local variable that a round reads before it sets it → kind. */
        final Map<Integer, Character> exposed = new TreeMap<>();
        /** By local variable: what its values are made of. */
        private final long[] made = new long[MOST_LOCALS];
        /** What conditions and what may throw depend on. */
        private long decides;
        /** Local variables that must be lists of the JDK. */
        long lists;
        /** What is read and what is written, each a bit. */
        int reads;
        int writes;
        private long stored;

        /** Memory may be collected, and what is collected then may set fields. */
        void allocates() {
            writes |= Step.FIELDS;
        }

        void decide(long locals) {
            decides |= locals;
        }

        /** False where there are too many variables. */
        boolean load(Frame frame, int local, char kind) {
            if (local >= MOST_LOCALS) {
                return false;
            }
            if ((frame.set >> local & 1) == 0) {
                exposed.put(local, kind);
            }
            return true;
        }

        boolean store(Frame frame, int local, long depends) {
            if (local >= MOST_LOCALS) {
                return false;
            }
            made[local] |= depends;
            stored |= 1L << local;
            frame.set |= 1L << local;
            return true;
        }

        /** Whether nothing is read that is written, and lists stay the ones that they are at the head. */
        boolean areApart() {
            return (reads & writes) == 0 && (lists & stored) == 0;
        }

        long deciding() {
            long all = decides;
            long before;
            do {
                before = all;
                for (int local = 0; local < MOST_LOCALS; local++) {
                    all |= (before >> local & 1) != 0 ? made[local] : 0;
                }
            } while (all != before);
            return all;
        }
    }
}
