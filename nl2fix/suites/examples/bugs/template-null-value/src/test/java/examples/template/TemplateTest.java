package examples.template;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

public class TemplateTest {

    private final Map<String, Object> values = new HashMap<>();

    private String render(String source) {
        return new Template(source).render(values);
    }

    @Test
    public void replacesVariables() {
        values.put("name", "Ada");
        values.put("year", 1843);
        assertEquals("Ada, 1843", render("${name}, ${year}"));
    }

    @Test
    public void textWithoutVariablesStays() {
        assertEquals("nothing here", render("nothing here"));
        assertEquals("", render(""));
    }

    @Test
    public void doubledDollarIsADollar() {
        values.put("sum", 5);
        assertEquals("$5 or 5$", render("$$${sum} or 5$$"));
    }

    @Test
    public void nullIsEmpty() {
        values.put("title", null);
        assertEquals("", render("${title}"));
    }

    @Test
    public void nullBetweenText() {
        values.put("title", null);
        values.put("name", "Ada");
        assertEquals("Dear  Ada,", new Template("Dear ${title} ${name},", Escaper.HTML).render(values));
    }

    @Test
    public void unknownVariableIsAnError() {
        try {
            render("${nmae}");
            fail("unknown variable was accepted");
        } catch (TemplateException expected) {
            assertTrue(expected.getMessage().contains("nmae"));
        }
    }

    @Test
    public void valuesAreEscaped() {
        values.put("formula", "a < b & c");
        assertEquals("<b>a &lt; b &amp; c</b>",
                new Template("<b>${formula}</b>", Escaper.HTML).render(values));
    }

    @Test(expected = TemplateException.class)
    public void refusesUnclosedVariable() {
        render("${name");
    }
}
