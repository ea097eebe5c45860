package examples.events;

/** Passes on the first event and leaves. */
public final class Once<E> implements Listener<E> {

    private final EventBus<E> bus;
    private final Listener<E> target;

    public Once(EventBus<E> bus, Listener<E> target) {
        this.bus = bus;
        this.target = target;
    }

    @Override
    public void happened(E event) {
        bus.unsubscribe(this);
        target.happened(event);
    }
}
