package com.sun.source.util;

import com.sun.source.tree.CompilationUnitTree;
import javax.lang.model.element.TypeElement;
import javax.tools.JavaFileObject;

public final class TaskEvent {
    public enum Kind {
        ANALYZE
    }

    public Kind getKind() {
        throw new UnsupportedOperationException();
    }

    public CompilationUnitTree getCompilationUnit() {
        throw new UnsupportedOperationException();
    }

    public TypeElement getTypeElement() {
        throw new UnsupportedOperationException();
    }

    public JavaFileObject getSourceFile() {
        throw new UnsupportedOperationException();
    }
}
