package acme;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class BrokenTest {
    @Test
    public void failsOnTheFixedVersionToo() {
        assertEquals(4, 2 + 1);
    }

    @Test
    public void passes() {
        assertEquals("1.0 m", new Converter().show(1, "m"));
    }
}
