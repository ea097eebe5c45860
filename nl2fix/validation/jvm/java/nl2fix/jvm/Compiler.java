package nl2fix.jvm;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/**
 * javac in memory.
 *
 * <p>Classes carry full debug information, as Ant's {@code debug="on"} makes them, because some
 * programs read their own stack traces and byte code.
 */
final class Compiler {
    private final JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    private final MemoryFiles files;
    private static final Map<String, Errors.Fault> NO_FAULTS = Collections.emptyMap();
    private List<Object> warmKey;
    private WarmTasks warmTasks;

    Compiler() {
        if (javac == null) {
            throw new IllegalStateException("this Java has no compiler; install a JDK, not only a JRE");
        }
        files = new MemoryFiles(javac.getStandardFileManager(null, null, null));
    }

    /**
     * Request: source level, options, names hidden on the class path, whether a warm compilation will do, whether
     * classes are wanted of what compiles where not all does, sources (path, text). Reply 'C': whether it compiled,
     * whether warm, messages, each source with an error, the first one there and the places of all, hash, then each
     * class with its name, the source's path, origin and bytes; the origin says which part of the class path has a
     * class of that name already (-1: none); seconds by the clock, without what was waited for a processor.
     */
    Reply compile(Request request, ClassPath path) {
        long begun = System.nanoTime();
        double waited = JvmState.waitedSeconds();
        Reply reply = compiled(request, path);
        return reply.real((System.nanoTime() - begun) / 1e9 - (JvmState.waitedSeconds() - waited));
    }

    private Reply compiled(Request request, ClassPath path) {
        List<String> options = options(request.text(), request.texts());
        List<String> hidden = request.texts();
        boolean warmWillDo = request.flag();
        boolean partly = request.flag() && JvmState.JAVA > 8 && !processes(options);
        List<JavaFileObject> sources = new ArrayList<>();
        for (int left = request.number(); left > 0; left--) {
            sources.add(new MemoryFiles.Source(request.text(), request.text()));
        }
        Map<String, byte[]> classes = new TreeMap<>();
        if (warmWillDo && !processes(options)) {
            Errors errors = new Errors();
            WarmTasks.End end = warm(path, hidden, options, sources, classes, errors);
            if (end != WarmTasks.End.OPEN) {
                boolean compiled = end == WarmTasks.End.COMPILED;
                return reply(path, compiled, compiled, errors.first(), errors.broken(), classes);
            }
        }
        files.begin(path, hidden, classes);
        Attempt attempt = new Attempt(options, sources, partly);
        if (attempt.gaveUp && partly) { // as it may over what is wrong elsewhere
            classes.clear();
            attempt = new Attempt(options, sources, false);
        }
        Map<String, Errors.Fault> broken = attempt.compiled ? NO_FAULTS : attempt.errors.broken();
        if (!attempt.compiled) {
            boolean spared = attempt.sparing != null;
            classes.keySet().removeIf(name -> !spared || broken.containsKey(files.originOf(name)));
        }
        return reply(path, attempt.compiled, false, attempt.messages(), broken, classes);
    }

    /** One run of javac. */
    private final class Attempt {
        final Errors errors = new Errors();
        final Sparing sparing;
        boolean compiled;
        boolean gaveUp;
        private final StringWriter spoken = new StringWriter();
        private String failed = "";

        Attempt(List<String> options, List<JavaFileObject> sources, boolean partly) {
            Sparing watching = null;
            try {
                JavaCompiler.CompilationTask task = javac.getTask(spoken, files, errors, options, null, sources);
                watching = partly ? Sparing.of(task, errors) : null;
                boolean ended = task.call();
                compiled = ended && errors.first().isEmpty();
                gaveUp = !ended && watching != null && watching.countsNone();
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError | AssertionError failure) {
                failed = "the compiler gave up: " + Texts.describe(failure);
                gaveUp = true;
            }
            sparing = watching;
        }

        /** Where its stack does not suffice, javac tells only outside of its messages. */
        String messages() {
            if (compiled || !failed.isEmpty()) {
                return failed;
            }
            return errors.first().isEmpty() ? Texts.cut(spoken.toString().trim()) : errors.first();
        }
    }

    /** Tries a compilation in the pool of one class path and file; one that fails leaves no classes behind. */
    private WarmTasks.End warm(
            ClassPath path,
            List<String> hidden,
            List<String> options,
            List<JavaFileObject> sources,
            Map<String, byte[]> classes,
            Errors errors) {
        List<Object> key = Arrays.<Object>asList(path, hidden, options);
        if (!key.equals(warmKey)) {
            warmKey = key;
            warmTasks = WarmTasks.create(hidden);
        }
        if (warmTasks == null) {
            return WarmTasks.End.OPEN;
        }
        files.begin(path, hidden, classes);
        WarmTasks.End end = warmTasks.compile(files, options, sources, errors);
        if (end != WarmTasks.End.COMPILED) {
            classes.clear();
        }
        return end;
    }

    private Reply reply(
            ClassPath path,
            boolean compiled,
            boolean warm,
            String messages,
            Map<String, Errors.Fault> broken,
            Map<String, byte[]> classes) {
        Reply reply = new Reply('C').flag(compiled).flag(warm).text(messages).number(broken.size());
        for (Map.Entry<String, Errors.Fault> item : broken.entrySet()) {
            List<Integer> places = item.getValue().places;
            reply.text(item.getKey()).text(item.getValue().words).number(places.size());
            for (int place : places) {
                reply.number(place);
            }
        }
        reply.text(compiled ? ClassHash.of(classes) : "");
        reply.number(classes.size());
        for (Map.Entry<String, byte[]> item : classes.entrySet()) {
            String name = item.getKey();
            reply.text(name).text(files.originOf(name)).number(origin(name, path)).bytes(item.getValue());
        }
        return reply;
    }

    private static int origin(String name, ClassPath path) {
        List<Entry> holders = path.holders(name.replace('.', '/') + ".class");
        return holders.isEmpty() ? -1 : holders.get(0).role;
    }

    private static List<String> options(String level, List<String> own) {
        List<String> options = new ArrayList<>();
        if (!processes(own)) {
            options.add("-proc:none");
        }
        options.add("-implicit:none");
        options.add("-g:source,lines,vars");
        options.add("-nowarn");
        options.add("-XDuseUnsharedTable");
        if (!own.contains("--release")) {
            String supported = supported(level);
            options.add("-source");
            options.add(supported);
            if (!own.contains("-target")) {
                options.add("-target");
                options.add(supported);
            }
        }
        options.addAll(own);
        return options;
    }

    /** Whether annotation processors are to run: only those that are named run. */
    private static boolean processes(List<String> options) {
        return options.contains("-processorpath");
    }

    /** The wanted level, raised to the oldest that this compiler still accepts. */
    private static String supported(String level) {
        int wanted = Integer.parseInt(level.startsWith("1.") ? level.substring(2) : level);
        int java = JvmState.JAVA;
        int oldest = java >= 20 ? 8 : java >= 12 ? 7 : java >= 9 ? 6 : 3;
        int used = Math.max(wanted, oldest);
        return used < 9 ? "1." + used : String.valueOf(used);
    }
}
