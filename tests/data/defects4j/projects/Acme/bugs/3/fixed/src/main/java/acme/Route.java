package acme;

import java.util.ArrayList;
import java.util.List;

public class Route {
    private final List<String> stops;

    public Route(List<String> stops) {
        this.stops = new ArrayList<String>(stops);
    }

    public int size() {
        return stops.size();
    }
}
