package com.sun.tools.javac.util;

public abstract class Name {}
