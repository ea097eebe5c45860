package org.junit.runner.notification;

import org.junit.runner.Description;

public class Failure {
    public Description getDescription() {
        throw new UnsupportedOperationException();
    }

    public Throwable getException() {
        throw new UnsupportedOperationException();
    }
}
