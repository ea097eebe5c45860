package nl2fix.jvm;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** One folder or archive of a class path, with the class bytes read so far. */
final class Entry {
    private static final String VERSIONS = "META-INF/versions/";
    final String path;
    final int role;
    final URL url;
    final JarFile archive;
    private Manifest manifest;
    /** Resource name → name inside the archive, which differs in multi-release archives. */
    private final Map<String, String> stored = new HashMap<>();
    private final Map<String, byte[]> bytes = new ConcurrentHashMap<>();

    private Entry(File file, int role, JarFile archive) throws IOException {
        this.path = file.getPath();
        this.role = role;
        this.url = file.toURI().toURL();
        this.archive = archive;
    }

    static Entry folder(File folder, int role) throws IOException {
        Entry entry = new Entry(folder, role, null);
        entry.walk(folder, "");
        return entry;
    }

    static Entry archive(File file, int role) throws IOException {
        Entry entry = new Entry(file, role, opened(file));
        entry.list();
        return entry;
    }

    private static JarFile opened(File file) throws IOException {
        try {
            return new JarFile(file, false);
        } catch (IOException damaged) {
            throw new IOException("cannot read " + file + ": " + damaged.getMessage(), damaged);
        }
    }

    private void walk(File folder, String prefix) throws IOException {
        File[] children = folder.listFiles();
        if (children == null) {
            // Not an empty folder: descriptors may have run out.
            throw new IOException("cannot list " + folder);
        }
        for (File child : children) {
            String name = prefix + child.getName();
            // A class file needs no stat to be told from a folder, and most files are classes.
            if (name.endsWith(".class") || !child.isDirectory()) {
                stored.put(name, name);
            } else {
                stored.put(name + "/", name);
                walk(child, name + "/");
            }
        }
    }

    /** Read when first asked for: most archives of a long class path give no class. Null where there is none. */
    synchronized Manifest manifest() throws IOException {
        if (manifest == null && archive != null) {
            manifest = archive.getManifest();
        }
        return manifest;
    }

    private boolean isVersioned() throws IOException {
        return JvmState.JAVA > 8 && manifest() != null
                && "true".equalsIgnoreCase(manifest().getMainAttributes().getValue("Multi-Release"));
    }

    private void list() throws IOException {
        boolean versioned = isVersioned();
        Map<String, Integer> chosen = new HashMap<>();
        for (Enumeration<JarEntry> all = archive.entries(); all.hasMoreElements();) {
            String name = all.nextElement().getName();
            stored.putIfAbsent(name, name);
            if (versioned && name.startsWith(VERSIONS)) {
                int slash = name.indexOf('/', VERSIONS.length());
                if (slash > 0 && slash + 1 < name.length()) {
                    choose(chosen, name, slash);
                }
            }
        }
    }

    private void choose(Map<String, Integer> chosen, String name, int slash) {
        String plain = name.substring(slash + 1);
        int version;
        try {
            version = Integer.parseInt(name.substring(VERSIONS.length(), slash));
        } catch (NumberFormatException other) {
            return;
        }
        Integer before = chosen.get(plain);
        if (version <= JvmState.JAVA && (before == null || before < version)) {
            chosen.put(plain, version);
            stored.put(plain, name);
        }
    }

    Set<String> names() {
        return stored.keySet();
    }

    URL locate(String resource) {
        try {
            if (archive == null) {
                return new File(path, resource).toURI().toURL();
            }
            return new URL("jar:" + url + "!/" + resource);
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    byte[] read(String resource) throws IOException {
        byte[] known = bytes.get(resource);
        if (known == null) {
            known = load(stored.get(resource));
            bytes.put(resource, known);
        }
        return known;
    }

    private byte[] load(String name) throws IOException {
        if (archive == null) {
            File file = new File(path, name);
            return copy(new FileInputStream(file), file.length());
        }
        JarEntry item = archive.getJarEntry(name);
        return copy(archive.getInputStream(item), item.getSize());
    }

    private static byte[] copy(InputStream source, long size) throws IOException {
        ByteArrayOutputStream copy = new ByteArrayOutputStream((int) Math.max(size, 32));
        try (InputStream stream = source) {
            byte[] buffer = new byte[8192];
            for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
                copy.write(buffer, 0, n);
            }
        }
        return copy.toByteArray();
    }
}
