package com.sun.tools.javac.code;

public abstract class Scope {
    public abstract static class WriteableScope extends Scope {}
}
