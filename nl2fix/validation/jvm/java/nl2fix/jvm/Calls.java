package nl2fix.jvm;

import java.io.IOException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Calls one unit of an edit with values that the parent sends, and answers what each call did.
 *
 * <p>Request: the edit, then owner, name and parameter types of the unit, the number of the first call to make, limits
 * (CPU seconds of a call, of all, calls that may be stopped), whether to tell facts, then the calls, each a list of no or one receiver and one
 * of arguments. Reply 'B': see {@link #answer}. A call that does not end is stopped, which is what it did; where it
 * cannot be stopped the parent goes on in another JVM.
 */
final class Calls {
    private static final long LOOK_MILLIS = 20;
    /** Seconds of a call that are not worth asking how long it waited for a processor. */
    private static final double SHORT = 0.001;
    /** Wall seconds of a call, for those that wait for something else than a processor. */
    private static final double LATE = 4;
    /** Seconds of CPU time, and of the wall clock, that count between two looks. */
    private static final double MOST = 2 * LOOK_MILLIS / 1e3;
    private static final double MOST_WALL = 5 * LOOK_MILLIS / 1e3;
    private static final char RETURNED = 'R';
    private static final char THREW = 'X';
    private static final char ENDLESS = 'E';
    private static final char NOT_MADE = '-';
    /** A value of the call could not be made. */
    private static final char UNMADE = 'U';
    private static final char ABSENT = 'A';

    private final ClassPath path;
    private final JvmState state;
    private final CandidateLoader.Edit edit;
    private final String owner;
    private final String name;
    private final List<String> parameters;
    private final int first;
    private final double cpuOfOne;
    private final double cpuOfAll;
    private final int mostStopped;
    private final boolean tellsFacts;
    private final List<Call> calls = new ArrayList<>();

    private final Object lock = new Object();
    private final Done[] results;
    private int next;
    private int turn;
    private boolean ended;
    private boolean exhausted;
    /** The thread that calls, for {@link JvmState#schedule}; empty until it runs. */
    private volatile String caller = "";

    Calls(Request request, ClassPath path, JvmState state) {
        this.path = path;
        this.state = state;
        edit = CandidateLoader.Edit.read(request);
        owner = request.text();
        name = request.text();
        parameters = request.texts();
        first = request.number();
        cpuOfOne = request.real();
        cpuOfAll = request.real();
        mostStopped = request.number();
        tellsFacts = request.flag();
        for (int left = request.number(); left > 0; left--) {
            calls.add(new Call(Recipe.readAll(request), Recipe.readAll(request)));
        }
        results = new Done[calls.size()];
        next = first;
    }

    Reply perform() throws IOException {
        state.prepare(path, true);
        ClassFiles.replace(edit);
        CandidateLoader loader = new CandidateLoader(path, edit);
        SystemLoader.serve(loader);
        double until = JvmState.cpuSeconds() + cpuOfAll;
        String stuck = "";
        for (int stopped = 0; next < calls.size() && stopped < mostStopped && stuck.isEmpty(); stopped++) {
            Thread thread = start(loader);
            if (await(until) || JvmState.cpuSeconds() > until) {
                stopped = mostStopped;
            }
            if (!ended && !JvmState.stop(thread)) {
                stuck = "a call still runs";
            }
        }
        SystemLoader.serve(null);
        String worn = stuck.isEmpty() ? state.restore() : stuck;
        return answer(exhausted ? "memory ran out" : worn);
    }

    private Thread start(ClassLoader loader) {
        ended = false;
        caller = "";
        Thread thread = new Thread(new ThreadGroup("calls"), new Caller(loader, ++turn), "main");
        thread.setContextClassLoader(loader);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Whether the calls came to their end; else the one that did not is marked, and nothing its thread does counts. */
    private boolean await(double until) {
        synchronized (lock) {
            int watched = -1;
            Steps cpu = null;
            Steps wall = null;
            while (!ended) {
                try {
                    lock.wait(LOOK_MILLIS);
                } catch (InterruptedException byCandidate) {
                    // Code under test may interrupt any thread it finds.
                    continue;
                }
                boolean spent = JvmState.cpuSeconds() > until;
                if (next != watched) {
                    watched = next;
                    cpu = new Steps(MOST);
                    wall = new Steps(MOST_WALL);
                }
                boolean endless = late(cpu, wall);
                if (!ended && (endless || spent)) {
                    if (endless) {
                        results[next] = new Done(ENDLESS, 0, "does not end", calls.get(next).told);
                        next++;
                    }
                    turn++;
                    return false;
                }
            }
            return true;
        }
    }

    /** Whether the thread that calls has run, or waited for something else than a processor, for too long. */
    private boolean late(Steps cpu, Steps wall) {
        double[] schedule = caller.isEmpty() ? null : JvmState.schedule(caller);
        double ran = schedule == null ? JvmState.cpuSeconds() : schedule[0];
        double clock = System.nanoTime() / 1e9 - (schedule == null ? 0 : schedule[1]);
        return cpu.look(ran) > cpuOfOne | wall.look(clock) > LATE;
    }

    /** Why the worker is worn out, the next call to make, then of each: what became of it, digest, text, its own text, seconds, facts. */
    private Reply answer(String worn) {
        synchronized (lock) {
            Reply reply = new Reply('B').text(worn).number(next).number(results.length);
            for (Done done : results) {
                Done told = done == null ? new Done(NOT_MADE, 0, "", "") : done;
                reply.number(told.kind).text(String.format("%016x", told.digest)).text(told.text).text(told.call);
                reply.real(told.seconds);
                Facts.writeAll(told.facts, reply);
            }
            return reply;
        }
    }

    private static final class Call {
        final List<Recipe> receiver;
        final List<Recipe> arguments;
        String told = "";

        Call(List<Recipe> receiver, List<Recipe> arguments) {
            this.receiver = receiver;
            this.arguments = arguments;
        }
    }

    static final class Done {
        final char kind;
        final long digest;
        final String text;
        final String call;
        double seconds;
        List<Facts> facts = Collections.emptyList();

        Done(char kind, long digest, String text, String call) {
            this.kind = kind;
            this.digest = digest;
            this.text = text;
            this.call = call;
        }
    }

    /** A call in words, of {@code name} or {@code new Name}. */
    static String told(String unit, Object receiver, Object[] arguments) {
        boolean plain = receiver == null || Portrait.fields(receiver.getClass()).isEmpty();
        return unit + "(" + Notation.list(arguments) + ")" + (plain ? "" : " on " + Notation.of(receiver));
    }

    static Done threw(Throwable thrown, String call) throws IllegalAccessException {
        return new Done(THREW, Portrait.of(thrown), "throws " + Portrait.name(thrown.getClass()), call);
    }

    /** What was thrown is not known. */
    static Done threw() {
        return new Done(THREW, Portrait.text("throws"), "throws an exception", "");
    }

    /** What a call that returned did; of one that threw nobody can rely on what became of objects. */
    static Done after(
            String call, long[] before, Object receiver, Object[] arguments, Object result, String text)
            throws IllegalAccessException {
        long[] now = portraits(receiver, arguments);
        StringBuilder told = new StringBuilder(text);
        long digest = Portrait.mix(RETURNED, Portrait.of(result));
        for (int i = 0; i < now.length; i++) {
            digest = Portrait.mix(digest, now[i]);
            if (now[i] != before[i]) {
                told.append(told.length() == 0 ? "" : "; ").append(i == 0 ? "this" : "argument " + i);
                told.append(" becomes ").append(Notation.of(i == 0 ? receiver : arguments[i - 1]));
            }
        }
        String shown = told.length() == 0 ? "returns" : told.toString();
        return new Done(RETURNED, digest, shown, call);
    }

    /** Of the receiver and each argument. */
    static long[] portraits(Object receiver, Object[] arguments) throws IllegalAccessException {
        long[] all = new long[arguments.length + 1];
        all[0] = Portrait.of(receiver);
        for (int i = 0; i < arguments.length; i++) {
            all[i + 1] = Portrait.of(arguments[i]);
        }
        return all;
    }

    /** The body of the thread that calls. */
    private final class Caller implements Runnable {
        private final ClassLoader loader;
        private final int own;

        Caller(ClassLoader loader, int own) {
            this.loader = loader;
            this.own = own;
        }

        @Override
        public void run() {
            try {
                caller = JvmState.thisThread();
                Executable unit = unit();
                boolean counts = true;
                double waited = JvmState.waitedSeconds();
                while (counts && next < calls.size()) {
                    long start = System.nanoTime();
                    Done done = unit == null ? new Done(ABSENT, 0, "is not there", "") : made(calls.get(next), unit);
                    done.seconds = (System.nanoTime() - start) / 1e9;
                    if (done.seconds > SHORT) {
                        double now = JvmState.waitedSeconds();
                        done.seconds -= now - waited;
                        waited = now;
                    }
                    counts = record(done);
                }
            } finally {
                synchronized (lock) {
                    if (turn == own) {
                        ended = true;
                        lock.notifyAll();
                    }
                }
            }
        }

        /** Whether what this thread did still counts. */
        private boolean record(Done done) {
            synchronized (lock) {
                if (turn == own) {
                    results[next] = done;
                    next++;
                }
                return turn == own;
            }
        }

        private Executable unit() {
            try {
                Class<?> type = Class.forName(owner, false, loader);
                Class<?>[] types = Recipe.types(parameters, loader);
                Executable unit = name.equals("<init>")
                        ? type.getDeclaredConstructor(types) : type.getDeclaredMethod(name, types);
                ((AccessibleObject) unit).setAccessible(true);
                return unit;
            } catch (ReflectiveOperationException | LinkageError gone) {
                return null;
            }
        }

        private Done made(Call call, Executable unit) {
            Object receiver;
            Object[] arguments;
            try {
                receiver = call.receiver.isEmpty() ? null : call.receiver.get(0).make(loader);
                arguments = Recipe.makeAll(call.arguments, loader);
                String simple = "new " + owner.substring(owner.lastIndexOf('.') + 1);
                call.told = told(name.equals("<init>") ? simple : name, receiver, arguments);
            } catch (ThreadDeath stopped) {
                throw stopped;
            } catch (Throwable unmade) {
                return new Done(UNMADE, 0, Texts.describe(unmade), "");
            }
            try {
                return done(call, unit, receiver, arguments);
            } catch (OutOfMemoryError none) {
                exhausted = true;
                return new Done(THREW, Portrait.text("OutOfMemoryError"), "throws OutOfMemoryError", call.told);
            } catch (ThreadDeath stopped) {
                throw stopped;
            } catch (Throwable unreadable) {
                String type = unreadable.getClass().getName();
                return new Done(THREW, Portrait.text(type), "cannot be read: " + type, call.told);
            }
        }

        private Done done(Call call, Executable unit, Object receiver, Object[] arguments) throws Exception {
            long[] before = portraits(receiver, arguments);
            Object result = null;
            Throwable thrown = null;
            try {
                result = unit instanceof Method
                        ? ((Method) unit).invoke(receiver, arguments) : ((Constructor<?>) unit).newInstance(arguments);
            } catch (InvocationTargetException failed) {
                thrown = failed.getCause();
            }
            if (thrown instanceof ThreadDeath) {
                throw (ThreadDeath) thrown;
            }
            exhausted |= thrown instanceof OutOfMemoryError;
            boolean silent = thrown == null && unit instanceof Method && ((Method) unit).getReturnType() == void.class;
            Done done = thrown != null
                    ? threw(thrown, call.told)
                    : after(call.told, before, receiver, arguments, result, silent ? "" : Notation.of(result));
            if (tellsFacts) {
                done.facts = Facts.of(unit, result, thrown, receiver, arguments);
            }
            return done;
        }
    }
}
