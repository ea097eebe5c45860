package acme;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Units as listed in a resource beside the classes. */
public final class Units {
    private static final Properties LISTED = new Properties();

    static {
        InputStream in = Thread.currentThread().getContextClassLoader().getResourceAsStream("acme/units.properties");
        try {
            LISTED.load(in);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Units() {
    }

    public static Unit of(String symbol) {
        String metres = LISTED.getProperty(symbol);
        return metres == null ? null : new Unit(symbol, Double.parseDouble(metres));
    }
}
