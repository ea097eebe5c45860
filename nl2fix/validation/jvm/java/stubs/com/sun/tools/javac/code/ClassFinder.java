package com.sun.tools.javac.code;

import com.sun.tools.javac.util.Context;

public abstract class ClassFinder {
    public static ClassFinder instance(Context context) {
        throw new UnsupportedOperationException();
    }

    public abstract Symbol.Completer getCompleter();
}
