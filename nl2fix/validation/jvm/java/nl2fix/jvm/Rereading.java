package nl2fix.jvm;

import com.sun.source.util.JavacTask;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.tools.JavaFileObject;

/**
 * Has javac read class files again that name edited classes. What it learned of them outlives a compilation in a pool,
 * and with it the edited classes as the candidate before declared them: where {@code pick(Calc)} and
 * {@code pick(Object)} are called with a {@code Calc}, the next candidate's was no longer one. Edited classes themselves
 * are dropped: the pool drops only those that it still finds in the tree, and nested ones have been lifted out of it.
 *
 * <p>What is known is forgotten in place, as between rounds of annotation processing, so that other classes refer to
 * the same ones. Neither these methods nor these fields have changed since JDK 9.
 */
final class Rereading {
    private static final String CODE = "com.sun.tools.javac.code.";
    private static final String NAME = "com.sun.tools.javac.util.Name";
    private final Method context = type("com.sun.tools.javac.api.BasicJavacTask").getMethod("getContext");
    private final Method symbols = instance(type(CODE + "Symtab"));
    private final Method all = type(CODE + "Symtab").getMethod("getAllClasses");
    private final Method finder = instance(type(CODE + "ClassFinder"));
    private final Method completer = type(CODE + "ClassFinder").getMethod("getCompleter");
    private final Field completes = type(CODE + "Symbol").getField("completer");
    private final Field file = type(CODE + "Symbol$ClassSymbol").getField("classfile");
    private final Field members = type(CODE + "Symbol$ClassSymbol").getField("members_field");
    private final Method outermost = type(CODE + "Symbol").getMethod("outermostClass");
    private final Method forget = type(CODE + "Symbol$ClassSymbol").getMethod("reset");
    private final Method drop =
            type(CODE + "Symtab").getMethod("removeClass", type(CODE + "Symbol$ModuleSymbol"), type(NAME));
    private final Method around = type(CODE + "Symbol").getMethod("packge");
    private final Field module = type(CODE + "Symbol$PackageSymbol").getField("modle");
    private final Method name = type(CODE + "Symbol$ClassSymbol").getMethod("flatName");

    private final List<String> edited;
    /** Class file → whether it names an edited class; javac's view of ours, and the JDK's. */
    private final Map<Object, Boolean> known = new IdentityHashMap<>();

    /** Of a pool that serves edits of these classes (binary names) only. */
    Rereading(List<String> edited) throws ReflectiveOperationException {
        this.edited = edited;
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(name);
    }

    private static Method instance(Class<?> type) throws ReflectiveOperationException {
        return type.getMethod("instance", type("com.sun.tools.javac.util.Context"));
    }

    /** What a task that has not begun shares with those that follow; it does not tell once it is done. */
    Object sharedBy(JavacTask task) {
        try {
            return context.invoke(task);
        } catch (InvocationTargetException | IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** To be called when a compilation is over that others shall follow. */
    void prepare(Object shared) {
        try {
            forget(shared);
        } catch (InvocationTargetException | IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void forget(Object shared) throws InvocationTargetException, IllegalAccessException {
        Object table = symbols.invoke(null, shared);
        List<Object> read = new ArrayList<>();
        List<Object> compiled = new ArrayList<>();
        Set<Object> stale = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Object symbol : (Iterable<?>) all.invoke(table)) {
            JavaFileObject origin = (JavaFileObject) file.get(symbol);
            if (edited.contains(name.invoke(outermost.invoke(symbol)).toString())) {
                compiled.add(symbol);
            } else if (members.get(symbol) != null && origin != null) {
                read.add(symbol);
                if (names(origin)) {
                    stale.add(outermost.invoke(symbol));
                }
            }
        }
        for (Object symbol : compiled) {
            drop.invoke(table, module.get(around.invoke(symbol)), name.invoke(symbol));
        }
        for (Object symbol : stale.isEmpty() ? Collections.emptyList() : read) {
            // Nested ones, too: what they were declared with stands in the file of the class around them.
            if (stale.contains(outermost.invoke(symbol))) {
                forget.invoke(symbol);
                completes.set(symbol, completer.invoke(finder.invoke(null, shared)));
            }
        }
    }

    private boolean names(JavaFileObject type) {
        Boolean names = known.get(type);
        if (names == null) {
            names = CompiledClass.SCHEME.equals(type.toUri().getScheme()) && search(type);
            known.put(type, names);
        }
        return names;
    }

    private boolean search(JavaFileObject type) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try (InputStream stream = type.openInputStream()) {
            byte[] buffer = new byte[8192];
            for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
                content.write(buffer, 0, n);
            }
        } catch (IOException unreadable) {
            return true;
        }
        String text = new String(content.toByteArray(), StandardCharsets.ISO_8859_1);
        for (String name : edited) {
            byte[] bytes = name.replace('.', '/').getBytes(StandardCharsets.UTF_8);
            if (text.contains(new String(bytes, StandardCharsets.ISO_8859_1))) {
                return true;
            }
        }
        return false;
    }
}
