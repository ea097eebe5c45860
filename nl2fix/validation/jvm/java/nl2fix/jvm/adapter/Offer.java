package nl2fix.jvm.adapter;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import nl2fix.jvm.Events;

/**
 * The tests' loader with one of Jupiter's extensions more, which Jupiter looks for in its thread's loader where an
 * engine begins, and only there.
 */
final class Offer extends ClassLoader {
    private static final String SERVICES = "META-INF/services/org.junit.jupiter.api.extension.Extension";
    private static final String EXTENSION = JupiterStop.class.getName();
    private final Events events;
    /** Whether the project wants its own to be found as well. */
    private final boolean others;
    private final ClassLoader tests = Thread.currentThread().getContextClassLoader();

    Offer(Events events, boolean others) {
        super(JupiterStop.class.getClassLoader());
        this.events = events;
        this.others = others;
    }

    void make() {
        JupiterStop.offer(events);
        Thread.currentThread().setContextClassLoader(this);
    }

    void withdraw() {
        JupiterStop.offer(null);
        Thread here = Thread.currentThread();
        if (here.getContextClassLoader() == this) {
            here.setContextClassLoader(tests);
        }
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        if (!name.equals(SERVICES)) {
            return super.getResources(name);
        }
        List<URL> found = new ArrayList<>();
        found.add(new URL(null, "nl2fix:" + EXTENSION, new Text(EXTENSION)));
        if (others) {
            found.addAll(Collections.list(super.getResources(name)));
        }
        return Collections.enumeration(found);
    }

    /** Of any address. */
    private static final class Text extends URLStreamHandler {
        private final String content;

        Text(String content) {
            this.content = content;
        }

        @Override
        protected URLConnection openConnection(URL address) {
            return new URLConnection(address) {
                @Override
                public void connect() {
                    // Nothing to connect to.
                }

                @Override
                public InputStream getInputStream() {
                    return new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8));
                }
            };
        }
    }
}
