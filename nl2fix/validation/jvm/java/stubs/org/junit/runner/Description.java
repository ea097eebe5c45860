package org.junit.runner;

import java.util.ArrayList;

public class Description {
    public String getDisplayName() {
        throw new UnsupportedOperationException();
    }

    public boolean isTest() {
        throw new UnsupportedOperationException();
    }

    public ArrayList<Description> getChildren() {
        throw new UnsupportedOperationException();
    }
}
