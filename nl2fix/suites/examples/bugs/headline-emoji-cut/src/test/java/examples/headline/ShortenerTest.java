package examples.headline;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class ShortenerTest {

    private static final String PIZZA = "\ud83c\udf55";

    private static String shorten(int limit, String text) {
        return new Shortener(limit).shorten(text);
    }

    @Test
    public void shortTextsStay() {
        assertEquals("", shorten(3, ""));
        assertEquals("abc", shorten(3, "abc"));
    }

    @Test
    public void longTextsEndInDots() {
        assertEquals("ab\u2026", shorten(3, "abcd"));
        assertEquals("\u2026", shorten(1, "abcd"));
    }

    @Test
    public void umlautsAreCharactersLikeOthers() {
        assertEquals("\u00e4\u00f6\u2026", shorten(3, "\u00e4\u00f6\u00fc\u00df"));
    }

    @Test
    public void neverCutsAnEmojiInHalf() {
        assertEquals("ab" + PIZZA + PIZZA + "\u2026", shorten(5, "ab" + PIZZA + PIZZA + PIZZA + PIZZA));
        assertEquals("a" + PIZZA + "\u2026", shorten(3, "a" + PIZZA + "bc"));
    }

    @Test
    public void countsCharactersAsReadersDo() {
        String four = PIZZA + PIZZA + PIZZA + PIZZA;
        assertEquals(four, shorten(4, four));
        assertEquals(PIZZA + PIZZA + "\u2026", shorten(3, four));
    }

    @Test
    public void teaser() {
        assertEquals("News\nIt rained\u2026", new Teaser(10, 10).render(" News ", "It  rained\nall day."));
    }

    @Test
    public void teaserOfEmojis() {
        assertEquals(PIZZA + "!\n" + PIZZA + "\u2026", new Teaser(2, 2).render(PIZZA + "!", PIZZA + "x" + PIZZA));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesLimitZero() {
        new Shortener(0);
    }
}
