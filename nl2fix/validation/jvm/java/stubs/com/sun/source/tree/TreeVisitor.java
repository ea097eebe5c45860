package com.sun.source.tree;

public interface TreeVisitor<R, P> {
}
