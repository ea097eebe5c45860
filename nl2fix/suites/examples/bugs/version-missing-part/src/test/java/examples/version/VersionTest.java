package examples.version;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Optional;
import org.junit.Test;

public class VersionTest {

    private static int compare(String left, String right) {
        int order = new Version(left).compareTo(new Version(right));
        assertEquals(Integer.signum(order), -Integer.signum(new Version(right).compareTo(new Version(left))));
        return Integer.signum(order);
    }

    @Test
    public void comparesPartsAsNumbers() {
        assertEquals(-1, compare("1.9", "1.10"));
        assertEquals(1, compare("2.0", "1.99"));
        assertEquals(0, compare("1.2.3", "1.2.3"));
    }

    @Test
    public void firstDifferenceDecides() {
        assertEquals(1, compare("3.1", "2.1.1"));
        assertEquals(-1, compare("1.2.9", "1.3"));
    }

    @Test
    public void longerVersionIsNewer() {
        assertEquals(-1, compare("2.1", "2.1.1"));
        assertEquals(1, compare("2.1.0.7", "2.1"));
    }

    @Test
    public void missingPartsCountAsZero() {
        assertEquals(0, compare("3", "3.0.0"));
        assertEquals(-1, compare("3.0", "3.0.0.1"));
    }

    @Test
    public void trailingZerosDoNotMatter() {
        assertEquals(new Version("2.1"), new Version("2.1.0"));
        assertEquals(new Version("2.1").hashCode(), new Version("2.1.0").hashCode());
    }

    @Test
    public void updaterOffersTheNewest() {
        Updater updater = new Updater(new Version("1.0"));
        assertEquals("1.10",
                updater.offer(Arrays.asList(new Version("1.9"), new Version("1.10"))).get().toString());
    }

    @Test
    public void updaterOffersPatchRelease() {
        Updater updater = new Updater(new Version("2.1"));
        Optional<Version> offer = updater.offer(Arrays.asList(new Version("2.0.5"), new Version("2.1.1")));
        assertTrue(offer.isPresent());
    }

    @Test
    public void updaterOffersNothingToTheNewest() {
        assertFalse(new Updater(new Version("4")).offer(Arrays.asList(new Version("4.0"))).isPresent());
    }
}
