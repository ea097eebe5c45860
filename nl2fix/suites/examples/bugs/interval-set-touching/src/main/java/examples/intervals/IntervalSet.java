package examples.intervals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** A set of integers, kept as the smallest possible number of half-open intervals. */
public class IntervalSet {

    /** Start to end; no two intervals overlap. */
    private final TreeMap<Integer, Integer> ends = new TreeMap<>();

    /** Adds all integers from start (included) to end (not included). */
    public void add(int start, int end) {
        Interval added = new Interval(start, end);
        int low = added.start();
        int high = added.end();
        Map.Entry<Integer, Integer> before = ends.lowerEntry(low);
        if (before != null && before.getValue() > low) {
            low = before.getKey();
            high = Math.max(high, before.getValue());
        }
        Map.Entry<Integer, Integer> next = ends.ceilingEntry(low);
        while (next != null && next.getKey() <= high) {
            high = Math.max(high, next.getValue());
            ends.remove(next.getKey());
            next = ends.ceilingEntry(low);
        }
        ends.put(low, high);
    }

    public boolean contains(int value) {
        Map.Entry<Integer, Integer> candidate = ends.floorEntry(value);
        return candidate != null && value < candidate.getValue();
    }

    public List<Interval> intervals() {
        List<Interval> result = new ArrayList<>();
        ends.forEach((start, end) -> result.add(new Interval(start, end)));
        return result;
    }

    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(" ");
        intervals().forEach(interval -> text.add(interval.toString()));
        return text.toString();
    }
}
