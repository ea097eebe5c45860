package examples.limiter;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class TokenBucketTest {

    private long now = 5_000;
    private final TokenBucket bucket = new TokenBucket(() -> now, 5, 100);

    private int acquire(int attempts, long pause) {
        int granted = 0;
        for (int i = 0; i < attempts; i++) {
            now += pause;
            if (bucket.tryAcquire()) {
                granted++;
            }
        }
        return granted;
    }

    @Test
    public void startsFull() {
        assertEquals(5, bucket.available());
        assertEquals(5, acquire(8, 0));
    }

    @Test
    public void oneTokenPerInterval() {
        acquire(5, 0);
        now += 100;
        assertTrue(bucket.tryAcquire());
        assertFalse(bucket.tryAcquire());
    }

    @Test
    public void severalIntervalsGiveSeveralTokens() {
        acquire(5, 0);
        now += 300;
        assertEquals(3, bucket.available());
    }

    @Test
    public void neverHoldsMoreThanItsSize() {
        now += 1_000_000;
        assertEquals(5, bucket.available());
        assertEquals(5, acquire(6, 0));
    }

    @Test
    public void fullBucketDoesNotSaveForLater() {
        now += 10_000;
        acquire(5, 0);
        assertEquals(0, bucket.available());
        now += 99;
        assertEquals(0, bucket.available());
    }

    @Test
    public void frequentAttemptsDoNotStarve() {
        acquire(5, 0);
        assertEquals(10, acquire(100, 10));
    }

    @Test
    public void remainderOfAnIntervalIsKept() {
        acquire(5, 0);
        now += 150;
        assertEquals(1, bucket.available());
        now += 50;
        assertEquals(2, bucket.available());
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesIntervalZero() {
        new TokenBucket(Clock.SYSTEM, 1, 0);
    }
}
