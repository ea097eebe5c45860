package nl2fix.jvm;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;

/**
 * SHA-256 over compiled classes without their line number tables.
 *
 * <p>Candidates that differ only in comments, blank lines or layout thus hash equally and share one
 * verdict. Line numbers reach a program only through stack traces of the edited file itself; a test
 * whose outcome hangs on them would fail for every comment. Everything else counts, names of local
 * variables included.
 */
final class ClassHash {
    private static final String CODE = "Code";
    private static final String LINES = "LineNumberTable";
    private final ByteBuffer code;
    private final MessageDigest digest;
    private String[] names;
    private int copied;

    private ClassHash(byte[] bytes, MessageDigest digest) {
        this.code = ByteBuffer.wrap(bytes);
        this.digest = digest;
    }

    static String of(Map<String, byte[]> classes) {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
        for (Map.Entry<String, byte[]> item : classes.entrySet()) {
            digest.update((item.getKey() + '\0').getBytes(StandardCharsets.UTF_8));
            new ClassHash(item.getValue(), digest).feed();
        }
        StringBuilder hex = new StringBuilder();
        for (byte value : digest.digest()) {
            hex.append(Character.forDigit(value >> 4 & 15, 16)).append(Character.forDigit(value & 15, 16));
        }
        return hex.toString();
    }

    /** Walks the class file (JVM specification, chapter 4) and leaves out the line number tables. */
    private void feed() {
        code.position(8);
        constants();
        skip(6);
        skip(2 * unsigned());
        for (int part = 0; part < 2; part++) {
            for (int members = unsigned(); members > 0; members--) {
                skip(6);
                attributes();
            }
        }
        attributes();
        copyTo(code.limit());
    }

    private void constants() {
        int count = unsigned();
        names = new String[count];
        for (int i = 1; i < count; i++) {
            int tag = code.get();
            if (tag == 1) {
                byte[] text = new byte[unsigned()];
                code.get(text);
                names[i] = new String(text, StandardCharsets.ISO_8859_1);
            } else if (tag == 5 || tag == 6) {
                skip(8);
                i++;
            } else {
                skip(tag == 15 ? 3 : tag == 7 || tag == 8 || tag == 16 || tag == 19 || tag == 20 ? 2 : 4);
            }
        }
    }

    private void attributes() {
        for (int count = unsigned(); count > 0; count--) {
            int start = code.position();
            String name = names[unsigned()];
            int end = code.getInt() + code.position();
            if (LINES.equals(name)) {
                copyTo(start);
                copied = end;
            } else if (CODE.equals(name)) {
                skip(4);
                skip(code.getInt());
                skip(8 * unsigned());
                attributes();
            }
            code.position(end);
        }
    }

    private void copyTo(int end) {
        digest.update(code.array(), copied, end - copied);
        copied = end;
    }

    private int unsigned() {
        return code.getShort() & 0xffff;
    }

    private void skip(int count) {
        code.position(code.position() + count);
    }
}
