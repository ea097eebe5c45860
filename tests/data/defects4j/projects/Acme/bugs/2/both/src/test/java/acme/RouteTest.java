package acme;

import java.util.ArrayList;
import java.util.List;
import junit.framework.TestCase;

public class RouteTest extends TestCase {
    public void testKeepsItsOwnStops() {
        List<String> stops = new ArrayList<String>();
        Route route = new Route(stops);
        stops.add("x");
        assertEquals(0, route.size());
    }

    public void testSize() {
        List<String> stops = new ArrayList<String>();
        stops.add("x");
        assertEquals(1, new Route(stops).size());
    }
}
