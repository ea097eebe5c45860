package examples.images;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import org.junit.Test;

public class ThumbnailsTest {

    private static void assertFits(String expected, int width, int height, int boxWidth, int boxHeight) {
        assertEquals(expected, Thumbnails.fit(new Size(width, height), new Size(boxWidth, boxHeight)).toString());
    }

    @Test
    public void smallPicturesStay() {
        assertFits("30x20", 30, 20, 100, 100);
        assertFits("100x100", 100, 100, 100, 100);
    }

    @Test
    public void landscapeFitsByItsWidth() {
        assertFits("400x200", 1200, 600, 400, 400);
        assertFits("300x100", 3000, 1000, 300, 200);
    }

    @Test
    public void squareFitsASquareBox() {
        assertFits("64x64", 1000, 1000, 64, 64);
    }

    @Test
    public void portraitFitsByItsHeight() {
        assertFits("200x400", 600, 1200, 400, 400);
        assertFits("75x100", 3000, 4000, 400, 100);
    }

    @Test
    public void extremeShapesKeepOnePixel() {
        assertFits("100x1", 10000, 3, 100, 100);
    }

    @Test
    public void galleryKeepsTheShape() {
        assertEquals(
                Arrays.asList(new Size(40, 20), new Size(20, 40), new Size(10, 10)),
                Thumbnails.gallery(
                        Arrays.asList(new Size(400, 200), new Size(200, 400), new Size(10, 10)), new Size(40, 40)));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesEmptySize() {
        new Size(0, 4);
    }
}
