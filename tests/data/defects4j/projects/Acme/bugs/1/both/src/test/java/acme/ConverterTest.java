package acme;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import org.junit.Test;

public class ConverterTest {
    private final Converter converter = new Converter();

    @Test
    public void convertsMilesToKilometres() {
        assertEquals(1.609344, converter.convert(1, "mi", "km"), 1e-9);
    }

    @Test
    public void parsesWithOneBlank() {
        assertEquals(3000, converter.parse("3 km", "m"), 1e-9);
    }

    @Test
    public void parsesWithManyBlanks() {
        assertEquals(3000, converter.parse(" 3 \t km ", "m"), 1e-9);
    }

    @Test
    public void parsesWithTab() {
        assertEquals(3000, converter.parse("3\tkm", "m"), 1e-9);
    }

    @Test
    public void refusesOtherTexts() {
        try {
            converter.parse("far", "m");
            fail();
        } catch (IllegalArgumentException e) {
            assertTrue(e.getMessage(), e.getMessage().startsWith("\u00a7far"));
        }
    }
}
