package examples.geo;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Locale;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class GeoJsonTest {

    private Locale before;

    @Before
    public void rememberLocale() {
        before = Locale.getDefault();
        Locale.setDefault(Locale.US);
    }

    @After
    public void restoreLocale() {
        Locale.setDefault(before);
    }

    private static final Position BERLIN = new Position(13.404954, 52.520008);

    @Test
    public void writesAPoint() {
        assertEquals("{\"type\":\"Point\",\"coordinates\":[13.404954,52.520008]}", GeoJson.point(BERLIN));
    }

    @Test
    public void dropsTrailingZeros() {
        assertEquals("{\"type\":\"Point\",\"coordinates\":[-10.5,40]}", GeoJson.point(new Position(-10.5, 40)));
    }

    @Test
    public void writesALine() {
        assertEquals("{\"type\":\"LineString\",\"coordinates\":[[1,2],[3.25,4]]}",
                GeoJson.line(Arrays.asList(new Position(1, 2), new Position(3.25, 4))));
    }

    @Test
    public void pointIsTheSameInGermany() {
        Locale.setDefault(Locale.GERMANY);
        assertEquals("{\"type\":\"Point\",\"coordinates\":[13.404954,52.520008]}", GeoJson.point(BERLIN));
    }

    @Test
    public void lineIsTheSameInFrance() {
        Locale.setDefault(Locale.FRANCE);
        assertEquals("{\"type\":\"LineString\",\"coordinates\":[[0.5,2],[3,4]]}",
                GeoJson.line(Arrays.asList(new Position(0.5, 2), new Position(3, 4))));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesImpossibleLatitude() {
        new Position(0, 91);
    }
}
