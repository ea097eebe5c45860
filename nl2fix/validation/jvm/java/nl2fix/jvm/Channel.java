package nl2fix.jvm;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Frames to and from the parent: a 4-byte length, in replies a 16-byte nonce, one letter for the kind,
 * then the fields. Every answer bears a nonce that the parent gives only when it is asked for it, after the code
 * under test has ended: while that runs, there is nothing in this process to forge an answer with. A request that
 * runs none, in a process that never does, brings its nonce along.
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

    /** A sign of life; one write per frame, so that frames of several threads never mix. */
    synchronized void tell(Reply reply) throws IOException {
        output.write(reply.frame(new byte[Reply.NONCE]));
    }

    /** Asks the parent whether tests may run longer. */
    synchronized boolean mayGoOn() throws IOException {
        tell(new Reply('M'));
        return input.readByte() == 1;
    }

    /** Answers with the request's nonce, else with one that the parent is asked for. */
    synchronized void answer(Request request, Reply reply) throws IOException {
        byte[] nonce = request.nonce;
        if (nonce == null) {
            tell(new Reply('D'));
            nonce = new byte[Reply.NONCE];
            input.readFully(nonce);
        }
        output.write(reply.frame(nonce));
    }
}
