package examples.events;

/** Wants to know about events. */
public interface Listener<E> {

    void happened(E event);
}
