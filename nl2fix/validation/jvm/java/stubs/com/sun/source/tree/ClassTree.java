package com.sun.source.tree;

import javax.lang.model.element.Name;

public interface ClassTree extends Tree {
    Name getSimpleName();
}
