package nl2fix.jvm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which lines of the project the tests reach. {@link Prober} puts a call of {@link #at} before the code of each line
 * that is loaded; what is reached between two tests, as fixtures of classes are, belongs to the second.
 */
public final class Reached {
    static final String NAME = "nl2fix.jvm.Reached";
    /** Lines that two bytes can number. */
    private static final int MOST = 1 << 16;

    private static volatile Reached now;
    private static volatile boolean[] reached = new boolean[MOST];

    private final List<String> sources = new ArrayList<>();
    private final List<Integer> lines = new ArrayList<>();
    private final int[] passed = new int[MOST];
    private final Map<String, int[]> failed = new LinkedHashMap<>();
    private int tests;

    /** Begins to notice where a request asks for that; null where it does not. */
    static Reached notice(Request request) {
        now = null;
        if (request.flag()) {
            reached = new boolean[MOST];
            now = new Reached();
        }
        return now;
    }

    static void forget() {
        now = null;
    }

    /** What notices at the moment; null: nothing does. */
    static Reached now() {
        return now;
    }

    public static void at(int line) {
        reached[line & MOST - 1] = true;
    }

    /** Number of the first of some lines of a source file; -1 where there is no room for them. */
    synchronized int number(String source, List<Integer> more) {
        int first = lines.size();
        if (first + more.size() > MOST) {
            return -1;
        }
        lines.addAll(more);
        sources.addAll(Collections.nCopies(more.size(), source));
        return first;
    }

    /** A test is over, or a class that could make none. */
    synchronized void end(String test, char outcome) {
        boolean[] all = reached;
        int[] found = new int[lines.size()];
        int count = 0;
        for (int i = 0; i < found.length; i++) {
            if (all[i]) {
                all[i] = false;
                found[count++] = i;
            }
        }
        if (outcome == 'P') {
            tests++;
            for (int i = 0; i < count; i++) {
                passed[found[i]]++;
            }
        } else if (outcome != 'S') {
            failed.put(test, Arrays.copyOf(found, count));
        }
    }

    /** Tests that passed; each line (source file, number, tests that passed there); each failed test (id, its lines). */
    synchronized void write(Reply reply) {
        reply.number(tests).number(lines.size());
        for (int i = 0; i < lines.size(); i++) {
            reply.text(sources.get(i)).number(lines.get(i)).number(passed[i]);
        }
        reply.number(failed.size());
        for (Map.Entry<String, int[]> test : failed.entrySet()) {
            reply.text(test.getKey()).number(test.getValue().length);
            for (int line : test.getValue()) {
                reply.number(line);
            }
        }
    }
}
