package com.sun.source.util;

import com.sun.source.tree.CompilationUnitTree;
import java.io.IOException;
import javax.lang.model.element.Element;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;

public abstract class JavacTask implements JavaCompiler.CompilationTask {
    public abstract Iterable<? extends CompilationUnitTree> parse() throws IOException;

    public abstract Iterable<? extends Element> analyze() throws IOException;

    public abstract Iterable<? extends JavaFileObject> generate() throws IOException;

    public abstract void addTaskListener(TaskListener listener);
}
