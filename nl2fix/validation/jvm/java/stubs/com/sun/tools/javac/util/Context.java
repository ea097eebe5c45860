package com.sun.tools.javac.util;

public class Context {}
