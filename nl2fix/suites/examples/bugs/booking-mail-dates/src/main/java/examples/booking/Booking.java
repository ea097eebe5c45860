package examples.booking;

import java.time.LocalDate;
import java.time.temporal.ChronoUnit;

/** A guest's stay. */
public record Booking(String guest, Room room, LocalDate arrival, LocalDate departure) {

    public Booking {
        if (!arrival.isBefore(departure)) {
            throw new IllegalArgumentException("departure must be after arrival");
        }
    }

    public long nights() {
        return ChronoUnit.DAYS.between(arrival, departure);
    }
}
