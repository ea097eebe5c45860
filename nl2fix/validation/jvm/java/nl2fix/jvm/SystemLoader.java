package nl2fix.jvm;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;

/**
 * The JVM's system class loader. It also finds what the program under test finds as resources, since build tools put
 * both on the class path of their JVM. Not its classes: the JVM would remember those of one candidate for the next.
 */
public final class SystemLoader extends ClassLoader {
    private static volatile CandidateLoader program;

    /** As {@code java.system.class.loader} wants it; {@code own} has this program. */
    public SystemLoader(ClassLoader own) {
        super(own);
    }

    /** Which program runs now, or null. */
    static void serve(CandidateLoader running) {
        program = running;
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
