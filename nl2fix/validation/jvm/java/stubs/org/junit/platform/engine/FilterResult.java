package org.junit.platform.engine;

public class FilterResult {
    public static FilterResult includedIf(boolean included) {
        throw new UnsupportedOperationException();
    }
}
