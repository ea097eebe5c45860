package nl2fix.jvm;

import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import java.lang.reflect.Field;
import java.util.Set;
import javax.tools.JavaCompiler;

/**
 * Has javac make the classes of sources in which nothing is wrong, though something is in others.
 *
 * <p>Once it has counted an error it makes no further class. The count is set back before each class, but for
 * those of sources with an error, and of those that use what is wrong, which javac then leaves as they are. Not
 * for JDK 8, whose javac is loaded apart.
 */
final class Sparing implements TaskListener {
    private static final String UTIL = "com.sun.tools.javac.util.";
    private final Errors errors;
    private final Object log;
    private final Field count;
    private final Unsure unsure = new Unsure();

    private Sparing(JavacTask task, Errors errors) throws ReflectiveOperationException {
        this.errors = errors;
        Object context = Class.forName("com.sun.tools.javac.api.BasicJavacTask").getMethod("getContext").invoke(task);
        Class<?> type = Class.forName(UTIL + "Log");
        log = type.getMethod("instance", Class.forName(UTIL + "Context")).invoke(null, context);
        count = type.getField("nerrors");
    }

    /** What watches over a compilation that has not begun. */
    static Sparing of(JavaCompiler.CompilationTask task, Errors errors) {
        try {
            Sparing sparing = new Sparing((JavacTask) task, errors);
            ((JavacTask) task).addTaskListener(sparing);
            return sparing;
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Whether javac counts no error at the end: where it fails then, it does for a fault of its own. */
    boolean countsNone() {
        try {
            return count.getInt(log) == 0;
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void started(TaskEvent event) {
        if (event.getKind() == TaskEvent.Kind.ANALYZE) {
            String source = event.getSourceFile().getName();
            errors.hear(source);
            count(errors.broken().containsKey(source) ? 1 : 0);
        }
    }

    /** What is told of a source later, because a class below one of its is made, follows from what is wrong there. */
    @Override
    public void finished(TaskEvent event) {
        if (event.getKind() == TaskEvent.Kind.ANALYZE) {
            errors.heard(event.getSourceFile().getName());
            Set<String> broken = errors.broken().keySet();
            if (!broken.isEmpty()
                    && countsNone()
                    && unsure.is(event.getCompilationUnit(), event.getTypeElement(), broken)) {
                count(1);
            }
        }
    }

    private void count(int number) {
        try {
            count.setInt(log, number);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
