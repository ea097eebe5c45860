package nl2fix.jvm;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The flat class path of one workspace: project classes, then test classes, then libraries, indexed by
 * resource name. Opened archives and class bytes are kept between candidates and workspaces.
 */
final class ClassPath {
    /** What an entry holds; decides what the compiler sees and whose classes a candidate may redefine. */
    static final int PROJECT = 0;
    static final int TESTS = 1;
    static final int LIBRARY = 2;

    private static final String[] SHAREABLE = {
        "junit/", "org/junit/", "org/hamcrest/", "org/opentest4j/", "org/apiguardian/"
    };
    private static final Map<String, Entry> ARCHIVES = new HashMap<>();
    private static final Map<List<String>, SharedLoader> SHARED = new HashMap<>();

    final List<Entry> entries = new ArrayList<>();
    final String text;
    final SharedLoader shared;
    private final Map<String, List<Entry>> index = new HashMap<>();
    private final Map<String, List<CompiledClass>> packages = new HashMap<>();

    private ClassPath(List<Entry> entries) throws IOException {
        this.entries.addAll(entries);
        StringBuilder joined = new StringBuilder();
        for (Entry entry : entries) {
            joined.append(joined.length() == 0 ? "" : File.pathSeparator).append(entry.path);
            for (String name : entry.names()) {
                List<Entry> holders = index.get(name);
                if (holders == null) {
                    index.put(name, Collections.singletonList(entry));
                } else {
                    List<Entry> more = new ArrayList<>(holders);
                    more.add(entry);
                    index.put(name, more);
                }
            }
        }
        text = joined.toString();
        shared = sharedLoader();
    }

    static ClassPath read(Request request) throws IOException {
        List<Entry> entries = new ArrayList<>();
        Map<String, Integer> roles = new LinkedHashMap<>();
        for (int role : new int[] {PROJECT, TESTS, LIBRARY}) {
            for (String path : request.texts()) {
                if (!roles.containsKey(path)) {
                    roles.put(path, role);
                }
            }
        }
        for (Map.Entry<String, Integer> item : roles.entrySet()) {
            File file = new File(item.getKey());
            if (file.isDirectory()) {
                entries.add(Entry.folder(file, item.getValue()));
            } else if (file.isFile()) {
                entries.add(archive(file, item.getValue()));
            }
        }
        return new ClassPath(entries);
    }

    private static Entry archive(File file, int role) throws IOException {
        String key = role + file.getPath() + '\0' + file.length() + '\0' + file.lastModified();
        Entry known = ARCHIVES.get(key);
        if (known == null) {
            known = Entry.archive(file, role);
            ARCHIVES.put(key, known);
        }
        return known;
    }

    /** The entries that hold a resource, in class path order; empty when none does. */
    List<Entry> holders(String resource) {
        List<Entry> found = index.get(resource);
        return found == null ? Collections.<Entry>emptyList() : found;
    }

    /** What the compiler may see of a package (dotted name): project and libraries, not the tests. */
    synchronized List<CompiledClass> compiled(String packageName) {
        if (packages.isEmpty()) {
            for (Map.Entry<String, List<Entry>> item : index.entrySet()) {
                addCompiled(item.getKey(), item.getValue());
            }
        }
        List<CompiledClass> found = packages.get(packageName);
        return found == null ? Collections.<CompiledClass>emptyList() : found;
    }

    private void addCompiled(String resource, List<Entry> holders) {
        if (!resource.endsWith(".class")) {
            return;
        }
        for (Entry entry : holders) {
            if (entry.role != TESTS) {
                String name = resource.substring(0, resource.length() - 6).replace('/', '.');
                int dot = name.lastIndexOf('.');
                String packageName = dot < 0 ? "" : name.substring(0, dot);
                List<CompiledClass> list = packages.get(packageName);
                if (list == null) {
                    list = new ArrayList<>();
                    packages.put(packageName, list);
                }
                list.add(new CompiledClass(name, entry, resource));
                return;
            }
        }
    }

    /**
     * A loader for test libraries that candidates may share. Only libraries that know nothing of the
     * project and keep no state between test runs qualify, and only if no other entry holds classes of
     * the same packages; every other library is loaded anew for each candidate.
     */
    private SharedLoader sharedLoader() throws IOException {
        List<Entry> candidates = new ArrayList<>();
        boolean alone = true;
        for (Entry entry : entries) {
            if (entry.role == LIBRARY && onlyShareable(entry)) {
                candidates.add(entry);
            } else {
                alone &= !holdsShareable(entry);
            }
        }
        if (!alone) {
            return new SharedLoader(Collections.<Entry>emptyList());
        }
        List<String> key = new ArrayList<>();
        for (Entry entry : candidates) {
            key.add(entry.path);
        }
        SharedLoader loader = SHARED.get(key);
        if (loader == null) {
            loader = new SharedLoader(candidates);
            SHARED.put(key, loader);
        }
        return loader;
    }

    private static boolean onlyShareable(Entry entry) {
        for (String name : entry.names()) {
            if (name.endsWith(".class") && !name.startsWith("META-INF/") && !shareable(name)
                    && !name.equals("module-info.class")) {
                return false;
            }
        }
        return true;
    }

    private static boolean holdsShareable(Entry entry) {
        for (String name : entry.names()) {
            if (name.endsWith(".class") && shareable(name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean shareable(String resource) {
        for (String prefix : SHAREABLE) {
            if (resource.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
