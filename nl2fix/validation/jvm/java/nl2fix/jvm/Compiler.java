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
     * Request: source level, options, names hidden on the class path, whether a warm compilation will
     * do, sources (path, text). Reply 'C': whether it compiled, whether warm, messages, each source with an error, the
     * first one there and the places of all, hash, then each class with its name, origin and bytes; the origin says which
     * part of the class path has a class of that name already (-1: none).
     */
    Reply compile(Request request, ClassPath path) {
        List<String> options = options(request.text(), request.texts());
        List<String> hidden = request.texts();
        boolean warmWillDo = request.flag();
        List<JavaFileObject> sources = new ArrayList<>();
        for (int left = request.number(); left > 0; left--) {
            sources.add(new MemoryFiles.Source(request.text(), request.text()));
        }
        Map<String, byte[]> classes = new TreeMap<>();
        if (warmWillDo && !processes(options) && warm(path, hidden, options, sources, classes)) {
            return reply(path, true, true, "", NO_FAULTS, classes);
        }
        Errors errors = new Errors();
        StringWriter spoken = new StringWriter();
        String messages = "";
        boolean compiled = false;
        files.begin(path, hidden, classes);
        try {
            compiled = javac.getTask(spoken, files, errors, options, null, sources).call();
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError | AssertionError failure) {
            messages = "the compiler gave up: " + Texts.describe(failure);
        }
        if (!compiled && messages.isEmpty()) { // where its stack does not suffice, javac tells only outside of them
            messages = errors.first().isEmpty() ? Texts.cut(spoken.toString().trim()) : errors.first();
        }
        return reply(path, compiled, false, messages, compiled ? NO_FAULTS : errors.broken(), classes);
    }

    /** Tries a compilation in the pool of one class path and file; false leaves no classes behind. */
    private boolean warm(
            ClassPath path,
            List<String> hidden,
            List<String> options,
            List<JavaFileObject> sources,
            Map<String, byte[]> classes) {
        List<Object> key = Arrays.<Object>asList(path, hidden, options);
        if (!key.equals(warmKey)) {
            warmKey = key;
            warmTasks = WarmTasks.create(hidden);
        }
        if (warmTasks == null) {
            return false;
        }
        files.begin(path, hidden, classes);
        if (warmTasks.compile(files, options, sources)) {
            return true;
        }
        classes.clear();
        return false;
    }

    private static Reply reply(
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
        reply.number(compiled ? classes.size() : 0);
        if (compiled) {
            for (Map.Entry<String, byte[]> item : classes.entrySet()) {
                reply.text(item.getKey()).number(origin(item.getKey(), path)).bytes(item.getValue());
            }
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
