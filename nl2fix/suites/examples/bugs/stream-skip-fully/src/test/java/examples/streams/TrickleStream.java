package examples.streams;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** Skips in small steps, sometimes not at all, and gives up on callers that never stop asking. */
class TrickleStream extends InputStream {

    private final ByteArrayInputStream content;
    private final int step;
    private int calls;

    TrickleStream(byte[] content, int step) {
        this.content = new ByteArrayInputStream(content);
        this.step = step;
    }

    private void count() {
        calls++;
        if (calls > 10_000) {
            throw new IllegalStateException("asked 10,000 times");
        }
    }

    @Override
    public int read() {
        count();
        return content.read();
    }

    @Override
    public long skip(long n) {
        count();
        return calls % 3 == 0 ? 0 : content.skip(Math.min(n, step));
    }
}
