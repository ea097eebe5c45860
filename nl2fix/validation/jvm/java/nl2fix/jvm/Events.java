package nl2fix.jvm;

/** What an adapter tells about the tests it runs. Ids are {@code Class::method}, or {@code Class}. */
public interface Events {
    void started(String id);

    /** What a started test is called that is one of several of its method, where its id does not say that. */
    void called(String id, String name);

    /** A failure of a started test, or of a class as a whole. */
    void failed(String id, Throwable cause);

    /** A test that began and gave up on an assumption, or was never begun on purpose. */
    void skipped(String id);

    void finished(String id);

    /** Whether no further test should be started. */
    boolean stopping();
}
