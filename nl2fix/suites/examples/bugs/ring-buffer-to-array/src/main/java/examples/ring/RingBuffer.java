package examples.ring;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Keeps the last elements that were added to it. */
public class RingBuffer<E> {

    private final int capacity;
    private final Deque<E> elements = new ArrayDeque<>();

    public RingBuffer(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be positive, not " + capacity);
        }
        this.capacity = capacity;
    }

    /** Adds an element; the eldest one leaves when there is no room. */
    public void add(E element) {
        if (elements.size() == capacity) {
            elements.removeFirst();
        }
        elements.addLast(element);
    }

    public int size() {
        return elements.size();
    }

    public Object[] toArray() {
        return elements.toArray();
    }

    /**
     * The elements, eldest first, in the given array if they fit (what is behind them is set to null)
     * and else in a new one of the same type.
     */
    @SuppressWarnings("unchecked")
    public <T> T[] toArray(T[] target) {
        Object[] source = elements.toArray();
        T[] result = target;
        if (target.length < source.length) {
            result = (T[]) new Object[source.length];
        }
        System.arraycopy(source, 0, result, 0, source.length);
        Arrays.fill(result, source.length, result.length, null);
        return result;
    }
}
