package nl2fix.jvm;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;

/**
 * The JVM's system class loader. It also finds what the program under test has, since build tools put both on the class
 * path of their JVM: resources, and classes for whoever calls it, such as a loader whose parent it is. What the JVM
 * itself asks it for, by {@code Class.forName} with this loader, it would remember for the next candidate: that stays
 * unfound.
 */
public final class SystemLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static volatile CandidateLoader program;

    private final ClassLoader own;

    /** As {@code java.system.class.loader} wants it; {@code own} has this program. */
    public SystemLoader(ClassLoader own) {
        super(own);
        this.own = own;
    }

    /** Which program runs now, or null. */
    static void serve(CandidateLoader running) {
        program = running;
    }

    /** What the JVM calls; loaders whose parent this is call the other one. */
    @Override
    public Class<?> loadClass(String name) throws ClassNotFoundException {
        StackTraceElement[] callers = new Throwable().getStackTrace();
        boolean remembered = callers.length < 2 || callers[1].isNativeMethod();
        return remembered ? own.loadClass(name) : loadClass(name, false);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        CandidateLoader running = program;
        if (running == null) {
            throw new ClassNotFoundException(name);
        }
        return running.loadClass(name);
    }

    @Override
    protected URL findResource(String name) {
        CandidateLoader running = program;
        return running == null ? null : running.findResource(name);
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        CandidateLoader running = program;
        return running == null ? Collections.<URL>emptyEnumeration() : running.findResources(name);
    }
}
