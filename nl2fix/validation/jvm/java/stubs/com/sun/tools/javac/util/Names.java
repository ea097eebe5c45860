package com.sun.tools.javac.util;

public abstract class Names {
    public static Names instance(Context context) {
        throw new UnsupportedOperationException();
    }

    public abstract Name fromString(String text);
}
