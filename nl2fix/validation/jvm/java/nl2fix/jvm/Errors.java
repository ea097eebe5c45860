package nl2fix.jvm;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
    private final Map<String, Fault> broken = new LinkedHashMap<>();
    private final Set<String> heard = new HashSet<>();

    /** The first error of a source, and where each is: offsets, -1 where javac names none. */
    static final class Fault {
        final String words;
        final List<Integer> places = new ArrayList<>();

        Fault(String words) {
            this.words = words;
        }
    }

    @Override
    public void report(Diagnostic<? extends JavaFileObject> item) {
        if (item.getKind() != Diagnostic.Kind.ERROR) {
            return;
        }
        String source = item.getSource() == null ? null : item.getSource().getName();
        boolean fresh = source != null && !broken.containsKey(source);
        if (!fresh && heard.contains(source)) {
            return;
        }
        if (fresh || first.size() < SHOWN) {
            tell(source, fresh, item.getLineNumber() + ": ", Texts.cut(item.getMessage(Locale.ENGLISH)));
        }
        if (source != null) {
            broken.get(source).places.add((int) item.getPosition());
        }
    }

    private void tell(String source, boolean fresh, String line, String words) {
        if (fresh) {
            broken.put(source, new Fault(line + words));
        }
        if (first.size() < SHOWN) {
            first.add(source == null ? words : source + ":" + line + words);
        }
    }

    /** Of a source in which something is wrong no more is to be told. */
    void heard(String source) {
        heard.add(source);
    }

    /** More of it is. */
    void hear(String source) {
        heard.remove(source);
    }

    /** What is wrong in each source with an error. */
    Map<String, Fault> broken() {
        return broken;
    }

    /** The first errors; empty without any. */
    String first() {
        return String.join("\n", first);
    }
}
