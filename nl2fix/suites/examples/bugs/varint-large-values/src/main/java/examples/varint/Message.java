package examples.varint;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A short text with the time at which it was sent. */
public final class Message {

    private final long sentAt;
    private final String text;

    public Message(long sentAt, String text) {
        this.sentAt = sentAt;
        this.text = text;
    }

    public long sentAt() {
        return sentAt;
    }

    public String text() {
        return text;
    }

    public ByteBuffer encode() {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(20 + bytes.length);
        Varint.write(out, sentAt);
        Varint.write(out, bytes.length);
        out.put(bytes);
        out.flip();
        return out;
    }

    public static Message decode(ByteBuffer in) {
        long sentAt = Varint.read(in);
        byte[] bytes = new byte[(int) Varint.read(in)];
        in.get(bytes);
        return new Message(sentAt, new String(bytes, StandardCharsets.UTF_8));
    }
}
