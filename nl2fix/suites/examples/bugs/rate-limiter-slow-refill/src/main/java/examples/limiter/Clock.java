package examples.limiter;

/** Where the time comes from. */
public interface Clock {

    Clock SYSTEM = System::currentTimeMillis;

    /** Milliseconds since some fixed moment. */
    long millis();
}
