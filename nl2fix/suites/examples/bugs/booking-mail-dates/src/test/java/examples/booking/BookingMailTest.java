package examples.booking;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.time.LocalDate;
import org.junit.Test;

public class BookingMailTest {

    private static final Booking HOPPER =
            new Booking("Grace Hopper", Room.DOUBLE, LocalDate.of(2024, 5, 9), LocalDate.of(2024, 5, 12));

    @Test
    public void subjectNamesTheArrival() {
        assertEquals("Your booking from 2024-05-09", BookingMail.subject(HOPPER));
    }

    @Test
    public void confirmsTheBooking() {
        assertEquals(
                """
                Dear Grace Hopper,

                you booked a double room.

                    arrival:   2024-05-09
                    departure: 2024-05-12

                We look forward to 3 nights with you.
                """,
                BookingMail.body(HOPPER));
    }

    @Test
    public void namesBothDates() {
        Booking booking =
                new Booking("A", Room.SINGLE, LocalDate.of(2023, 12, 31), LocalDate.of(2024, 1, 1));
        String body = BookingMail.body(booking);
        assertTrue(body, body.contains("arrival:   2023-12-31\n"));
        assertTrue(body, body.contains("departure: 2024-01-01\n"));
    }

    @Test
    public void countsNights() {
        Booking booking =
                new Booking("A", Room.FAMILY, LocalDate.of(2023, 12, 31), LocalDate.of(2024, 1, 1));
        assertTrue(BookingMail.body(booking).endsWith("We look forward to one night with you.\n"));
        assertTrue(BookingMail.body(booking).startsWith("Dear A,\n\nyou booked a family room.\n"));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesDepartureOnArrival() {
        new Booking("A", Room.SINGLE, LocalDate.of(2024, 1, 1), LocalDate.of(2024, 1, 1));
    }
}
