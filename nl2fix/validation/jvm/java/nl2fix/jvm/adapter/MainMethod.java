package nl2fix.jvm.adapter;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import nl2fix.jvm.Events;
import nl2fix.jvm.TestAdapter;

/** A program as a test: it passes when its main method returns. Its one test is {@code Class::main}; copies may be named. */
public final class MainMethod implements TestAdapter {
    private static final String MAIN = "main";

    @Override
    public boolean accepts(Class<?> type) {
        return find(type, MAIN) != null && !looksLikeJUnit(type);
    }

    @Override
    public void run(Class<?> type, Set<String> methods, Events events) throws Exception {
        Set<String> wanted = new LinkedHashSet<>(methods);
        wanted.removeIf(name -> find(type, name) == null);
        for (String name : wanted.isEmpty() ? Collections.singleton(MAIN) : wanted) {
            run(type, name, events);
        }
    }

    private static void run(Class<?> type, String name, Events events) throws Exception {
        String id = type.getName() + "::" + name;
        events.started(id);
        try {
            find(type, name).invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException thrown) {
            events.failed(id, thrown.getCause());
        }
        events.finished(id);
    }

    private static Method find(Class<?> type, String name) {
        try {
            Method method = type.getDeclaredMethod(name, String[].class);
            method.setAccessible(true);
            return Modifier.isStatic(method.getModifiers()) ? method : null;
        } catch (NoSuchMethodException none) {
            return null;
        }
    }

    private static boolean looksLikeJUnit(Class<?> type) {
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            if (c.getName().equals("junit.framework.TestCase") || annotated(c.getDeclaredAnnotations())) {
                return true;
            }
            for (Method method : c.getDeclaredMethods()) {
                boolean suite = method.getName().equals("suite") && method.getParameterTypes().length == 0;
                if (suite || annotated(method.getDeclaredAnnotations())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean annotated(Annotation[] annotations) {
        for (Annotation annotation : annotations) {
            if (annotation.annotationType().getName().startsWith("org.junit.")) {
                return true;
            }
        }
        return false;
    }
}
