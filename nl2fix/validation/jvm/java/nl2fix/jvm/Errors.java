package nl2fix.jvm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticListener;
import javax.tools.JavaFileObject;

/**
 * What javac says of sources that do not compile.
 *
 * <p>It is put into words while javac runs: words may name what no source needed before, which javac
 * reads then, and can read no more once it has ended.
 */
final class Errors implements DiagnosticListener<JavaFileObject> {
    private static final int SHOWN = 3;
    private final List<String> first = new ArrayList<>();
    private final Map<String, String> broken = new LinkedHashMap<>();

    @Override
    public void report(Diagnostic<? extends JavaFileObject> item) {
        if (item.getKind() != Diagnostic.Kind.ERROR) {
            return;
        }
        String source = item.getSource() == null ? null : item.getSource().getName();
        boolean fresh = source != null && !broken.containsKey(source);
        if (!fresh && first.size() == SHOWN) {
            return;
        }
        String words = Texts.cut(item.getMessage(Locale.ENGLISH));
        if (fresh) {
            broken.put(source, item.getLineNumber() + ": " + words);
        }
        if (first.size() < SHOWN) {
            first.add(source == null ? words : source + ":" + item.getLineNumber() + ": " + words);
        }
    }

    /** Each source with an error, and the first one there. */
    Map<String, String> broken() {
        return broken;
    }

    /** The first errors; empty without any. */
    String first() {
        return String.join("\n", first);
    }
}
