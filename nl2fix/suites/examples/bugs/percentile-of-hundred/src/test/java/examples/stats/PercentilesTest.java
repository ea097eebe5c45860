package examples.stats;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class PercentilesTest {

    private final Percentiles five = new Percentiles(40, 15, 50, 20, 35);

    @Test
    public void betweenTwoRanks() {
        assertEquals(20, five.of(30));
        assertEquals(35, five.of(50));
        assertEquals(15, five.of(5));
        assertEquals(50, five.of(99.9));
    }

    @Test
    public void zeroIsTheSmallest() {
        assertEquals(15, five.of(0));
    }

    @Test
    public void hundredIsTheLargest() {
        assertEquals(50, five.of(100));
        assertEquals(7, new Percentiles(7).of(100));
    }

    @Test
    public void medianOfAnEvenNumberIsTheLower() {
        assertEquals(2, new Percentiles(1, 2, 3, 4).of(50));
        assertEquals(20, five.of(40));
    }

    @Test
    public void oneValueIsEveryPercentile() {
        assertEquals(7, new Percentiles(7).of(0));
        assertEquals(7, new Percentiles(7).of(50));
    }

    @Test
    public void valuesAreCopied() {
        long[] values = {3, 1, 2};
        Percentiles percentiles = new Percentiles(values);
        assertEquals(3, values[0]);
        values[1] = 100;
        assertEquals(1, percentiles.of(0));
    }

    @Test
    public void summaryOfResponseTimes() {
        assertEquals("login p50=12 p95=90 max=90", new LatencySummary("login", 90, 12, 11, 15).line());
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesMoreThanHundred() {
        five.of(100.5);
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesNotANumber() {
        five.of(Double.NaN);
    }
}
