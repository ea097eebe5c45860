package nl2fix.jvm;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the loaders have in common: the JDK first, then own classes, defined with package, manifest and
 * code source as {@link URLClassLoader} would, but from bytes kept in memory.
 */
abstract class PathLoader extends URLClassLoader {
    static final ClassLoader PLATFORM = PathLoader.class.getClassLoader().getParent();
    private static final Map<String, Boolean> NOT_PLATFORM = new ConcurrentHashMap<>();

    static {
        registerAsParallelCapable();
    }

    PathLoader(List<Entry> entries) {
        super(urls(entries), PLATFORM);
    }

    private static URL[] urls(List<Entry> entries) {
        URL[] urls = new URL[entries.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = entries.get(i).url;
        }
        return urls;
    }

    @Override
    protected final Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> type = findLoadedClass(name);
            if (type == null) {
                type = platformClass(name);
            }
            if (type == null) {
                type = ownClass(name, name.replace('.', '/') + ".class");
            }
            if (type == null) {
                throw new ClassNotFoundException(name);
            }
            if (resolve) {
                resolveClass(type);
            }
            return type;
        }
    }

    /** The class if this loader has it, else null. */
    abstract Class<?> ownClass(String name, String resource) throws ClassNotFoundException;

    /** Misses are remembered: a failed look-up costs an exception, and every project class is one. */
    private static Class<?> platformClass(String name) {
        if (NOT_PLATFORM.containsKey(name)) {
            return null;
        }
        try {
            return PLATFORM.loadClass(name);
        } catch (ClassNotFoundException missing) {
            NOT_PLATFORM.put(name, Boolean.TRUE);
            return null;
        }
    }

    final Class<?> define(String name, Entry entry, String resource) throws ClassNotFoundException {
        try {
            return define(name, entry, entry.read(resource));
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }

    final Class<?> define(String name, Entry entry, byte[] bytes) {
        int dot = name.lastIndexOf('.');
        if (dot > 0 && getPackage(name.substring(0, dot)) == null) {
            definePackageOnce(name.substring(0, dot), entry);
        }
        CodeSource source = new CodeSource(entry.url, (Certificate[]) null);
        return defineClass(name, bytes, 0, bytes.length, source);
    }

    private void definePackageOnce(String name, Entry entry) {
        try {
            if (entry.manifest() == null) {
                definePackage(name, null, null, null, null, null, null, null);
            } else {
                definePackage(name, entry.manifest(), entry.url);
            }
        } catch (IllegalArgumentException already) {
            // Another thread was first.
            return;
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }
}
