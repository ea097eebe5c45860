package examples.http;

import java.nio.charset.StandardCharsets;

/** Percent encoding of names and values. */
final class Encoding {

    private static final String SAFE = "-._~";

    private Encoding() {
    }

    static String encode(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            int value = b & 0xff;
            if (value < 128 && (Character.isLetterOrDigit(value) || SAFE.indexOf(value) >= 0)) {
                encoded.append((char) value);
            } else {
                encoded.append('%').append(Character.toUpperCase(Character.forDigit(value >> 4, 16)))
                        .append(Character.toUpperCase(Character.forDigit(value & 15, 16)));
            }
        }
        return encoded.toString();
    }
}
