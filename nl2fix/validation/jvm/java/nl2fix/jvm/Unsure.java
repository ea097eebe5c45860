package nl2fix.jvm;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Set;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.tools.JavaFileObject;

/** What javac can make no class of, though nothing is wrong there: it uses or extends what is wrong elsewhere. */
final class Unsure extends TreeScanner<Void, Void> {
    private static final String JAVAC = "com.sun.tools.javac.";
    private final Field type = Class.forName(JAVAC + "tree.JCTree").getField("type");
    private final Field symbol = Class.forName(JAVAC + "tree.JCTree$JCClassDecl").getField("sym");
    private final Field source = Class.forName(JAVAC + "code.Symbol$ClassSymbol").getField("sourcefile");
    private final Method isErroneous = Class.forName(JAVAC + "code.Type").getMethod("isErroneous");
    private Set<String> broken;
    private boolean found;

    Unsure() throws ReflectiveOperationException { }

    /** Whether a class of a file is one, where there is something wrong in other files. Others may be made already. */
    boolean is(CompilationUnitTree unit, TypeElement element, Set<String> brokenSources) {
        broken = brokenSources;
        found = false;
        try {
            for (Tree tree : unit.getTypeDecls()) {
                if (tree instanceof ClassTree && symbol.get(tree) == element) {
                    scan(tree, null);
                }
            }
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
        return found;
    }

    @Override
    public Void scan(Tree tree, Void nothing) {
        try {
            Object known = tree == null ? null : type.get(tree);
            found |= known != null && (Boolean) isErroneous.invoke(known);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
        return found ? null : super.scan(tree, nothing);
    }

    @Override
    public Void visitClass(ClassTree tree, Void nothing) {
        try {
            found |= extendsBroken((TypeElement) symbol.get(tree));
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
        return super.visitClass(tree, nothing);
    }

    private boolean extendsBroken(TypeElement element) throws IllegalAccessException {
        TypeMirror parent = element == null ? null : element.getSuperclass();
        while (parent instanceof DeclaredType) {
            TypeElement above = (TypeElement) ((DeclaredType) parent).asElement();
            JavaFileObject file = (JavaFileObject) source.get(above);
            if (file != null && broken.contains(file.getName())) {
                return true;
            }
            parent = above.getSuperclass();
        }
        return false;
    }
}
