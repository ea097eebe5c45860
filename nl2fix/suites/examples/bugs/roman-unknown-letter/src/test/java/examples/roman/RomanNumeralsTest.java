package examples.roman;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.util.Arrays;
import org.junit.Test;

public class RomanNumeralsTest {

    private static void assertRefused(String text) {
        try {
            RomanNumerals.parse(text);
            fail("accepted " + text);
        } catch (NumberFormatException expected) {
            assertTrue(expected.getMessage(), expected.getMessage().contains(text));
        }
    }

    @Test
    public void parsesSimpleNumerals() {
        assertEquals(1, RomanNumerals.parse("I"));
        assertEquals(1666, RomanNumerals.parse("MDCLXVI"));
    }

    @Test
    public void parsesSubtractiveForms() {
        assertEquals(4, RomanNumerals.parse("IV"));
        assertEquals(1914, RomanNumerals.parse("MCMXIV"));
    }

    @Test
    public void everyNumberSurvivesARoundTrip() {
        for (int i = 1; i <= 3999; i++) {
            assertEquals(i, RomanNumerals.parse(RomanNumerals.format(i)));
        }
    }

    @Test
    public void unusualFormsAreRefused() {
        assertRefused("IIII");
        assertRefused("VX");
        assertRefused("");
    }

    @Test
    public void unknownLetterIsANumberFormatError() {
        assertRefused("MCMXIV.");
        assertRefused("xiv");
        assertRefused("X IV");
        assertRefused("A");
    }

    @Test
    public void readerSkipsWhatIsNoNumeral() {
        assertEquals(
                Arrays.asList(1, 2, 4),
                ChapterReader.chapters("Contents\nI Dawn\nII Noon\n  a digression\nIV Night\n"));
    }

    @Test(expected = IllegalArgumentException.class)
    public void cannotFormatZero() {
        RomanNumerals.format(0);
    }
}
