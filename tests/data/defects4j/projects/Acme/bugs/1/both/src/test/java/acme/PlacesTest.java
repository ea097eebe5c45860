package acme;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.FileWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;
import java.util.TimeZone;
import org.junit.Test;

/** Needs the working directory, the time zone, a head-less screen and a host name. */
public class PlacesTest {
    @Test
    public void readsAFileOfTheProject() throws IOException {
        List<String> lines = Files.readAllLines(Paths.get("data/distances.txt"));
        double sum = 0;
        for (String line : lines) {
            sum += new Converter().parse(line, "km");
        }
        assertEquals("11.0 km", new Converter().show(sum, "km"));
    }

    @Test
    public void writesBesideItself() throws IOException {
        File file = new File("target/written.txt");
        FileWriter writer = new FileWriter(file);
        writer.write("x");
        writer.close();
        assertTrue(file.delete());
    }

    @Test
    public void livesInLosAngeles() {
        assertEquals("America/Los_Angeles", TimeZone.getDefault().getID());
    }

    @Test
    public void hasNoSuchHost() throws IOException {
        assertEquals("127.0.0.1", InetAddress.getByName("google.com").getHostAddress());
    }
}
