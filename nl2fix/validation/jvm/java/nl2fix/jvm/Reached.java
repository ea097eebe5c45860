package nl2fix.jvm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which lines of the project the tests reach. {@link Prober} puts a call of {@link #at} before the code of each line
 * that is loaded; what is reached between two tests, as fixtures of classes are, belongs to the second. Where a class
 * cannot be initialised, what its initialiser reached belongs to each test that fails for that.
 */
public final class Reached {
    static final String NAME = "nl2fix.jvm.Reached";
    /** Lines that two bytes can number. */
    private static final int MOST = 1 << 16;
    private static final int MOST_CAUSES = 20;
    /** Characters of the names of one id's failed tests after which no more is added. */
    private static final int MOST_NAMES = 20000;
    private static final String UNREADY = "Could not initialize class ";
    /** What the JVM and the JDK throw where code does what cannot be done. */
    private static final Set<String> OBJECTIONS = new HashSet<>(Arrays.asList(
            "java.lang.NullPointerException", "java.lang.ClassCastException", "java.lang.ArithmeticException",
            "java.lang.IndexOutOfBoundsException", "java.lang.ArrayIndexOutOfBoundsException",
            "java.lang.StringIndexOutOfBoundsException", "java.lang.NegativeArraySizeException",
            "java.lang.ArrayStoreException", "java.lang.NumberFormatException", "java.util.NoSuchElementException",
            "java.util.ConcurrentModificationException", "java.util.EmptyStackException",
            "java.lang.StackOverflowError", "java.io.FileNotFoundException", "java.nio.file.NoSuchFileException"));
    private static final String[] OF_JDK = {"java.", "javax.", "jdk.", "sun.", "com.sun."};

    private static volatile Reached now;
    private static volatile boolean[] reached = new boolean[MOST];

    private final List<String> sources = new ArrayList<>();
    private final List<Integer> lines = new ArrayList<>();
    private final int[] passed = new int[MOST];
    private final Map<String, Integer> places = new HashMap<>();
    private final Map<String, int[]> failed = new LinkedHashMap<>();
    /** Of failed tests: the line that was objected to; -1 for none. */
    private final Map<String, Integer> objected = new HashMap<>();
    /** What running tests are called whose ids do not say that. */
    private final Map<String, String> names = new HashMap<>();
    /** Of those that failed, a line each: all that a method makes at run time may have one id. */
    private final Map<String, String> failedNames = new HashMap<>();
    /** Why tests fail that have not ended. */
    private final Map<String, Throwable> causes = new HashMap<>();
    /** Of classes that could not be initialised: what the test reached that tried first. */
    private final Map<String, BitSet> unready = new HashMap<>();
    /** Of each item: the lines that its tests reached. */
    private final List<BitSet> items = new ArrayList<>();
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
        for (int i = 0; i < more.size(); i++) {
            places.putIfAbsent(source + ":" + more.get(i), first + i);
        }
        lines.addAll(more);
        sources.addAll(Collections.nCopies(more.size(), source));
        return first;
    }

    /** What a running test is called beside its id. */
    synchronized void called(String test, String name) {
        names.put(test, name);
    }

    /** A test that is about to end has failed. */
    synchronized void fails(String test, Throwable cause) {
        causes.put(test, cause);
        String name = names.getOrDefault(test, "");
        if (!name.isEmpty()) {
            failedNames.merge(test, name, (all, more) -> all.length() < MOST_NAMES ? all + "\n" + more : all);
        }
    }

    /** A test of an item is over, or a class that could make none. */
    synchronized void end(int item, String test, char outcome) {
        BitSet found = taken();
        while (items.size() <= item) {
            items.add(new BitSet());
        }
        items.get(item).or(found);
        Throwable cause = causes.remove(test);
        if (outcome == 'P') {
            tests++;
            for (int line = found.nextSetBit(0); line >= 0; line = found.nextSetBit(line + 1)) {
                passed[line]++;
            }
        } else if (outcome != 'S') {
            try {
                addInitialised(found, cause);
                objected.put(test, objectedTo(cause));
            } catch (RuntimeException unreadable) {
                // What code under test threw need not bear being asked.
            }
            failed.put(test, found.stream().toArray());
        }
    }

    /** The lines reached since this was asked last. */
    private BitSet taken() {
        boolean[] all = reached;
        BitSet found = new BitSet();
        for (int i = 0; i < lines.size(); i++) {
            if (all[i]) {
                all[i] = false;
                found.set(i);
            }
        }
        return found;
    }

    /** Adds what the initialiser of a class reached to what a test reached that lacks the class. */
    private void addInitialised(BitSet found, Throwable cause) {
        Throwable each = cause;
        for (int i = 0; each != null && i < MOST_CAUSES; i++, each = each.getCause()) {
            String message = each instanceof NoClassDefFoundError ? String.valueOf(each.getMessage()) : "";
            BitSet there = message.startsWith(UNREADY) ? unready.get(message.substring(UNREADY.length())) : null;
            if (there != null) {
                found.or(there);
            }
            for (StackTraceElement frame : each.getStackTrace()) {
                if (frame.getMethodName().equals("<clinit>")) {
                    unready.putIfAbsent(frame.getClassName(), (BitSet) found.clone());
                }
            }
        }
    }

    /**
     * The line of the project at which the JVM or the JDK threw what is behind a failure; -1 where neither did.
     * Where a method checks what it is given by {@code Objects}, the line of the project that gives it.
     */
    private int objectedTo(Throwable cause) {
        Throwable root = cause;
        for (int i = 0; root != null && root.getCause() != null && i < MOST_CAUSES; i++) {
            root = root.getCause();
        }
        if (root == null || !OBJECTIONS.contains(root.getClass().getName())) {
            return -1;
        }
        StackTraceElement[] trace = root.getStackTrace();
        if (root instanceof StackOverflowError) {
            return oftenest(trace);
        }
        int own = 0;
        while (own < trace.length && isOfJdk(trace[own])) {
            own++;
        }
        int place = own < trace.length ? placeOf(trace[own]) : -1;
        if (own != 1 || place < 0 || !trace[0].getClassName().equals("java.util.Objects")) {
            return place;
        }
        int caller = own;
        while (caller < trace.length && isSameMethod(trace[own], trace[caller])) {
            caller++;
        }
        return caller < trace.length && placeOf(trace[caller]) >= 0 ? placeOf(trace[caller]) : place;
    }

    /** The line of the project that most frames are at: where the stack overflowed is chance. */
    private int oftenest(StackTraceElement[] trace) {
        Map<Integer, Integer> counts = new LinkedHashMap<>();
        Arrays.stream(trace).forEach(frame -> counts.merge(placeOf(frame), 1, Integer::sum));
        counts.remove(-1);
        int most = -1;
        for (int place : counts.keySet()) {
            most = most < 0 || counts.get(place) > counts.get(most) ? place : most;
        }
        return most;
    }

    private static boolean isOfJdk(StackTraceElement frame) {
        return Arrays.stream(OF_JDK).anyMatch(frame.getClassName()::startsWith);
    }

    private static boolean isSameMethod(StackTraceElement one, StackTraceElement other) {
        return one.getClassName().equals(other.getClassName()) && one.getMethodName().equals(other.getMethodName());
    }

    private int placeOf(StackTraceElement frame) {
        String owner = frame.getClassName();
        String folder = owner.substring(0, owner.lastIndexOf('.') + 1).replace('.', '/');
        return places.getOrDefault(folder + frame.getFileName() + ":" + frame.getLineNumber(), -1);
    }

    /**
     * Tests that passed; each line (source file, number, tests that passed there); each failed test (id, its lines, the
     * one that was objected to, what it is called beside its id);
     * of each item a line of each source file that it reached.
     */
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
            reply.number(objected.getOrDefault(test.getKey(), -1)).text(failedNames.getOrDefault(test.getKey(), ""));
        }
        reply.number(items.size());
        for (BitSet found : items) {
            List<Integer> places = ofEachSource(found);
            reply.number(places.size());
            places.forEach(reply::number);
        }
    }

    private List<Integer> ofEachSource(BitSet found) {
        Map<String, Integer> places = new LinkedHashMap<>();
        found.stream().forEach(line -> places.putIfAbsent(sources.get(line), line));
        return new ArrayList<>(places.values());
    }
}
