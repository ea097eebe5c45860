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
                        booking.guest(), booking.room().label(), booking.arrival(), booking.departure(), nights);
    }
