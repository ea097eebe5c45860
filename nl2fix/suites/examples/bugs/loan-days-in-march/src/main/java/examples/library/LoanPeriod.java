package examples.library;

import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;

/** From when to when something was borrowed, in the library's own time zone. */
public final class LoanPeriod {

    private final ZonedDateTime borrowed;
    private final ZonedDateTime returned;

    public LoanPeriod(ZonedDateTime borrowed, ZonedDateTime returned) {
        if (returned.isBefore(borrowed)) {
            throw new IllegalArgumentException("returned before it was borrowed");
        }
        this.borrowed = borrowed;
        this.returned = returned.withZoneSameInstant(borrowed.getZone());
    }

    /** Days between the dates on which it was borrowed and returned. */
    public long days() {
        return Duration.between(borrowed, returned).toDays();
    }

    /** Hours that it was really away. */
    public long hours() {
        return ChronoUnit.HOURS.between(borrowed, returned);
    }
}
