package examples.streams;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads files made of chunks: four letters of type, four bytes of length, content. */
public final class ChunkReader {

    private final InputStream in;

    public ChunkReader(InputStream in) {
        this.in = in;
    }

    /** The content of the next chunk of a type; chunks of other types are skipped. */
    public byte[] find(String type) throws IOException {
        while (true) {
            String found = new String(Streams.readFully(in, 4), StandardCharsets.US_ASCII);
            int length = ByteBuffer.wrap(Streams.readFully(in, 4)).getInt();
            if (found.equals(type)) {
                return Streams.readFully(in, length);
            }
            Streams.skipFully(in, length);
        }
    }
}
