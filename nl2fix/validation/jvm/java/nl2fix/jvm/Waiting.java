package nl2fix.jvm;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;

/**
 * What the thread that made this has waited for a processor, for others to read. The file is open all along: code under
 * test may have a security manager that forbids to open it.
 */
final class Waiting implements Closeable {
    /** Null where the kernel does not tell. */
    private final RandomAccessFile schedule = JvmState.open("/proc/thread-self/schedstat");

    /** So far, in seconds; 0 where that cannot be told. */
    double seconds() {
        byte[] line = new byte[128];
        try {
            if (schedule != null) {
                schedule.seek(0);
                double[] told = JvmState.schedule(line, schedule.read(line));
                return told == null ? 0 : told[1];
            }
        } catch (IOException unreadable) {
            // As if nobody told.
        }
        return 0;
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
