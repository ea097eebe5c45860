package examples.streams;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.fail;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.junit.Test;

public class StreamsTest {

    private static byte[] numbers(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    @Test
    public void skipsInOneStep() throws IOException {
        InputStream in = new ByteArrayInputStream(numbers(10));
        Streams.skipFully(in, 4);
        assertEquals(4, in.read());
    }

    @Test
    public void goesOnWhenAStepIsShortOrEmpty() throws IOException {
        InputStream in = new TrickleStream(numbers(50), 3);
        Streams.skipFully(in, 40);
        assertEquals(40, in.read());
    }

    @Test
    public void skippingNothingReadsNothing() throws IOException {
        InputStream in = new TrickleStream(numbers(5), 3);
        Streams.skipFully(in, 0);
        assertEquals(0, in.read());
    }

    @Test
    public void maySkipToTheVeryEnd() throws IOException {
        InputStream in = new TrickleStream(numbers(7), 2);
        Streams.skipFully(in, 7);
        assertEquals(-1, in.read());
    }

    @Test
    public void endsWhenTheStreamIsShorter() throws IOException {
        try {
            Streams.skipFully(new TrickleStream(numbers(7), 2), 8);
            fail("skipped more than there is");
        } catch (EOFException expected) {
            return;
        }
    }

    @Test
    public void truncatedChunkIsReported() throws IOException {
        byte[] file = {'L', 'O', 'N', 'G', 0, 0, 1, 0, 1, 2, 3};
        try {
            new ChunkReader(new TrickleStream(file, 100)).find("DATA");
            fail("found a chunk that is not there");
        } catch (EOFException expected) {
            return;
        }
    }

    @Test
    public void findsAChunkBehindOthers() throws IOException {
        byte[] file = {'H', 'E', 'A', 'D', 0, 0, 0, 2, 9, 9, 'D', 'A', 'T', 'A', 0, 0, 0, 1, 7};
        assertArrayEquals(new byte[] {7}, new ChunkReader(new ByteArrayInputStream(file)).find("DATA"));
    }
}
