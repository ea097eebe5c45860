package examples.booking;

/** Mails about bookings. */
public final class BookingMail {

    private BookingMail() {
    }

    public static String subject(Booking booking) {
        return "Your booking from %s".formatted(booking.arrival());
    }

    /** The text of the confirmation. */
    public static String body(Booking booking) {
        String nights = booking.nights() == 1 ? "one night" : booking.nights() + " nights";
        return """
                Dear %s,

                you booked a %s.

                    arrival:   %s
                    departure: %s

                We look forward to %s with you.
                """
                .formatted(
                        booking.guest(), booking.room().label(), booking.departure(), booking.arrival(), nights);
    }
}
