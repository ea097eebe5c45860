package examples.intervals;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class IntervalSetTest {

    private final IntervalSet set = new IntervalSet();

    @Test
    public void touchingIntervalsBecomeOne() {
        set.add(1, 2);
        set.add(2, 3);
        set.add(3, 4);
        assertEquals("[1,4)", set.toString());
    }

    @Test
    public void fillingTheGapJoinsBothSides() {
        set.add(10, 20);
        set.add(30, 40);
        set.add(20, 30);
        assertEquals("[10,40)", set.toString());
    }

    @Test
    public void touchingFromBelowBecomesOne() {
        set.add(5, 8);
        set.add(1, 5);
        assertEquals("[1,8)", set.toString());
    }

    @Test
    public void overlappingIntervalsBecomeOne() {
        set.add(1, 3);
        set.add(2, 4);
        assertEquals("[1,4)", set.toString());
    }

    @Test
    public void apartStaysApart() {
        set.add(1, 3);
        set.add(4, 6);
        assertEquals("[1,3) [4,6)", set.toString());
        assertFalse(set.contains(3));
    }

    @Test
    public void largeIntervalSwallowsMany() {
        set.add(2, 3);
        set.add(5, 6);
        set.add(8, 20);
        set.add(0, 10);
        assertEquals("[0,20)", set.toString());
    }

    @Test
    public void containedIntervalChangesNothing() {
        set.add(0, 10);
        set.add(3, 4);
        assertEquals("[0,10)", set.toString());
    }

    @Test
    public void endIsNotContained() {
        set.add(0, 2);
        assertTrue(set.contains(0));
        assertTrue(set.contains(1));
        assertFalse(set.contains(2));
        assertFalse(set.contains(-1));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesEmptyInterval() {
        set.add(3, 3);
    }
}
