package nl2fix.jvm;

import java.io.ByteArrayOutputStream;

/** Instructions that are put in front of another one; a multiple of four bytes. Numbers: JVM specification, chapter 6. */
final class Piece {
    private static final int SIPUSH = 17;
    private static final int ILOAD = 21;
    private static final int INVOKESTATIC = 184;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Calls a static method, by its constant, with a number of two bytes. */
    Piece call(int method, int number) {
        bytes.write(SIPUSH);
        place(number);
        return call(method);
    }

    /** The same with a local variable; {@code kind}: its place among int, long, float, double, reference. */
    Piece call(int method, int kind, int local) {
        bytes.write(ILOAD + kind);
        bytes.write(local);
        return call(method);
    }

    private Piece call(int method) {
        bytes.write(INVOKESTATIC);
        place(method);
        return this;
    }

    private void place(int value) {
        bytes.write(value >> 8);
        bytes.write(value);
    }

    /** Does nothing up to the next multiple of four bytes. */
    Piece filled() {
        while (bytes.size() % 4 != 0) {
            bytes.write(0);
        }
        return this;
    }

    byte[] bytes() {
        return filled().bytes.toByteArray();
    }
}
