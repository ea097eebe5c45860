package examples.events;

import java.util.ArrayList;
import java.util.List;

/** Tells listeners about events, in the order in which they subscribed. */
public class EventBus<E> {

    private final List<Listener<? super E>> listeners = new ArrayList<>();

    public void subscribe(Listener<? super E> listener) {
        listeners.add(listener);
    }

    public boolean unsubscribe(Listener<? super E> listener) {
        return listeners.remove(listener);
    }

    /**
     * Tells everybody who has subscribed when the event happens.
     *
     * @return how many were told
     */
    public int publish(E event) {
        int told = 0;
        for (Listener<? super E> listener : listeners) {
            listener.happened(event);
            told++;
        }
        return told;
    }
}
