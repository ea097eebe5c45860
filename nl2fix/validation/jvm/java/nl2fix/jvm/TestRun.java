package nl2fix.jvm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Runs tests on one edit and answers what happened to each.
 *
 * <p>Request: the edit's classes (name, bytes), names the unedited file defined, the folder that class
 * files are also written to (empty: none), test ids whose failures do not count, whether this JVM will be used again, whether to stop at the first failure
 * that counts, whether one ends its class, seconds after which all is over (0: never), then phases (limits in seconds of CPU, of what the parent may add to that when it is asked,
 * and of the clock; items), each item a test class with the methods wanted (none: all) and whether it gets a
 * loader of its own; last, whether to hear calls, how many, and a test's share ({@link Tap}), whether to notice
 * which lines tests reach ({@link Reached}), and whether to look for loops that never end ({@link Loops}). Reply 'R': see {@link #answer}. Before each test a frame 'S' names it, before
 * each class one 'H', so that the parent knows what ran when the JVM dies; 'W' tells seconds that tests may take longer,
 * as they waited for a processor.
 */
final class TestRun {
    private static final int FINISHED = 0;
    private static final int STOPPED = 1;
    private static final int OUT_OF_TIME = 2;
    /** By the wall clock, which a busy machine may be to blame for. */
    private static final int LATE = 3;
    /** Characters of output after which no more is added. */
    private static final int MOST_OUTPUT = 8000;
    /** Of all that fail where lines are noticed, without frames. */
    private static final int MOST_NOTICED = 200000;
    private static final double YEARS_SECONDS = 1e8;
    private static final long LOOK_MILLIS = 50;
    /** For a class that goes on behind the failure that ends it, as on the JUnit platform. */
    private static final long TOLD_MILLIS = 1000;
    private static final long BEAT_MILLIS = 500;
    /** Times a phase's seconds by the clock that are added at most where the tests wait for a processor. */
    private static final double MOST_WAITING = 4;

    static {
        // What tells a failure is set up while no test runs: a thread that is stopped in the middle of it breaks it for
        // good, and failures of all that follow would be lost.
        Throwable none = new Throwable();
        Texts.failure("", Texts.describe(none), Texts.frames(none));
    }

    private final ClassPath path;
    private final Channel channel;
    private final JvmState state;
    private final CandidateLoader.Edit edit;
    private final Set<String> tolerated;
    private final boolean again;
    private final boolean stopAtFailure;
    private final boolean failureEndsClass;
    /** Whether the class whose failure ends the run goes on to its end. */
    private final boolean restOfClass;
    /** When all is over, whatever is left. */
    private final long end;
    private final List<Phase> phases = new ArrayList<>();
    /** Null where calls are not heard. */
    private final Tap.Log log;
    /** Null where lines are not noticed. */
    private final Reached reached;

    private final Object lock = new Object();
    private final Recorder recorder = new Recorder();
    private boolean ended;
    /** What ended the tests other than themselves; null for nothing. */
    private Throwable lost;
    /** Whether tests still run. */
    private boolean stuck;
    /** The loop that never ends; empty where none was found. */
    private String endless = "";
    private int phase;
    private long deadline;
    private double cpuLimit;
    private double cpuSeconds = -1;
    private double more;
    /** What the tests' threads wait for a processor; null until they run. */
    private Waiting waiting;
    /** Seconds that they had waited when last asked; negative before the first look in a phase. */
    private double waited = -1;
    /** Seconds that we slept longer than we meant to since that was last taken off the clock: others had the processors. */
    private double overslept;
    /** Seconds of waiting that may still be taken off the clock. */
    private double spare;
    private long lastBeat = System.nanoTime();

    TestRun(Request request, ClassPath path, Channel channel, JvmState state) {
        this.path = path;
        this.channel = channel;
        this.state = state;
        edit = CandidateLoader.Edit.read(request);
        tolerated = new HashSet<>(request.texts());
        again = request.flag();
        stopAtFailure = request.flag();
        failureEndsClass = request.flag();
        restOfClass = request.flag();
        double enough = request.real();
        end = System.nanoTime() + (long) ((enough > 0 ? enough : YEARS_SECONDS) * 1e9);
        for (int left = request.number(); left > 0; left--) {
            phases.add(new Phase(request));
        }
        log = Tap.listen(request);
        reached = Reached.notice(request);
        Loops.look(request, new Watch());
    }

    Reply perform() throws IOException {
        state.prepare(path, again);
        ClassFiles.replace(edit);
        int status = run();
        if (stuck) {
            return answer(status, "tests still run");
        }
        if (status < OUT_OF_TIME && lost != null) {
            throw new IllegalStateException("results were lost: " + lost.getClass().getName());
        }
        String worn = again ? state.restore() : "used";
        return answer(status, recorder.exhausted ? "memory ran out" : worn);
    }

    /** Apart, so that nothing holds the classes any more when it is looked which files are open. */
    private int run() {
        CandidateLoader loader = new CandidateLoader(path, edit);
        SystemLoader.serve(loader);
        beginPhase(0);
        ThreadGroup group = new ThreadGroup("tests");
        Thread thread = new Thread(group, new Tests(loader), "main");
        thread.setContextClassLoader(loader);
        thread.setDaemon(true);
        Loops.watch(thread);
        thread.start();
        int status = await();
        SystemLoader.serve(null);
        Loops.forget();
        Tap.deafen();
        Reached.forget();
        stuck = status >= OUT_OF_TIME && !(again && JvmState.stop(thread));
        return status;
    }

    private void beginPhase(int number) {
        synchronized (lock) {
            phase = number;
            waited = -1;
            overslept = 0;
            spare = MOST_WAITING * phases.get(number).seconds;
            deadline = System.nanoTime() + (long) (phases.get(number).seconds * 1e9);
            deadline = deadline - end > 0 ? end : deadline;
            more = phases.get(number).moreSeconds;
            cpuLimit = cpuSeconds < 0 ? -1 : cpuSeconds + phases.get(number).cpuSeconds;
        }
    }

    /**
     * Waits for the tests. Their time is up when they have used the phase's CPU time, which a busy machine
     * does not shorten, or when the wall clock says so, which does not count what they wait for a processor. Runs of
     * milliseconds never look at the CPU time; the others count as busy until the first look.
     */
    private int await() {
        synchronized (lock) {
            while (!ended) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                boolean spent = cpuLimit >= 0 && cpuSeconds > cpuLimit;
                if (left > 0 && spent && mayGoOn()) {
                    continue;
                }
                if (left <= 0 && !spent && hasWaited()) {
                    continue;
                }
                if (left <= 0 || spent) {
                    recorder.cutOff();
                    return spent ? OUT_OF_TIME : LATE;
                }
                long asleep = Math.min(left, untilLook());
                long since = System.nanoTime();
                try {
                    lock.wait(asleep);
                } catch (InterruptedException byCandidate) {
                    // Code under test may interrupt any thread it finds.
                    continue;
                }
                overslept += Math.max(0, (System.nanoTime() - since) / 1e9 - (asleep + LOOK_MILLIS) / 1e3);
                if (!ended) {
                    look();
                    beat();
                }
            }
            if (!endless.isEmpty()) {
                return OUT_OF_TIME;
            }
            return recorder.firstFailure == null || !stopAtFailure ? FINISHED : STOPPED;
        }
    }

    /**
     * Adds to the time by the clock what the tests have waited for a processor since that was last added, or what we
     * have, and tells the parent, which waits as much longer.
     */
    private boolean hasWaited() {
        double now = waited < 0 ? waited : waiting.seconds();
        double added = Math.min(Math.max(now - waited, overslept), spare);
        long later = deadline + (long) (added * 1e9);
        later = later - end > 0 ? end : later;
        boolean goesOn = later - deadline > 0;
        if (goesOn) {
            tell(new Reply('W').real(added));
        }
        deadline = later;
        waited = now;
        overslept = 0;
        spare -= added;
        return goesOn;
    }

    /** Asks once in a phase, where there is something to ask for. */
    private boolean mayGoOn() {
        if (more <= 0) {
            return false;
        }
        cpuLimit += more;
        more = 0;
        try {
            return channel.mayGoOn();
        } catch (IOException parentGone) {
            Runtime.getRuntime().halt(1);
            return false;
        }
    }

    /** Tells the parent that this thread lives, whatever the tests do. */
    private void beat() {
        long now = System.nanoTime();
        if (now - lastBeat > TimeUnit.MILLISECONDS.toNanos(BEAT_MILLIS)) {
            lastBeat = now;
            tell(new Reply('H').text(""));
        }
    }

    private void endSoon() {
        long soon = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TOLD_MILLIS);
        deadline = deadline - soon > 0 ? soon : deadline;
        spare = 0;
    }

    private void tell(Reply sign) {
        try {
            channel.tell(sign);
        } catch (IOException parentGone) {
            Runtime.getRuntime().halt(1);
        }
    }

    /** Milliseconds: a thread that is busy all the time is met at its limit, not up to a look later. */
    private long untilLook() {
        long left = cpuLimit < 0 ? LOOK_MILLIS : (long) ((cpuLimit - cpuSeconds) * 1e3) + 1;
        return Math.max(1, Math.min(left, LOOK_MILLIS));
    }

    private void look() {
        cpuSeconds = JvmState.cpuSeconds();
        if (waiting != null && waited < 0) {
            waited = waiting.seconds();
        } else if (waiting != null) {
            waiting.look();
        }
        if (cpuLimit < 0) {
            cpuLimit = cpuSeconds + phases.get(phase).cpuSeconds - LOOK_MILLIS / 1e3;
        }
    }

    /**
     * Status, phase reached, running test or class, first failure (id, message), all failures as a build tells them,
     * why the worker is worn out, the loop that never ends,
     * then the tests (item number, id, outcome letter, seconds), the seconds of each item, the calls that were heard and the lines that were reached.
     */
    private Reply answer(int status, String worn) {
        synchronized (lock) {
            Reply reply = new Reply('R').number(status).number(phase).text(recorder.running);
            reply.text(recorder.firstFailure == null ? "" : recorder.firstFailure).text(recorder.message);
            reply.text(recorder.output.toString()).text(worn).text(endless).number(recorder.results.size());
            for (Result result : recorder.results) {
                reply.number(result.item).text(result.id).number(result.outcome).real(result.seconds);
            }
            reply.number(recorder.seconds.size());
            for (double seconds : recorder.seconds) {
                reply.real(seconds);
            }
            if (log != null) {
                log.write(reply, status < OUT_OF_TIME);
            }
            if (reached != null) {
                reached.write(reply);
            }
            return reply;
        }
    }

    /** A measurement, which no failure ends, leaves out what the test thread waits for a processor. */
    private double waited() {
        return stopAtFailure ? 0 : JvmState.waitedSeconds();
    }

    private static final class Phase {
        final double cpuSeconds;
        final double moreSeconds;
        final double seconds;
        final List<Item> items = new ArrayList<>();

        Phase(Request request) {
            cpuSeconds = request.real();
            moreSeconds = request.real();
            seconds = request.real();
            for (int left = request.number(); left > 0; left--) {
                items.add(new Item(request.text(), new HashSet<>(request.texts()), request.flag()));
            }
        }
    }

    private static final class Item {
        final String type;
        final Set<String> methods;
        final boolean isolated;

        Item(String type, Set<String> methods, boolean isolated) {
            this.type = type;
            this.methods = methods;
            this.isolated = isolated;
        }
    }

    private static final class Result {
        final int item;
        final String id;
        final long began = System.nanoTime();
        /** Seconds that its thread had waited for a processor when it began. */
        final double waited;
        char outcome = 'P';
        /** Negative where it did not end. */
        double seconds = -1;

        Result(int item, String id, double waited) {
            this.item = item;
            this.id = id;
            this.waited = waited;
        }
    }

    /** The body of the test thread. */
    private final class Tests implements Runnable {
        private final CandidateLoader loader;
        /** Of all items without a loader of their own; made for the first of them. */
        private Adapters shared;

        Tests(CandidateLoader loader) {
            this.loader = loader;
        }

        @Override
        public void run() {
            try (Waiting own = new Waiting()) {
                synchronized (lock) {
                    waiting = own;
                }
                for (int i = 0; i < phases.size() && !recorder.ended(); i++) {
                    beginPhase(i);
                    runAll(phases.get(i));
                }
            } catch (Throwable broken) { // by none of the tests: what they do is caught
                lost = broken;
            } finally {
                synchronized (lock) {
                    ended = true;
                    lock.notifyAll();
                }
            }
        }

        private void runAll(Phase current) {
            for (Item item : current.items) {
                if (recorder.ended()) {
                    return;
                }
                long start = System.nanoTime();
                double waited = waited();
                recorder.beginItem(item);
                if (item.isolated) {
                    runIsolated(item);
                } else {
                    shared = shared == null ? new Adapters(loader) : shared;
                    run(item, shared, loader);
                }
                recorder.endItem((System.nanoTime() - start) / 1e9 - (waited() - waited));
            }
        }

        private void runIsolated(Item item) {
            CandidateLoader own = new CandidateLoader(path, edit);
            with(own);
            run(item, new Adapters(own), own);
            with(loader);
        }

        private void with(CandidateLoader serving) {
            Thread.currentThread().setContextClassLoader(serving);
            SystemLoader.serve(serving);
        }

        private void run(Item item, Adapters adapters, ClassLoader from) {
            try {
                adapters.run(Class.forName(item.type, false, from), item.methods, recorder);
            } catch (Throwable broken) {
                recorder.broke(item.type, broken);
            }
        }
    }

    /** What is found of the test thread's loops, in that thread. */
    private final class Watch implements Loops.Ear {
        @Override
        public boolean runsAlone() {
            return state.runsAlone(Thread.currentThread());
        }

        @Override
        public void neverEnds(String where) {
            synchronized (lock) {
                if (!recorder.over) {
                    endless = where;
                    recorder.cutOff();
                }
            }
        }
    }

    /** Collects what adapters report, from whatever thread. */
    private final class Recorder implements Events {
        final List<Result> results = new ArrayList<>();
        final List<Double> seconds = new ArrayList<>();
        String running = "";
        String firstFailure;
        String message = "";
        final StringBuilder output = new StringBuilder();
        boolean exhausted;
        /** Whether the item that runs need not go on. */
        boolean told;
        /** Time is up; what happens from now on is no result. */
        boolean over;
        private final Map<String, Result> open = new HashMap<>();

        /** Until a test of it begins, it is the class that runs: its set-up may take all time. */
        void beginItem(Item item) {
            synchronized (lock) {
                if (!over) {
                    running = item.type;
                    tell(new Reply('H').text(running));
                }
            }
        }

        @Override
        public void started(String id) {
            synchronized (lock) {
                if (over) {
                    return;
                }
                Result result = new Result(seconds.size(), id, waited());
                results.add(result);
                open.put(id, result);
                running = id;
                if (log != null) {
                    log.begin(id);
                }
                tell(new Reply('S').text(id)); // under the lock: a thread that is stopped leaves no half-sent frame behind
            }
        }

        @Override
        public void called(String id, String name) {
            if (reached != null) {
                reached.called(id, name);
            }
        }

        @Override
        public void failed(String id, Throwable cause) {
            synchronized (lock) {
                exhausted |= cause instanceof OutOfMemoryError;
                if (over) {
                    return; // its thread is being stopped, and may be in the middle of anything
                }
            }
            String text = Texts.describe(cause);
            String causes = Texts.causes(cause);
            String frames = Texts.frames(cause);
            synchronized (lock) {
                if (over) {
                    return;
                }
                if (reached != null) {
                    reached.fails(id, cause);
                }
                Result result = open.get(id);
                if (result == null) {
                    result = new Result(seconds.size(), id, 0);
                    results.add(result);
                    result.outcome = 'C';
                    end(id, result.outcome);
                } else {
                    result.outcome = 'F';
                }
                if (tolerated.contains(id)) {
                    return;
                }
                if (failureEndsClass && !told) {
                    told = true;
                    endSoon();
                }
                if (firstFailure == null) {
                    firstFailure = id;
                    message = text;
                }
                if (output.length() < (reached == null ? MOST_OUTPUT : MOST_NOTICED)) {
                    output.append(Texts.failure(id, text + causes, reached == null ? frames : ""));
                }
            }
        }

        /** What runs a class gave up: JUnit 5 does where a test finds no memory, which then has no end. */
        void broke(String type, Throwable cause) {
            String last;
            synchronized (lock) {
                last = open.containsKey(running) ? running : type;
            }
            if (!last.equals(type)) {
                failed(last, cause);
                finished(last);
            }
            failed(type, cause); // others of it may not have run
        }

        @Override
        public void skipped(String id) {
            synchronized (lock) {
                Result result = open.get(id);
                if (result != null) {
                    result.outcome = 'S';
                }
            }
        }

        @Override
        public void finished(String id) {
            synchronized (lock) {
                Result result = open.remove(id);
                if (result != null && !over) {
                    double spent = (System.nanoTime() - result.began) / 1e9;
                    result.seconds = Math.max(0, spent - Math.max(0, waited() - result.waited));
                    end(id, result.outcome);
                }
            }
        }

        /** Time is up; what the running test reached tells where it hangs, if it does. */
        void cutOff() {
            over = true;
            if (open.containsKey(running)) {
                end(running, 'F');
            }
        }

        private void end(String id, char outcome) {
            if (reached != null) {
                reached.end(seconds.size(), id, outcome);
            }
        }

        @Override
        public boolean stopping() {
            synchronized (lock) {
                return over || told || !restOfClass && ended();
            }
        }

        /** Whether no further class should be started. */
        boolean ended() {
            synchronized (lock) {
                return over || stopAtFailure && firstFailure != null;
            }
        }

        void endItem(double spent) {
            synchronized (lock) {
                if (!over) {
                    seconds.add(spent);
                    open.clear();
                    told = false;
                }
            }
        }
    }
}
