package com.sun.source.util;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TreeVisitor;

public class TreeScanner<R, P> implements TreeVisitor<R, P> {
    public R scan(Tree tree, P parameter) {
        throw new UnsupportedOperationException();
    }

    public R visitClass(ClassTree tree, P parameter) {
        throw new UnsupportedOperationException();
    }
}
