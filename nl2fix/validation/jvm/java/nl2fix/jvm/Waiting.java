package nl2fix.jvm;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What the threads of this JVM have waited for a processor, one of which made this. That one's file is open all along:
 * code under test may have a security manager that forbids to open files, and then it alone is told of.
 */
final class Waiting implements Closeable {
    private static final File THREADS = new File("/proc/self/task");

    /** Null where the kernel does not tell. */
    private final RandomAccessFile schedule = JvmState.open("/proc/thread-self/schedstat");
    private final String own = new File(JvmState.thisThread()).getName();
    /** Seconds of each thread when last asked. */
    private final Map<String, Double> seen = new HashMap<>();
    private double total;
    /** When threads are looked at again. */
    private long due = System.nanoTime();

    /** Takes note of those that may soon be gone, for a fiftieth of a processor at most. */
    void look() {
        if (System.nanoTime() - due >= 0) {
            seconds();
            due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(seen.size());
        }
    }

    /** So far, in seconds, of those that lived when this was called; 0 where that cannot be told. */
    @SuppressWarnings({"deprecation", "removal"})
    double seconds() {
        if (System.getSecurityManager() == null) {
            for (String thread : threads()) {
                add(thread, JvmState.schedule("self/task/" + thread));
            }
        }
        add(own, ownSchedule());
        return total;
    }

    private void add(String thread, double[] schedule) {
        if (schedule != null) {
            Double before = seen.put(thread, schedule[1]);
            total += Math.max(0, schedule[1] - (before == null ? 0 : before));
        }
    }

    private static String[] threads() {
        try {
            String[] names = THREADS.list();
            return names == null ? new String[0] : names;
        } catch (SecurityException byCandidate) {
            return new String[0];
        }
    }

    private double[] ownSchedule() {
        byte[] line = new byte[128];
        try {
            if (schedule != null) {
                schedule.seek(0);
                return JvmState.schedule(line, schedule.read(line));
            }
        } catch (IOException unreadable) {
            // As if nobody told.
        }
        return null;
    }

    @Override
    public void close() {
        try {
            if (schedule != null) {
                schedule.close();
            }
        } catch (IOException gone) {
            // As good.
        }
    }
}
