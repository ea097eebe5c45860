package org.junit.jupiter.api.extension;

public interface InvocationInterceptor extends Extension {
    default void interceptDynamicTest(Invocation<Void> invocation, ExtensionContext context) throws Throwable {
    }

    default void interceptDynamicTest(
            Invocation<Void> invocation, DynamicTestInvocationContext test, ExtensionContext context)
            throws Throwable {
    }

    interface Invocation<T> {
        T proceed() throws Throwable;
    }
}
