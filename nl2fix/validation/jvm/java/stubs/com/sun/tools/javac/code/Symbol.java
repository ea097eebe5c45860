package com.sun.tools.javac.code;

import com.sun.tools.javac.util.Name;
import javax.tools.JavaFileObject;

public abstract class Symbol {
    public Completer completer;

    public abstract ClassSymbol outermostClass();

    public abstract PackageSymbol packge();

    public interface Completer {}

    public abstract static class ClassSymbol extends Symbol {
        public JavaFileObject classfile;
        public Scope.WriteableScope members_field;

        public abstract Name flatName();

        public abstract void reset();
    }

    public abstract static class PackageSymbol extends Symbol {
        public ModuleSymbol modle;
    }

    public abstract static class ModuleSymbol extends Symbol {}
}
