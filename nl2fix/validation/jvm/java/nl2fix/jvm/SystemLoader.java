package nl2fix.jvm;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Enumeration;

/**
 * The JVM's system class loader. It also finds what the program under test has, since build tools put both on the class
 * path of their JVM: resources, and classes for whoever calls it, such as a loader whose parent it is. What the JVM
 * itself asks it for, by {@code Class.forName} with this loader, it would remember for the next candidate: that stays
 * unfound, but for what a {@code ServiceLoader} has found the name of, which is broken for good by an answer that there is
 * no such class. Whoever then runs in this JVM would meet that class, so it is told that it was handed out.
 */
public final class SystemLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final String SERVICES = "java.util.ServiceLoader";

    private static volatile CandidateLoader program;
    private static volatile String handedOut = "";

    private final Agents agents;

    /** As {@code java.system.class.loader} wants it; {@code own} has this program. */
    public SystemLoader(ClassLoader own) {
        super(new Agents(own));
        agents = (Agents) getParent();
    }

    /**
     * Called by the JVM, by this name, with the jar of an agent that starts while tests run, as Mockito's does; where
     * a system class loader has no such method none can start.
     */
    void appendToClassPathForInstrumentation(String jar) throws MalformedURLException {
        agents.addURL(new File(jar).toURI().toURL());
    }

    /** Which program runs now, or null. */
    static void serve(CandidateLoader running) {
        program = running;
    }

    /** A class of the program that the JVM remembers from now on; empty where there is none. */
    static String handedOut() {
        return handedOut;
    }

    /** What the JVM calls; loaders whose parent this is call the other one. */
    @Override
    public Class<?> loadClass(String name) throws ClassNotFoundException {
        StackTraceElement[] callers = new Throwable().getStackTrace();
        boolean remembered = callers.length < 2 || callers[1].isNativeMethod();
        return !remembered ? loadClass(name, false) : isService(callers) ? service(name) : agents.loadClass(name);
    }

    /** Behind this method, the native one and {@code Class.forName}. */
    private static boolean isService(StackTraceElement[] callers) {
        for (int i = 2; i < Math.min(callers.length, 6); i++) {
            if (callers[i].getClassName().startsWith(SERVICES)) {
                return true;
            }
        }
        return false;
    }

    private Class<?> service(String name) throws ClassNotFoundException {
        Class<?> found = loadClass(name, false);
        if (found.getClassLoader() instanceof CandidateLoader) {
            handedOut = name;
        }
        return found;
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

    /** This program, and what agents bring, which stays as long as they do: whoever asks must find the same class. */
    private static final class Agents extends URLClassLoader {
        Agents(ClassLoader own) {
            super(new URL[0], own);
        }

        @Override
        protected void addURL(URL jar) {
            super.addURL(jar);
        }
    }
}
