package examples.streams;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Helpers for input streams. */
public final class Streams {

    private Streams() {
    }

    /** Skips exactly {@code count} bytes; raises {@link EOFException} when there are fewer. */
    public static void skipFully(InputStream in, long count) throws IOException {
        long left = count;
        while (left > 0) {
            left -= in.skip(left);
        }
    }

    /** Reads exactly {@code count} bytes; raises {@link EOFException} when there are fewer. */
    public static byte[] readFully(InputStream in, int count) throws IOException {
        byte[] bytes = new byte[count];
        int read = 0;
        while (read < count) {
            int n = in.read(bytes, read, count - read);
            if (n < 0) {
                throw new EOFException("expected " + count + " bytes, found " + read);
            }
            read += n;
        }
        return bytes;
    }
}
