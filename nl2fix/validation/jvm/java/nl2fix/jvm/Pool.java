package nl2fix.jvm;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The constants of a class file. Format: JVM specification, section 4.4. */
final class Pool {
    private static final int TEXT = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int UNSIGNED = 65535;

    /** One more than the last constant's number. */
    final int count;
    private final int[] tags;
    private final String[] texts;
    private final int[] first;
    private final int[] second;

    /** Reads the constants whose number comes next, and stands behind them then. */
    Pool(ByteBuffer in) {
        count = in.getShort() & UNSIGNED;
        tags = new int[count];
        texts = new String[count];
        first = new int[count];
        second = new int[count];
        for (int i = 1; i < count; i++) {
            tags[i] = in.get();
            read(in, i);
            i += tags[i] == LONG || tags[i] == DOUBLE ? 1 : 0;
        }
    }

    private void read(ByteBuffer in, int i) {
        int tag = tags[i];
        if (tag == TEXT) {
            byte[] text = new byte[in.getShort() & UNSIGNED];
            in.get(text);
            texts[i] = new String(text, StandardCharsets.UTF_8);
        } else if (tag == LONG || tag == DOUBLE) {
            in.getLong();
        } else if (tag == 3 || tag == 4) {
            in.getInt();
        } else if (tag == 15) {
            in.get();
            in.getShort();
        } else {
            first[i] = in.getShort() & UNSIGNED;
            second[i] = tag == 7 || tag == 8 || tag == 16 || tag == 19 || tag == 20 ? 0 : in.getShort() & UNSIGNED;
        }
    }

    int tag(int constant) {
        return tags[constant];
    }

    String text(int constant) {
        return texts[constant];
    }

    /** Of a class: its name as class files write it. */
    String className(int constant) {
        return texts[first[constant]];
    }

    /** Of a field or a method. */
    String owner(int member) {
        return className(first[member]);
    }

    /** Of a field, a method, or a call that is linked at run time. */
    String name(int member) {
        return texts[first[second[member]]];
    }

    /** Of the same. */
    String descriptor(int member) {
        return texts[second[second[member]]];
    }
}
