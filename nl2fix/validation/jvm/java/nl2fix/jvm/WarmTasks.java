package nl2fix.jvm;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.tools.javac.util.Context;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.DiagnosticListener;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;

/**
 * Compilations that share what javac has learned of the class path: about five times cheaper than
 * separate ones. Uses the pool behind jshell, which JDK 8 does not have.
 *
 * <p>What may differ from a separate compilation is kept out: one pool serves one class path and one
 * edited file, and sources that declare other top-level classes than that file did are refused, since
 * such a class would stay visible to the next candidate, and classes that name edited ones are
 * read anew. Callers repeat in a separate compilation what
 * failed here, and what is to become plausible. What cannot even be parsed they need not repeat: the parser asks
 * nothing of what is shared, and javac goes no further then.
 */
final class WarmTasks {
    /** How a compilation ended. */
    enum End {
        COMPILED,
        /** The parser has refused it. */
        UNPARSED,
        /** It failed later, was refused, or the compiler gave up. */
        OPEN
    }

    private final Object pool;
    private final Method getTask;
    private final Class<?> worker;
    private final Rereading rereading;
    /** Simple names of top-level classes that a source may declare. */
    private final Set<String> topLevel = new HashSet<>();

    private WarmTasks(Class<?> type, List<String> edited) throws ReflectiveOperationException {
        pool = type.getConstructor(int.class).newInstance(1);
        worker = Class.forName(type.getName() + "$Worker");
        Method found = null;
        for (Method method : type.getMethods()) {
            if (method.getName().equals("getTask")) {
                found = method;
            }
        }
        getTask = found;
        rereading = new Rereading(edited);
        for (String name : edited) {
            topLevel.add(name.substring(name.lastIndexOf('.') + 1));
        }
    }

    /** For edits of these classes (binary names); null where this Java has no pool. */
    static WarmTasks create(List<String> edited) {
        try {
            return new WarmTasks(Class.forName("com.sun.tools.javac.api.JavacTaskPool"), edited);
        } catch (ReflectiveOperationException | LinkageError absent) {
            return null;
        }
    }

    /** What the parser refuses is told to {@code errors}, nothing else. */
    End compile(JavaFileManager files, List<String> options, List<JavaFileObject> sources, final Errors errors) {
        final DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        InvocationHandler handler = new InvocationHandler() {
            @Override
            public Object invoke(Object proxy, Method method, Object[] arguments) throws IOException {
                JavacTask task = (JavacTask) arguments[0];
                Context shared = Rereading.sharedBy(task);
                End end = perform(task, diagnostics, errors);
                rereading.prepare(shared);
                return end;
            }
        };
        Object body = Proxy.newProxyInstance(WarmTasks.class.getClassLoader(), new Class<?>[] {worker}, handler);
        try {
            return (End) getTask.invoke(
                    pool, new StringWriter(), files, (DiagnosticListener<?>) diagnostics, options, null, sources, body);
        } catch (InvocationTargetException gaveUp) {
            return End.OPEN;
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private End perform(JavacTask task, DiagnosticCollector<JavaFileObject> diagnostics, Errors errors)
            throws IOException {
        Iterable<? extends CompilationUnitTree> units = task.parse();
        if (failed(diagnostics)) {
            for (Diagnostic<? extends JavaFileObject> item : diagnostics.getDiagnostics()) {
                errors.report(item);
            }
            return End.UNPARSED;
        }
        for (CompilationUnitTree unit : units) {
            for (Tree type : unit.getTypeDecls()) {
                if (!(type instanceof ClassTree) || !topLevel.contains(((ClassTree) type).getSimpleName().toString())) {
                    return End.OPEN;
                }
            }
        }
        task.analyze();
        if (failed(diagnostics)) {
            return End.OPEN;
        }
        task.generate();
        return failed(diagnostics) ? End.OPEN : End.COMPILED;
    }

    private static boolean failed(DiagnosticCollector<JavaFileObject> diagnostics) {
        for (Diagnostic<?> item : diagnostics.getDiagnostics()) {
            if (item.getKind() == Diagnostic.Kind.ERROR) {
                return true;
            }
        }
        return false;
    }
}
