package nl2fix.jvm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds that a loop never ends: what decides whether it goes on ({@link Loop}) is the same again where it begins anew,
 * twice, as classes may be set up the first time, then no other thread is there that could change what it reads, and it
 * is the same again.
 *
 * <p>Called by what {@link LoopProber} puts into an edit's classes: {@link #enter} before the first round, then, in
 * each round, {@code note} for each variable and {@link #at}. Rounds are compared with one before, which is another one
 * after twice as many each time (Brent, 1980), so that a circle of any length is found.
 */
public final class Loops {
    static final String NAME = "nl2fix.jvm.Loops";
    /** As many as two bytes can number. */
    private static final int MOST = 1 << 15;
    private static final int MOST_VALUES = 64;
    private static final int AGAIN = 2;
    /** Lists of which equal calls always do the same. */
    private static final Set<String> PLAIN = new HashSet<>(Arrays.asList(
            "java.util.ArrayList", "java.util.LinkedList", "java.util.Arrays$ArrayList",
            "java.util.ImmutableCollections$List12", "java.util.ImmutableCollections$ListN",
            "java.util.Collections$EmptyList", "java.util.Collections$SingletonList"));

    private static volatile Loops now;

    /** Who wants to know. */
    interface Ear {
        /** Whether nothing runs that could change what this thread reads. */
        boolean runsAlone();

        void neverEnds(String where);
    }

    private final Ear ear;
    private final List<Rounds> all = new ArrayList<>();
    private Thread watched;
    private boolean found;
    private final long[] bits = new long[MOST_VALUES];
    private final Object[] objects = new Object[MOST_VALUES];
    private int count;
    private boolean strange;

    private Loops(Ear ear) {
        this.ear = ear;
    }

    /** Begins to look where a request asks for that. */
    static void look(Request request, Ear ear) {
        now = request.flag() ? new Loops(ear) : null;
    }

    /** The thread whose loops are meant. */
    static void watch(Thread thread) {
        if (now != null) {
            now.watched = thread;
        }
    }

    static void forget() {
        now = null;
    }

    /** What looks at the moment; null: nothing does. */
    static Loops now() {
        return now;
    }

    /** The number of a loop; negative where there are too many. */
    synchronized int number(String source, int line) {
        all.add(new Rounds(source.substring(source.lastIndexOf('/') + 1) + ":" + line));
        return all.size() <= MOST ? all.size() - 1 : -1;
    }

    private static Loops mine() {
        Loops loops = now;
        return loops != null && loops.watched == Thread.currentThread() ? loops : null;
    }

    public static void enter(int loop) {
        Loops loops = mine();
        if (loops != null && loop < loops.all.size()) {
            loops.all.get(loop).forget();
        }
    }

    public static void note(int value) {
        note(null, value);
    }

    public static void note(long value) {
        note(null, value);
    }

    public static void note(float value) {
        note(null, Float.floatToRawIntBits(value));
    }

    public static void note(double value) {
        note(null, Double.doubleToRawLongBits(value));
    }

    public static void note(Object value) {
        note(value, 0);
    }

    public static void list(Object value) {
        Loops loops = mine();
        if (loops != null) {
            loops.strange |= value == null || !PLAIN.contains(value.getClass().getName());
        }
        note(value, 0);
    }

    private static void note(Object object, long bits) {
        Loops loops = mine();
        if (loops != null && loops.count < MOST_VALUES) {
            loops.objects[loops.count] = object;
            loops.bits[loops.count++] = bits;
        }
    }

    public static void at(int loop) {
        Loops loops = mine();
        if (loops != null && loop < loops.all.size()) {
            loops.round(loops.all.get(loop));
        }
    }

    private void round(Rounds rounds) {
        if (!strange && rounds.areAsBefore(this)) {
            found = true;
            ear.neverEnds(rounds.where);
        }
        count = 0;
        strange = false;
        if (found) { // again where it was caught
            throw new ThreadDeath();
        }
    }

    /** The rounds of one loop. */
    private static final class Rounds {
        final String where;
        private long[] bits = new long[0];
        private Object[] objects = new Object[0];
        private long rounds;
        /** Until another round is kept. */
        private long left;
        private long equal;

        Rounds(String where) {
            this.where = where;
        }

        void forget() {
            rounds = 0;
            left = 0;
            equal = 0;
        }

        /** Whether rounds before and behind a moment at which no other thread was there are the same. */
        boolean areAsBefore(Loops values) {
            if (rounds > 0 && isSame(values)) {
                equal++;
                if (equal == AGAIN && !values.ear.runsAlone()) {
                    keep(values);
                    equal = -rounds; // asked again after as many
                }
                return equal >= 2 * AGAIN;
            }
            if (--left < 0) {
                keep(values);
            }
            return false;
        }

        private void keep(Loops values) {
            bits = Arrays.copyOf(values.bits, values.count);
            objects = Arrays.copyOf(values.objects, values.count);
            rounds = Math.max(1, 2 * rounds);
            left = rounds;
            equal = 0;
        }

        private boolean isSame(Loops values) {
            for (int i = 0; i < bits.length; i++) {
                if (bits[i] != values.bits[i] || !isSame(objects[i], values.objects[i])) {
                    return false;
                }
            }
            return bits.length == values.count;
        }

        private static boolean isSame(Object a, Object b) {
            return a == b || (a instanceof String || a instanceof Number || a instanceof Character) && a.equals(b)
                    && a.getClass().getClassLoader() == null;
        }
    }
}
