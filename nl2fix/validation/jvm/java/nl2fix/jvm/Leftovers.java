package nl2fix.jvm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;

/**
 * Threads that candidates leave behind. What a thread says of itself is believed only where it cannot be
 * overridden: threads are told apart by identity, and one of a class with its own state is no idle one. Plain
 * loops: each test JVM comes here, and a first lambda takes it longer than all of this.
 */
final class Leftovers {
    private static final int PARKED_THREADS = 64;
    private static final long PATIENCE_MILLIS = 100;

    private final Set<Thread> before = identities(threads());
    /** Those that only waited when they had been asked to end; as long as they do they are not asked again. */
    private final Set<Thread> parked = identities(Collections.emptyList());
    /** Others that did not end, which nobody waits for a second time: after each candidate it took as long. */
    private final Set<Thread> stubborn = identities(Collections.emptyList());

    /**
     * Asks them to end. Those that only wait for a call that can no longer come are tolerated in small
     * number; running or sleeping ones wear the worker out.
     *
     * @return why the worker is worn out, or an empty text
     */
    String end() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        List<Thread> left = left();
        for (Thread thread : left) {
            if (mayEnd(thread)) {
                thread.interrupt();
            }
        }
        while (anyMayEnd(left) && System.nanoTime() < deadline) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException byCandidate) {
                // The deadline holds all the same.
            }
            left = left();
        }
        if (!ForkJoinPool.commonPool().awaitQuiescence(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
            return "the common pool is busy";
        }
        parked.clear();
        stubborn.clear();
        for (Thread thread : left) {
            (isParked(thread) ? parked : stubborn).add(thread);
        }
        if (!stubborn.isEmpty()) {
            return "thread " + stubborn.iterator().next().getName() + " does not end";
        }
        return left.size() > PARKED_THREADS ? left.size() + " threads left behind" : "";
    }

    /** Whether a thread is the only one that was not there before; workers of the common pool count. */
    boolean isOnly(Thread one) {
        for (Thread thread : threads()) {
            boolean works = thread instanceof ForkJoinWorkerThread || !ofTheJdk(thread);
            if (thread != one && !before.contains(thread) && thread.isAlive() && works) {
                return false;
            }
        }
        return true;
    }

    private boolean anyMayEnd(List<Thread> left) {
        for (Thread thread : left) {
            if (mayEnd(thread)) {
                return true;
            }
        }
        return false;
    }

    private boolean mayEnd(Thread thread) {
        return !(stubborn.contains(thread) || parked.contains(thread) && isParked(thread));
    }

    private List<Thread> left() {
        List<Thread> left = new ArrayList<>();
        for (Thread thread : threads()) {
            if (!before.contains(thread) && thread.isAlive() && !ofTheJdk(thread)) {
                left.add(thread);
            }
        }
        return left;
    }

    private static boolean isParked(Thread thread) {
        try {
            return thread.getClass().getMethod("getState").getDeclaringClass() == Thread.class
                    && thread.getState() == Thread.State.WAITING;
        } catch (ReflectiveOperationException | LinkageError hidden) {
            return false;
        }
    }

    /** Threads that the JDK starts by itself when something is first used; names and groups prove nothing. */
    private static boolean ofTheJdk(Thread thread) {
        Class<?> type = thread.getClass();
        if (type.getClassLoader() != null) {
            return false;
        }
        if (thread instanceof ForkJoinWorkerThread) {
            return ((ForkJoinWorkerThread) thread).getPool() == ForkJoinPool.commonPool();
        }
        return type.getSimpleName().startsWith("InnocuousThread");
    }

    private static Set<Thread> identities(Collection<Thread> threads) {
        Set<Thread> set = Collections.newSetFromMap(new IdentityHashMap<>());
        set.addAll(threads);
        return set;
    }

    private static Collection<Thread> threads() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Thread[] all = new Thread[root.activeCount() + 256];
        int count = root.enumerate(all, true);
        return Arrays.asList(all).subList(0, count);
    }
}
