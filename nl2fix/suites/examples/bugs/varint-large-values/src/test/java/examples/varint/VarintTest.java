package examples.varint;

import static org.junit.Assert.assertEquals;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.junit.Test;

public class VarintTest {

    private static void assertSurvives(long value) {
        ByteBuffer buffer = ByteBuffer.allocate(10);
        Varint.write(buffer, value);
        buffer.flip();
        assertEquals(value, Varint.read(buffer));
        assertEquals(0, buffer.remaining());
    }

    private static long read(int... bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(bytes.length);
        for (int b : bytes) {
            buffer.put((byte) b);
        }
        buffer.flip();
        return Varint.read(buffer);
    }

    @Test
    public void readsOneByte() {
        assertEquals(0, read(0));
        assertEquals(127, read(127));
    }

    @Test
    public void readsTwoBytes() {
        assertEquals(128, read(0x80, 0x01));
        assertEquals(300, read(0xac, 0x02));
    }

    @Test
    public void smallValuesSurviveARoundTrip() {
        for (long value : new long[] {1, 127, 128, 300, 65536, 268435455}) {
            assertSurvives(value);
        }
    }

    @Test
    public void longValuesSurviveARoundTrip() {
        for (int bit = 28; bit < 63; bit++) {
            assertSurvives(1L << bit);
        }
        assertSurvives(Long.MAX_VALUE);
    }

    @Test
    public void negativeValuesSurviveARoundTrip() {
        assertSurvives(-1);
        assertSurvives(-4711);
        assertSurvives(Long.MIN_VALUE);
    }

    @Test
    public void messageWithTimestamp() {
        Message message = Message.decode(new Message(1700000000000L, "hello").encode());
        assertEquals(1700000000000L, message.sentAt());
        assertEquals("hello", message.text());
    }

    @Test(expected = BufferUnderflowException.class)
    public void refusesMissingBytes() {
        read(0x80, 0x80);
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesTooManyBytes() {
        read(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01);
    }
}
