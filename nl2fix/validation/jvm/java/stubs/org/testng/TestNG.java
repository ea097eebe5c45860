package org.testng;

public class TestNG {
    public TestNG(boolean defaultListeners) {
        throw new UnsupportedOperationException();
    }

    public void setVerbose(int level) {
        throw new UnsupportedOperationException();
    }

    public void setDataProviderThreadCount(int count) {
        throw new UnsupportedOperationException();
    }

    public void setTestClasses(Class<?>[] types) {
        throw new UnsupportedOperationException();
    }

    public void run() {
        throw new UnsupportedOperationException();
    }
}
