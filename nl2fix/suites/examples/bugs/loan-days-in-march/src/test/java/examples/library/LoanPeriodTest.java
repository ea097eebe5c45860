package examples.library;

import static org.junit.Assert.assertEquals;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.Test;

public class LoanPeriodTest {

    private static final ZoneId VIENNA = ZoneId.of("Europe/Vienna");

    private static ZonedDateTime at(String text) {
        return LocalDateTime.parse(text).atZone(VIENNA);
    }

    private static LoanPeriod period(String from, String to) {
        return new LoanPeriod(at(from), at(to));
    }

    @Test
    public void countsDays() {
        assertEquals(7, period("2021-06-01T09:00", "2021-06-08T09:00").days());
        assertEquals(0, period("2021-06-01T09:00", "2021-06-01T19:00").days());
    }

    @Test
    public void countsOverTheEndOfTheYear() {
        assertEquals(2, period("2020-12-31T12:00", "2021-01-02T12:00").days());
    }

    @Test
    public void clockChangeInSpringLosesNoDay() {
        assertEquals(3, period("2021-03-26T10:00", "2021-03-29T10:00").days());
    }

    @Test
    public void clockChangeInAutumnAddsNoDay() {
        assertEquals(3, period("2021-10-29T10:00", "2021-11-01T10:00").days());
    }

    @Test
    public void returnEarlierInTheDayStillCountsDates() {
        assertEquals(1, period("2021-06-01T18:00", "2021-06-02T08:00").days());
    }

    @Test
    public void feeCountsEveryDay() {
        FeeTable fees = new FeeTable(1, 50);
        assertEquals(100, fees.cents(period("2022-03-25T16:00", "2022-03-28T15:30")));
        assertEquals(0, fees.cents(period("2022-03-25T16:00", "2022-03-25T18:00")));
    }

    @Test
    public void datesAreThoseOfTheLibrary() {
        ZonedDateTime returned = at("2021-06-03T00:30").withZoneSameInstant(ZoneId.of("America/New_York"));
        assertEquals(2, new LoanPeriod(at("2021-06-01T00:10"), returned).days());
    }

    @Test
    public void hoursAreRealHours() {
        assertEquals(71, period("2021-03-26T10:00", "2021-03-29T10:00").hours());
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesReturnBeforeLoan() {
        period("2021-06-02T10:00", "2021-06-01T10:00");
    }
}
