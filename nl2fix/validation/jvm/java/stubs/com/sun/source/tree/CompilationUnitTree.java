package com.sun.source.tree;

import java.util.List;

public interface CompilationUnitTree extends Tree {
    List<? extends Tree> getTypeDecls();
}
