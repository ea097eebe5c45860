package examples.semester;

import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** When which course takes place. */
public final class Timetable {

    private final Map<String, DateRange> courses = new LinkedHashMap<>();

    public void fixed(String course, LocalDate start, LocalDate end) {
        courses.put(course, new DateRange(start, end));
    }

    /** Adds a course that goes on until further notice. */
    public void running(String course, LocalDate start) {
        courses.put(course, new DateRange(start, null));
    }

    public List<String> on(LocalDate date) {
        return courses.entrySet().stream()
                .filter(course -> course.getValue().contains(date))
                .map(Map.Entry::getKey)
                .toList();
    }
}
