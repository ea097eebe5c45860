package nl2fix.jvm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Defines the test adapters on top of a candidate's loader, where they meet the JUnit or TestNG
 * that the workspace brings along. Adapters whose library is absent are left out.
 */
final class Adapters extends ClassLoader {
    private static final String HOME = "nl2fix.jvm.";
    private static final String PLACE = HOME + "adapter.";
    private static final String[] NAMES = {"TestNG", "JUnit5", "MainMethod", "JUnit4", "JUnit3"};
    private static final String[] NEEDED = {
        "org.testng.TestNG", "org.junit.platform.launcher.Launcher", "java.lang.Object",
        "org.junit.runner.Request", "junit.framework.TestResult"
    };
    private static final Map<String, byte[]> BYTES = new ConcurrentHashMap<>();
    private final List<TestAdapter> adapters = new ArrayList<>();

    Adapters(ClassLoader candidate) {
        super(candidate);
        for (int i = 0; i < NAMES.length; i++) {
            try {
                candidate.loadClass(NEEDED[i]);
            } catch (ClassNotFoundException absent) {
                continue;
            }
            try {
                Class<?> type = findClass(PLACE + NAMES[i]);
                adapters.add((TestAdapter) type.getDeclaredConstructor().newInstance());
            } catch (ReflectiveOperationException broken) {
                throw new IllegalStateException("cannot set up the test adapter " + NAMES[i], broken);
            }
        }
    }

    void run(Class<?> type, java.util.Set<String> methods, Events events) throws Exception {
        for (TestAdapter adapter : adapters) {
            if (adapter.accepts(type)) {
                adapter.run(type, methods, events);
                return;
            }
        }
        throw new IllegalStateException(type.getName() + " is no test: no JUnit or TestNG on its path, no main method");
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(HOME)) {
            return super.loadClass(name, resolve);
        }
        return name.startsWith(PLACE) ? findClass(name) : Class.forName(name);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            byte[] bytes = bytes(name);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    private static byte[] bytes(String name) throws ClassNotFoundException {
        byte[] known = BYTES.get(name);
        if (known == null) {
            try (InputStream stream = Adapters.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
                ByteArrayOutputStream copy = new ByteArrayOutputStream();
                for (int value = stream.read(); value >= 0; value = stream.read()) {
                    copy.write(value);
                }
                known = copy.toByteArray();
            } catch (IOException | NullPointerException missing) {
                throw new ClassNotFoundException(name, missing);
            }
            BYTES.put(name, known);
        }
        return known;
    }
}
