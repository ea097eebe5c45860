package examples.events;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;

public class EventBusTest {

    private final EventBus<String> bus = new EventBus<>();
    private final List<String> seen = new ArrayList<>();

    private Listener<String> recorder(String name) {
        return event -> seen.add(name + ":" + event);
    }

    @Test
    public void tellsEverybodyInOrder() {
        bus.subscribe(recorder("a"));
        bus.subscribe(recorder("b"));
        assertEquals(2, bus.publish("x"));
        assertEquals(Arrays.asList("a:x", "b:x"), seen);
    }

    @Test
    public void nobodyListens() {
        assertEquals(0, bus.publish("x"));
    }

    @Test
    public void unsubscribedListenersHearNothing() {
        Listener<String> listener = recorder("a");
        bus.subscribe(listener);
        assertTrue(bus.unsubscribe(listener));
        assertFalse(bus.unsubscribe(listener));
        bus.publish("x");
        assertEquals(0, seen.size());
    }

    @Test
    public void listenerMayUnsubscribeItself() {
        bus.subscribe(new Once<>(bus, recorder("once")));
        bus.subscribe(recorder("a"));
        bus.subscribe(recorder("b"));
        assertEquals(3, bus.publish("x"));
        assertEquals(Arrays.asList("once:x", "a:x", "b:x"), seen);
    }

    @Test
    public void onceIsCalledOnce() {
        bus.subscribe(recorder("a"));
        bus.subscribe(new Once<>(bus, recorder("once")));
        bus.subscribe(recorder("b"));
        bus.publish("x");
        bus.publish("y");
        assertEquals(Arrays.asList("a:x", "once:x", "b:x", "a:y", "b:y"), seen);
    }

    @Test
    public void listenerMaySubscribeAnother() {
        bus.subscribe(event -> bus.subscribe(recorder("late")));
        assertEquals(1, bus.publish("x"));
        assertEquals(0, seen.size());
        assertEquals(2, bus.publish("y"));
        assertEquals(Arrays.asList("late:y"), seen);
    }

    @Test
    public void generalListenersHearSpecialEvents() {
        Listener<Object> general = event -> seen.add("object " + event);
        bus.subscribe(general);
        bus.publish("x");
        assertEquals(Arrays.asList("object x"), seen);
    }
}
