package nl2fix.jvm;

import com.sun.source.util.JavacTask;
import com.sun.tools.javac.api.BasicJavacTask;
import com.sun.tools.javac.code.ClassFinder;
import com.sun.tools.javac.code.Symbol.ClassSymbol;
import com.sun.tools.javac.code.Symtab;
import com.sun.tools.javac.util.Context;
import com.sun.tools.javac.util.Name;
import com.sun.tools.javac.util.Names;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
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
 * the same ones. Neither these methods nor these fields have changed since JDK 9. They are called as they are, not by
 * reflection: some thousand classes are looked at after each compilation.
 */
final class Rereading {
    private final List<String> edited;
    /** Class file → whether it names an edited class; javac's view of ours, and the JDK's. */
    private final Map<Object, Boolean> known = new IdentityHashMap<>();

    /** Of a pool that serves edits of these classes (binary names) only. */
    Rereading(List<String> edited) {
        this.edited = edited;
    }

    /** What a task that has not begun shares with those that follow; it does not tell once it is done. */
    static Context sharedBy(JavacTask task) {
        return ((BasicJavacTask) task).getContext();
    }

    /** To be called when a compilation is over that others shall follow. */
    void prepare(Context shared) {
        Symtab table = Symtab.instance(shared);
        Set<Name> own = own(Names.instance(shared));
        List<ClassSymbol> read = new ArrayList<>();
        List<ClassSymbol> compiled = new ArrayList<>();
        Set<ClassSymbol> stale = Collections.newSetFromMap(new IdentityHashMap<>());
        for (ClassSymbol symbol : table.getAllClasses()) {
            ClassSymbol outermost = symbol.outermostClass();
            if (own.contains(outermost.flatName())) {
                compiled.add(symbol);
            } else if (symbol.members_field != null && symbol.classfile != null) {
                read.add(symbol);
                if (names(symbol.classfile)) {
                    stale.add(outermost);
                }
            }
        }
        for (ClassSymbol symbol : compiled) {
            table.removeClass(symbol.packge().modle, symbol.flatName());
        }
        for (ClassSymbol symbol : stale.isEmpty() ? Collections.<ClassSymbol>emptyList() : read) {
            // Nested ones, too: what they were declared with stands in the file of the class around them.
            if (stale.contains(symbol.outermostClass())) {
                symbol.reset();
                symbol.completer = ClassFinder.instance(shared).getCompleter();
            }
        }
    }

    /** The edited classes, as javac compares names: telling one as a text takes longer than all else. */
    private Set<Name> own(Names table) {
        Set<Name> own = new HashSet<>();
        for (String name : edited) {
            own.add(table.fromString(name));
        }
        return own;
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
