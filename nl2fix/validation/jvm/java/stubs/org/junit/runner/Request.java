package org.junit.runner;

import org.junit.runner.manipulation.Filter;

public abstract class Request {
    public static Request aClass(Class<?> type) {
        throw new UnsupportedOperationException();
    }

    public Request filterWith(Filter filter) {
        throw new UnsupportedOperationException();
    }

    public abstract Runner getRunner();
}
