package examples.semester;

import java.time.LocalDate;
import java.util.Objects;

/** From start to end, both included; an end of null means that it goes on. */
public record DateRange(LocalDate start, LocalDate end) {

    public static final int SCHOOL_DAYS = 5;

    public DateRange {
        Objects.requireNonNull(start, "start");
        if (end.isBefore(start)) {
            throw new IllegalArgumentException("ends on " + end + " before it starts on " + start);
        }
    }

    public boolean contains(LocalDate date) {
        return !date.isBefore(start) && (end == null || !date.isAfter(end));
    }

    public boolean overlaps(DateRange other) {
        return (end == null || !other.start.isAfter(end)) && (other.end == null || !start.isAfter(other.end));
    }
}
