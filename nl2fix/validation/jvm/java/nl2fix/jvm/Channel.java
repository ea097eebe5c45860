package nl2fix.jvm;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Frames to and from the parent: a 4-byte length, the 16-byte nonce of the request, one letter for the
 * kind, then the fields. Every reply repeats its request's nonce, which only the parent and this
 * class's callers know, so that code under test that finds the channel cannot forge an answer.
 */
final class Channel {
    private final DataInputStream input;
    private final OutputStream output;

    private Channel(DataInputStream input, OutputStream output) {
        this.input = input;
        this.output = output;
    }

    static Channel open(String from, String to) throws IOException {
        return new Channel(
                new DataInputStream(new BufferedInputStream(new FileInputStream(from), 1 << 16)),
                new FileOutputStream(to));
    }

    /** The next request, or null when the parent has closed the channel. */
    Request next() throws IOException {
        int length;
        try {
            length = input.readInt();
        } catch (EOFException closed) {
            return null;
        }
        byte[] frame = new byte[length];
        input.readFully(frame);
        return new Request(frame);
    }

    /** One write per frame, so that frames of several threads never mix. */
    synchronized void send(Reply reply) throws IOException {
        output.write(reply.frame());
    }
}
