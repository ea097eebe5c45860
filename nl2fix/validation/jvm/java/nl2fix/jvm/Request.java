package nl2fix.jvm;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A request's fields, read in the order in which the parent wrote them. */
final class Request {
    final char operation;
    /** Null where the answer's nonce is not known before. */
    final byte[] nonce;
    private final ByteBuffer fields;

    Request(byte[] frame) {
        fields = ByteBuffer.wrap(frame);
        operation = (char) fields.get();
        nonce = operation == 'C' ? new byte[Reply.NONCE] : null;
        if (nonce != null) {
            fields.get(nonce);
        }
    }

    int number() {
        return fields.getInt();
    }

    double real() {
        return fields.getDouble();
    }

    boolean flag() {
        return fields.get() != 0;
    }

    byte[] bytes() {
        byte[] value = new byte[number()];
        fields.get(value);
        return value;
    }

    String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    List<String> texts() {
        int count = number();
        List<String> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(text());
        }
        return values;
    }
}
