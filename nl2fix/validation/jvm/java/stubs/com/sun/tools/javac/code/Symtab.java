package com.sun.tools.javac.code;

import com.sun.tools.javac.util.Context;
import com.sun.tools.javac.util.Name;

public abstract class Symtab {
    public static Symtab instance(Context context) {
        throw new UnsupportedOperationException();
    }

    public abstract Iterable<Symbol.ClassSymbol> getAllClasses();

    public abstract void removeClass(Symbol.ModuleSymbol module, Name flatName);
}
