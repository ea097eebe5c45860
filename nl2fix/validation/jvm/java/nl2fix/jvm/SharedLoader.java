package nl2fix.jvm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.net.URL;
import java.util.Set;

/** Loads the test libraries that all candidates share; see {@link ClassPath#shared}. */
final class SharedLoader extends PathLoader {
    private final Set<Entry> members;
    private final List<Entry> entries;

    SharedLoader(List<Entry> entries) {
        super(entries);
        this.entries = entries;
        this.members = new HashSet<>(entries);
    }

    boolean holds(Entry entry) {
        return members.contains(entry);
    }

    @Override
    Class<?> ownClass(String name, String resource) throws ClassNotFoundException {
        for (Entry entry : entries) {
            if (entry.names().contains(resource)) {
                return define(name, entry, resource);
            }
        }
        return null;
    }

    @Override
    public URL findResource(String name) {
        for (Entry entry : entries) {
            if (entry.names().contains(name)) {
                return entry.locate(name);
            }
        }
        return null;
    }

    @Override
    public Enumeration<URL> findResources(String name) {
        List<URL> found = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.names().contains(name)) {
                found.add(entry.locate(name));
            }
        }
        return Collections.enumeration(found);
    }
}
