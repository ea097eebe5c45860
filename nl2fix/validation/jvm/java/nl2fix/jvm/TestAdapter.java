package nl2fix.jvm;

import java.util.Set;

/** Runs the tests of one kind of test class. Implementations link against the workspace's libraries. */
public interface TestAdapter {
    /** Whether this adapter is the one for the class; asked in the order of {@link Adapters#NAMES}. */
    boolean accepts(Class<?> type);

    /** Runs all tests of a class, or those of the named methods when the set is not empty. */
    void run(Class<?> type, Set<String> methods, Events events) throws Exception;
}
