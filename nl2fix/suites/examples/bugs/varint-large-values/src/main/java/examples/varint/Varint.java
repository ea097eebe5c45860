package examples.varint;

import java.nio.ByteBuffer;

/** Integers in groups of seven bits, lowest first; the top bit of a byte says that more follow. */
public final class Varint {

    private static final int MAX_BYTES = 10;

    private Varint() {
    }

    public static void write(ByteBuffer out, long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.put((byte) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        out.put((byte) rest);
    }

    /** Reads one integer of up to 64 bits. */
    public static long read(ByteBuffer in) {
        long value = 0;
        for (int i = 0; i < MAX_BYTES; i++) {
            byte group = in.get();
            value |= (group & 0x7f) << 7 * i;
            if (group >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("integer of more than " + MAX_BYTES + " bytes");
    }
}
