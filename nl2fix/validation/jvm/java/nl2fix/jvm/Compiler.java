package nl2fix.jvm;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
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
    private static final int ERRORS_SHOWN = 3;
    private final JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    private final MemoryFiles files;

    Compiler() {
        if (javac == null) {
            throw new IllegalStateException("this Java has no compiler; install a JDK, not only a JRE");
        }
        files = new MemoryFiles(javac.getStandardFileManager(null, null, null));
    }

    /**
     * Request: source level, options, names hidden on the class path, sources (path, text). Reply 'C':
     * whether it compiled, messages, hash, then each class with its name, origin and bytes; the origin
     * says which part of the class path has a class of that name already (-1: none).
     */
    Reply compile(Request request, ClassPath path) {
        List<String> options = options(request.text(), request.texts());
        List<String> hidden = request.texts();
        List<JavaFileObject> sources = new ArrayList<>();
        for (int left = request.number(); left > 0; left--) {
            sources.add(new MemoryFiles.Source(request.text(), request.text()));
        }
        Map<String, MemoryFiles.Output> outputs = new LinkedHashMap<>();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        StringWriter spoken = new StringWriter();
        String crash = null;
        boolean compiled = false;
        files.begin(path, hidden, outputs);
        try {
            compiled = javac.getTask(spoken, files, diagnostics, options, null, sources).call();
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError | AssertionError failure) {
            crash = "the compiler gave up: " + Texts.describe(failure);
        }
        Map<String, byte[]> classes = new TreeMap<>();
        for (Map.Entry<String, MemoryFiles.Output> output : outputs.entrySet()) {
            classes.put(output.getKey(), output.getValue().content());
        }
        String messages = crash == null ? messages(diagnostics) : crash;
        if (!compiled && messages.isEmpty()) {
            // Where its stack does not suffice, javac says so outside of its diagnostics.
            messages = Texts.cut(spoken.toString().trim());
        }
        return reply(request, path, compiled, messages, classes);
    }

    private static Reply reply(
            Request request, ClassPath path, boolean compiled, String messages, Map<String, byte[]> classes) {
        Reply reply = request.reply('C').flag(compiled).text(messages);
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
        options.add("-proc:none");
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

    /** The wanted level, raised to the oldest that this compiler still accepts. */
    private static String supported(String level) {
        int wanted = Integer.parseInt(level.startsWith("1.") ? level.substring(2) : level);
        int java = JvmState.JAVA;
        int oldest = java >= 20 ? 8 : java >= 12 ? 7 : java >= 9 ? 6 : 3;
        int used = Math.max(wanted, oldest);
        return used < 9 ? "1." + used : String.valueOf(used);
    }

    private static String messages(DiagnosticCollector<JavaFileObject> diagnostics) {
        StringBuilder text = new StringBuilder();
        int shown = 0;
        for (Diagnostic<? extends JavaFileObject> item : diagnostics.getDiagnostics()) {
            if (item.getKind() == Diagnostic.Kind.ERROR && shown < ERRORS_SHOWN) {
                shown++;
                JavaFileObject source = item.getSource();
                String where = source == null ? "" : source.getName() + ":" + item.getLineNumber() + ": ";
                text.append(text.length() == 0 ? "" : "\n").append(where);
                text.append(Texts.cut(item.getMessage(Locale.ENGLISH)));
            }
        }
        return text.toString();
    }
}
