package nl2fix.jvm;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.Security;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import sun.misc.Unsafe;

/**
 * The state that all classes of a JVM share, as it was before any candidate ran, and the means to put
 * it back. What cannot be put back is reported, and the parent replaces the worker.
 */
final class JvmState {
    /** Feature version of this Java: 8, 11, 17, … */
    static final int JAVA = feature();
    private static final long STOPPING_MILLIS = 200;
    private static final double FULL = 0.6;
    private static final double TICKS = 100;
    private static final File DESCRIPTORS = new File("/dev/fd");
    private static final int SPARE_DESCRIPTORS = 64;
    /** For those to be closed that nobody holds any more. */
    private static final long CLOSING_MILLIS = 500;
    /** Open all along: code under test may have a security manager that forbids to open files. */
    private static final RandomAccessFile SPENT = open("/proc/self/stat");
    /** Of the thread that serves requests and looks after tests; null where the kernel does not tell. */
    private static final RandomAccessFile SERVING = open("/proc/thread-self/schedstat");

    private final File temporary;
    private final boolean ownFiles;
    private final Properties properties;
    private Shared before;

    private JvmState(File temporary, boolean ownFiles) {
        this.temporary = temporary;
        this.ownFiles = ownFiles;
        this.properties = (Properties) System.getProperties().clone();
    }

    /**
     * To be called before anything else of the JDK asks for the folder for temporary files.
     *
     * @param ownFiles whether nobody else writes where this process may
     */
    static JvmState capture(boolean ownFiles) {
        File folder = new File(System.getProperty("java.io.tmpdir"), "nl2fix-" + System.nanoTime());
        if (!folder.mkdirs()) {
            throw new IllegalStateException("cannot create " + folder);
        }
        System.setProperty("java.io.tmpdir", folder.getPath());
        JvmState state = new JvmState(folder, ownFiles);
        silence();
        return state;
    }

    /**
     * CPU time of this process in seconds, at the kernel's resolution of 10 ms; no class has to be loaded. That of the
     * thread that looks after tests is left out: at one that only waited its looks used up the limit.
     */
    static double cpuSeconds() {
        byte[] line = new byte[1024];
        int length = read(SPENT, line);
        if (length < 0) {
            return 0;
        }
        // The name in parentheses may hold spaces; user and system time are the 12th and 13th field after it.
        String text = new String(line, 0, length, StandardCharsets.ISO_8859_1);
        String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
        double all = (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS;
        double[] serving = schedule(line, read(SERVING, line));
        return serving == null ? all : all - serving[0];
    }

    /** The beginning of a file, and how many bytes it has; negative where it cannot be read. */
    private static int read(RandomAccessFile file, byte[] line) {
        try {
            if (file != null) {
                file.seek(0);
                return file.read(line);
            }
        } catch (IOException unreadable) {
            // As if there were none.
        }
        return -1;
    }

    /** What this thread has waited for a processor so far, in seconds; 0 where the kernel does not tell. */
    static double waitedSeconds() {
        double[] schedule = schedule("thread-self");
        return schedule == null ? 0 : schedule[1];
    }

    /** This thread for {@link #schedule}; empty where the kernel does not tell. */
    static String thisThread() {
        try {
            return Files.readSymbolicLink(Paths.get("/proc/thread-self")).toString();
        } catch (IOException | SecurityException unreadable) {
            return "";
        }
    }

    /** Seconds that a thread has run, and waited for a processor; null where the kernel does not tell. */
    static double[] schedule(String thread) {
        byte[] line = new byte[128];
        try (FileInputStream stat = new FileInputStream("/proc/" + thread + "/schedstat")) {
            return schedule(line, stat.read(line));
        } catch (IOException | SecurityException unreadable) {
            return null;
        }
    }

    /** The same, of what was read. */
    static double[] schedule(byte[] line, int length) {
        String text = new String(line, 0, Math.max(0, length), StandardCharsets.ISO_8859_1);
        String[] fields = text.trim().split(" ");
        return fields.length == 3
                ? new double[] {Long.parseLong(fields[0]) / 1e9, Long.parseLong(fields[1]) / 1e9} : null;
    }

    /** Null where there is no such file. */
    static RandomAccessFile open(String path) {
        try {
            return new RandomAccessFile(path, "r");
        } catch (IOException unreadable) {
            return null;
        }
    }

    private static int feature() {
        String version = System.getProperty("java.specification.version");
        return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    }

    private static void silence() {
        System.setOut(new PrintStream(new Nowhere()));
        System.setErr(new PrintStream(new Nowhere()));
        System.setIn(new ByteArrayInputStream(new byte[0]));
    }

    /**
     * Gives the next candidate what a fresh JVM would, with the class path as a property. Taking note of
     * all shared state costs as much as starting the JVM: it is done only if it is to be restored.
     */
    void prepare(ClassPath path, boolean again) {
        if (again && before == null) {
            before = new Shared();
        }
        Properties fresh = (Properties) properties.clone();
        fresh.setProperty("java.class.path", path.text);
        System.setProperties(fresh);
    }

    /** Puts everything back; returns why the worker must be replaced, or an empty text. */
    String restore() {
        try {
            return restored();
        } catch (LinkageError broken) {
            return "a class of this Java is broken: " + broken.getMessage();
        }
    }

    private String restored() {
        boolean isFree = before.dropSecurityManager(); // first: it may forbid all that follows
        String worn = before.threads.end();
        System.setProperties((Properties) properties.clone());
        if (!before.restore() || !isFree) {
            worn = "security settings changed";
        }
        silence();
        String left = discardFiles(temporary) ? before.leftBehind() : "the folder for temporary files cannot be emptied";
        String kept = SystemLoader.handedOut();
        if (!kept.isEmpty()) {
            return "the JVM keeps " + kept;
        }
        return worn.isEmpty() ? left.isEmpty() ? memory() : left : worn;
    }

    /**
     * Ends a thread of code under test, where this Java still can, which spares the next candidate a cold JVM. What the
     * thread was in the middle of may be left broken: nothing passes for good without a fresh JVM anyway. What it does
     * on its way out, which on a busy machine takes long, may set up classes: only the first stop falls into that.
     */
    @SuppressWarnings({"deprecation", "removal"})
    static boolean stop(Thread thread) {
        long patience = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOPPING_MILLIS);
        try {
            boolean settingUp = false;
            while (thread.isAlive() && System.nanoTime() < patience) {
                if (!settingUp) {
                    thread.stop();
                }
                thread.join(5);
                settingUp = setsUpClass(thread);
            }
        } catch (UnsupportedOperationException since20) {
            return false;
        } catch (InterruptedException byCandidate) {
            return false;
        }
        return !thread.isAlive();
    }

    private static boolean setsUpClass(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getMethodName().equals("<clinit>")) {
                return true;
            }
        }
        return false;
    }

    /** Whether no other thread of code under test is there. */
    boolean runsAlone(Thread thread) {
        return before != null && before.threads.isOnly(thread);
    }

    void discardTemporaryFiles() {
        discardFiles(temporary);
        temporary.delete();
    }

    /** Empties a folder; returns whether it is one and empty. */
    private static boolean discardFiles(File folder) {
        File[] children = folder.listFiles();
        if (children == null) {
            return false;
        }
        for (File child : children) {
            if (!child.delete()) {
                discardFiles(child);
                child.delete();
            }
        }
        String[] left = children.length == 0 ? new String[0] : folder.list();
        return left != null && left.length == 0;
    }

    private static String memory() {
        Runtime runtime = Runtime.getRuntime();
        if (used(runtime) > FULL) {
            System.gc();
        }
        return used(runtime) > FULL ? "memory is filling up" : "";
    }

    private static double used(Runtime runtime) {
        return (double) (runtime.totalMemory() - runtime.freeMemory()) / runtime.maxMemory();
    }

    /** Settings, threads and files of the JVM. */
    private final class Shared {
        private final Locale locale = Locale.getDefault();
        private final Locale display = Locale.getDefault(Locale.Category.DISPLAY);
        private final Locale format = Locale.getDefault(Locale.Category.FORMAT);
        private final Object providers = providers();
        private final Leftovers threads = new Leftovers();
        private final Set<String> files = new HashSet<>(Arrays.asList(list(temporary.getParentFile())));
        private final int descriptors = list(DESCRIPTORS).length;

        /** Returns whether everything is as it was. */
        boolean restore() {
            Locale.setDefault(locale);
            Locale.setDefault(Locale.Category.DISPLAY, display);
            Locale.setDefault(Locale.Category.FORMAT, format);
            TimeZone.setDefault(null); // which finds it anew
            Thread.setDefaultUncaughtExceptionHandler(null);
            return providers.equals(providers());
        }

        /** What stays in the process or on disk and cannot be taken back. */
        String leftBehind() {
            if (ownFiles && !files.equals(new HashSet<>(Arrays.asList(list(temporary.getParentFile()))))) {
                return "files left behind";
            }
            int open = list(DESCRIPTORS).length;
            if (isMany(open)) {
                open = collected();
            }
            return open == 0 || isMany(open) ? open + " open files" : "";
        }

        private boolean isMany(int open) {
            return open > descriptors + SPARE_DESCRIPTORS;
        }

        /** How many files are open once those are closed that only classes of the candidate held. */
        private int collected() {
            System.gc();
            long patience = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSING_MILLIS);
            int open = list(DESCRIPTORS).length;
            while (isMany(open) && System.nanoTime() < patience) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                open = list(DESCRIPTORS).length;
            }
            return open;
        }

        /** The list of security providers, another one after each change; making them all takes as long as a JVM. */
        private Object providers() {
            try {
                Field list = Class.forName("sun.security.jca.Providers").getDeclaredField("providerList");
                Field only = Unsafe.class.getDeclaredField("theUnsafe");
                only.setAccessible(true);
                Unsafe unsafe = (Unsafe) only.get(null);
                return unsafe.getObjectVolatile(unsafe.staticFieldBase(list), unsafe.staticFieldOffset(list));
            } catch (ReflectiveOperationException | RuntimeException | LinkageError hidden) {
                return Arrays.asList(Security.getProviders());
            }
        }

        private String[] list(File folder) {
            String[] names = folder.list();
            return names == null ? new String[0] : names;
        }

        @SuppressWarnings({"deprecation", "removal"})
        private boolean dropSecurityManager() {
            if (System.getSecurityManager() == null) {
                return true;
            }
            try {
                System.setSecurityManager(null);
                return true;
            } catch (SecurityException | UnsupportedOperationException refused) {
                return false;
            }
        }
    }

    private static final class Nowhere extends OutputStream {
        @Override
        public void write(int value) {
        }

        @Override
        public void write(byte[] values, int from, int count) {
        }
    }
}
