package examples.semester;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.time.LocalDate;
import java.util.List;
import org.junit.Test;

public class DateRangeTest {

    private static LocalDate may(int day) {
        return LocalDate.of(2024, 5, day);
    }

    @Test
    public void containsBothEnds() {
        DateRange range = new DateRange(may(3), may(5));
        assertTrue(range.contains(may(3)));
        assertTrue(range.contains(may(5)));
        assertFalse(range.contains(may(2)));
        assertFalse(range.contains(may(6)));
    }

    @Test
    public void mayBeOneDay() {
        assertTrue(new DateRange(may(3), may(3)).contains(may(3)));
    }

    @Test
    public void endMayBeOpen() {
        DateRange open = new DateRange(may(3), null);
        assertTrue(open.contains(LocalDate.of(2999, 1, 1)));
        assertFalse(open.contains(may(2)));
        assertTrue(open.overlaps(new DateRange(may(1), may(3))));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesEndBeforeStart() {
        new DateRange(may(3), may(2));
    }

    @Test(expected = NullPointerException.class)
    public void refusesMissingStart() {
        new DateRange(null, may(2));
    }

    @Test
    public void overlaps() {
        DateRange range = new DateRange(may(3), may(5));
        assertTrue(range.overlaps(new DateRange(may(5), may(9))));
        assertFalse(range.overlaps(new DateRange(may(6), may(9))));
        assertFalse(range.overlaps(new DateRange(may(1), may(2))));
    }

    @Test
    public void timetableWithOpenRange() {
        Timetable timetable = new Timetable();
        timetable.fixed("Algebra", may(1), may(10));
        timetable.running("Logic", may(6));
        assertEquals(List.of("Algebra"), timetable.on(may(2)));
        assertEquals(List.of("Algebra", "Logic"), timetable.on(may(7)));
        assertEquals(List.of("Logic"), timetable.on(may(30)));
    }
}
