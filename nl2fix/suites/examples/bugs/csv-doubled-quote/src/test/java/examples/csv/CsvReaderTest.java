package examples.csv;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.util.Arrays;
import java.util.Collections;
import org.junit.Test;

public class CsvReaderTest {

    private final CsvReader reader = new CsvReader(CsvFormat.RFC4180);

    @Test
    public void splitsAtDelimiter() {
        assertEquals(Arrays.asList("a", "b", "c"), reader.parse("a,b,c"));
    }

    @Test
    public void keepsEmptyFields() {
        assertEquals(Arrays.asList("", "b", ""), reader.parse(",b,"));
        assertEquals(Collections.singletonList(""), reader.parse(""));
    }

    @Test
    public void quotedFieldMayHoldDelimiter() {
        assertEquals(Arrays.asList("Smith, J.", "42"), reader.parse("\"Smith, J.\",42"));
    }

    @Test
    public void emptyQuotedFieldIsEmpty() {
        assertEquals(Arrays.asList("", "x"), reader.parse("\"\",x"));
    }

    @Test
    public void keepsDoubledQuoteInsideQuotedField() {
        assertEquals(
                Arrays.asList("4711", "19\" rack, black", "89.00"),
                reader.parse("4711,\"19\"\" rack, black\",89.00"));
    }

    @Test
    public void quotedFieldMayConsistOfOneQuote() {
        assertEquals(Arrays.asList("\"", "b"), reader.parse("\"\"\"\",b"));
    }

    @Test
    public void refusesUnclosedQuote() {
        try {
            reader.parse("a,\"b");
            fail("unclosed quote was accepted");
        } catch (CsvException expected) {
            assertTrue(expected.getMessage().contains("unclosed"));
        }
    }

    @Test
    public void otherFormatsUseTheirOwnCharacters() {
        CsvReader european = new CsvReader(CsvFormat.EXCEL_EUROPE);
        assertEquals(Arrays.asList("1,5", "2"), european.parse("1,5;2"));
    }

    @Test
    public void parsesAllLines() {
        assertEquals(
                Arrays.asList(Arrays.asList("a", "b"), Arrays.asList("c", "d")),
                reader.parseAll("a,b\r\nc,d\n"));
    }
}
