package nl2fix.jvm;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A fresh program: the candidate's classes in front of the workspace's class path, everything defined
 * anew so that no static state survives from another candidate.
 *
 * <p>It behaves as the loader of Ant's junit task does: a child of the JDK's own loader with one flat
 * path behind it. Classes that belonged to the edited file before the edit are never taken from the
 * class folders: an inner class that the candidate removed is gone although its file is still there. Nor are they
 * taken from libraries, one of which may hold the project itself as it was built or released before.
 */
final class CandidateLoader extends PathLoader {
    static {
        registerAsParallelCapable();
    }

    private final ClassPath path;
    private final Edit edit;

    CandidateLoader(ClassPath path, Edit edit) {
        super(path.entries);
        this.path = path;
        this.edit = edit;
    }

    @Override
    Class<?> ownClass(String name, String resource) throws ClassNotFoundException {
        if (Tap.listens() && name.equals(Tap.NAME)) {
            return Tap.class;
        }
        Reached reached = Reached.now();
        if (reached != null && name.equals(Reached.NAME)) {
            return Reached.class;
        }
        Loops loops = Loops.now();
        if (loops != null && name.equals(Loops.NAME)) {
            return Loops.class;
        }
        byte[] edited = edit.classes.get(name);
        if (edited != null) {
            return define(name, path.entries.get(0), loops == null ? edited : LoopProber.probed(edited, loops));
        }
        for (Entry entry : path.holders(resource)) {
            if (!edit.hides(entry, name)) {
                if (reached != null && entry.role != ClassPath.TESTS && entry.archive == null) {
                    return probed(name, entry, resource, reached);
                }
                return path.shared.holds(entry) ? path.shared.loadClass(name) : define(name, entry, resource);
            }
        }
        return null;
    }

    private Class<?> probed(String name, Entry entry, String resource, Reached reached)
            throws ClassNotFoundException {
        try {
            return define(name, entry, Prober.probed(entry.read(resource), reached));
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }

    @Override
    public URL findResource(String name) {
        Enumeration<URL> all = findResources(name);
        return all.hasMoreElements() ? all.nextElement() : null;
    }

    @Override
    public Enumeration<URL> findResources(String name) {
        List<URL> found = new ArrayList<>();
        boolean type = name.endsWith(".class");
        String typeName = type ? name.substring(0, name.length() - 6).replace('/', '.') : "";
        if (edit.classes.containsKey(typeName)) {
            boolean written = !edit.folder.isEmpty();
            found.add(written ? path.entries.get(0).locate(name) : memory(name, edit.classes.get(typeName)));
        }
        for (Entry entry : path.holders(name)) {
            if (!type || !edit.hides(entry, typeName)) {
                found.add(entry.locate(name));
            }
        }
        if (found.isEmpty() && !type) {
            addCreatedLater(name, found);
        }
        return Collections.enumeration(found);
    }

    /** Files that a test put into a class folder after the path was indexed, or "" and "." themselves. */
    private void addCreatedLater(String name, List<URL> found) {
        for (Entry entry : path.entries) {
            if (entry.archive == null && new File(entry.path, name).exists()) {
                found.add(entry.locate(name));
            }
        }
    }

    private static URL memory(String name, final byte[] content) {
        URLStreamHandler handler = new URLStreamHandler() {
            @Override
            protected URLConnection openConnection(URL url) {
                return new URLConnection(url) {
                    @Override
                    public void connect() {
                        connected = true;
                    }

                    @Override
                    public InputStream getInputStream() throws IOException {
                        return new ByteArrayInputStream(content);
                    }
                };
            }
        };
        try {
            return new URL("memory", null, -1, "/" + name, handler);
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A candidate's compiled classes and the names that the unedited file defined. */
    static final class Edit {
        final Map<String, byte[]> classes;
        final List<String> replaced;
        /** Where the classes also lie as files; empty if they are in memory only. */
        final String folder;

        Edit(Map<String, byte[]> classes, List<String> replaced, String folder) {
            this.classes = classes;
            this.replaced = replaced;
            this.folder = folder;
        }

        /** Classes (name, bytes), names the unedited file defined, the folder for class files. */
        static Edit read(Request request) {
            Map<String, byte[]> classes = new HashMap<>();
            for (int left = request.number(); left > 0; left--) {
                classes.put(request.text(), request.bytes());
            }
            return new Edit(classes, request.texts(), request.text());
        }

        boolean hides(Entry entry, String name) {
            return entry.role != ClassPath.TESTS && belongs(name, replaced);
        }

        /** Whether a class is one of the named ones or nested in one of them. */
        static boolean belongs(String name, List<String> owners) {
            for (String owner : owners) {
                if (name.startsWith(owner)
                        && (name.length() == owner.length() || name.charAt(owner.length()) == '$')) {
                    return true;
                }
            }
            return false;
        }
    }
}
