package com.sun.source.tree;

public interface Tree {
}
