package examples.ring;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;

import org.junit.Test;

public class RingBufferTest {

    private static RingBuffer<Integer> numbers(int capacity, int count) {
        RingBuffer<Integer> buffer = new RingBuffer<>(capacity);
        for (int i = 1; i <= count; i++) {
            buffer.add(i);
        }
        return buffer;
    }

    @Test
    public void keepsTheLastElements() {
        assertArrayEquals(new Object[] {3, 4, 5}, numbers(3, 5).toArray());
        assertEquals(2, numbers(3, 2).size());
    }

    @Test
    public void usesTheGivenArrayWhenTheElementsFit() {
        Integer[] target = new Integer[2];
        assertSame(target, numbers(4, 2).toArray(target));
        assertArrayEquals(new Integer[] {1, 2}, target);
    }

    @Test
    public void clearsTheRestOfALongerArray() {
        Integer[] target = {9, 9, 9, 9};
        assertArrayEquals(new Integer[] {1, 2, null, null}, numbers(4, 2).toArray(target));
    }

    @Test
    public void growsAnArrayOfTheSameType() {
        Integer[] result = numbers(4, 6).toArray(new Integer[1]);
        assertArrayEquals(new Integer[] {3, 4, 5, 6}, result);
        Number[] general = numbers(4, 3).toArray(new Number[0]);
        assertEquals(Number[].class, general.getClass());
        assertArrayEquals(new Number[] {1, 2, 3}, general);
    }

    @Test
    public void emptyBufferGivesTheGivenArray() {
        Integer[] target = new Integer[0];
        assertSame(target, new RingBuffer<Integer>(2).toArray(target));
    }

    @Test(expected = ArrayStoreException.class)
    public void refusesArrayOfAnotherType() {
        Object[] strings = new String[5];
        numbers(4, 3).toArray(strings);
    }

    @Test
    public void historyOfWords() {
        History history = new History(2);
        history.typed("ls");
        history.typed("  ");
        history.typed("cd ..");
        history.typed("make");
        assertArrayEquals(new String[] {"cd ..", "make"}, history.lines());
    }
}
