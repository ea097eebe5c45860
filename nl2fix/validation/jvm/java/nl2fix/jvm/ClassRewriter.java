package nl2fix.jvm;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/**
 * A class file whose methods call static methods of ours besides. Format: JVM specification, chapter 4.
 *
 * <p>The tables of verification are left out: only for workers that do not verify.
 */
final class ClassRewriter {
    private static final int MOST = 65535;
    /** Constants that each method of ours takes. */
    private static final int PARTS = 4;

    /** What is added, and where. */
    interface Addition {
        /** The class whose methods are called. */
        String owner();

        /** Their names and descriptors in turn. */
        String[] calls();

        /**
         * What to put into a method; null for nothing.
         *
         * @param source name of its source file with the folders of its package; empty where none is named
         * @param first the constant of the first call; that of each other is four more than the one before
         */
        Insertion into(Method method, String source, int first);

        /** Slots of the operand stack that it takes. */
        int stack();
    }

    private final ByteBuffer in;
    private final ByteArrayOutputStream bytes;
    private final DataOutputStream out;
    private final Addition addition;
    private final Pool pool;
    private final int first;
    private String source = "";
    /** Where the name of the tables of lines stands. */
    private int lineTable;

    private ClassRewriter(byte[] content, Addition addition) throws IOException {
        in = ByteBuffer.wrap(content);
        bytes = new ByteArrayOutputStream(2 * content.length + 1024);
        out = new DataOutputStream(bytes);
        this.addition = addition;
        in.position(8);
        pool = new Pool(in);
        first = pool.count + 2 + PARTS - 1;
    }

    /** The class as it is where it is of an unknown form. */
    static byte[] rewritten(byte[] content, Addition addition) {
        try {
            return new ClassRewriter(content, addition).changed();
        } catch (IOException | RuntimeException strange) {
            return content;
        }
    }

    private byte[] changed() throws IOException {
        String[] calls = addition.calls();
        int count = pool.count + 2 + PARTS * calls.length / 2;
        if (count > MOST) {
            throw new IOException("no room");
        }
        out.write(in.array(), 0, 8);
        out.writeShort(count);
        out.write(in.array(), 10, in.position() - 10);
        constants(calls);
        int head = in.position();
        in.getShort();
        String name = pool.className(unsigned());
        String file = sourceFile(head);
        source = file.isEmpty() ? "" : name.substring(0, name.lastIndexOf('/') + 1) + file;
        in.position(head);
        copy(6);
        copy(2 * number());
        members(false);
        members(true);
        copy(in.remaining());
        return bytes.toByteArray();
    }

    private void constants(String[] calls) throws IOException {
        int owner = pool.count + 1;
        text(addition.owner().replace('.', '/'));
        constant(7, pool.count);
        for (int i = 0; i < calls.length; i += 2) {
            int name = owner + 1 + PARTS * i / 2;
            text(calls[i]);
            text(calls[i + 1]);
            constant(12, name, name + 1);
            constant(10, owner, name + 2);
        }
    }

    private void text(String value) throws IOException {
        out.writeByte(1);
        out.writeUTF(value);
    }

    private void constant(int tag, int... parts) throws IOException {
        out.writeByte(tag);
        for (int part : parts) {
            out.writeShort(part);
        }
    }

    /** Of the class whose access flags stand at a place. */
    private String sourceFile(int head) {
        in.position(head + 6);
        skip(2 * unsigned());
        for (int part = 0; part < 2; part++) {
            for (int members = unsigned(); members > 0; members--) {
                skip(6);
                for (int left = unsigned(); left > 0; left--) {
                    skip(2);
                    skip(in.getInt());
                }
            }
        }
        for (int left = unsigned(); left > 0; left--) {
            String name = pool.text(unsigned());
            int length = in.getInt();
            if ("SourceFile".equals(name)) {
                return pool.text(unsigned());
            }
            skip(length);
        }
        return "";
    }

    private void members(boolean methods) throws IOException {
        for (int members = number(); members > 0; members--) {
            copy(6);
            for (int left = number(); left > 0; left--) {
                int name = unsigned();
                int length = in.getInt();
                int start = in.position();
                byte[] code = methods && "Code".equals(pool.text(name)) ? code() : null;
                in.position(start);
                out.writeShort(name);
                if (code == null) {
                    out.writeInt(length);
                    copy(length);
                } else {
                    out.writeInt(code.length);
                    out.write(code);
                    skip(length);
                }
            }
        }
    }

    /** The content of a method's code with what is added; null where nothing is, or it does not fit. */
    private byte[] code() throws IOException {
        int stack = unsigned();
        int locals = unsigned();
        byte[] old = new byte[in.getInt()];
        in.get(old);
        int[][] handlers = new int[unsigned()][4];
        for (int[] handler : handlers) {
            for (int part = 0; part < handler.length; part++) {
                handler[part] = unsigned();
            }
        }
        Method method = new Method(pool, old, handlers, lines());
        Insertion insertion = addition.into(method, source, first);
        byte[] code = insertion == null ? null : insertion.code();
        if (code == null) {
            return null;
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream(code.length + 64);
        DataOutputStream to = new DataOutputStream(content);
        to.writeShort(stack + addition.stack());
        to.writeShort(locals);
        to.writeInt(code.length);
        to.write(code);
        to.writeShort(handlers.length);
        for (int[] handler : handlers) {
            for (int part = 0; part < 3; part++) {
                to.writeShort(insertion.moved(handler[part]));
            }
            to.writeShort(handler[3]);
        }
        table(to, method.lines, insertion);
        return content.toByteArray();
    }

    /** The lines, each from what was added there on, so that stack traces name them. */
    private void table(DataOutputStream to, Map<Integer, Integer> lines, Insertion insertion) throws IOException {
        to.writeShort(lines.isEmpty() ? 0 : 1);
        if (lines.isEmpty()) {
            return;
        }
        to.writeShort(lineTable);
        to.writeInt(2 + 4 * lines.size());
        to.writeShort(lines.size());
        for (Map.Entry<Integer, Integer> line : lines.entrySet()) {
            to.writeShort(insertion.moved(line.getKey()));
            to.writeShort(line.getValue());
        }
    }

    /** Where each line's code starts, from the tables that come now. */
    private TreeMap<Integer, Integer> lines() {
        TreeMap<Integer, Integer> lines = new TreeMap<>();
        for (int left = unsigned(); left > 0; left--) {
            int name = unsigned();
            int end = in.getInt() + in.position();
            if ("LineNumberTable".equals(pool.text(name))) {
                lineTable = name;
                for (int entries = unsigned(); entries > 0; entries--) {
                    lines.put(unsigned(), unsigned());
                }
            }
            in.position(end);
        }
        return lines;
    }

    /** Copies a number. */
    private int number() throws IOException {
        int value = unsigned();
        out.writeShort(value);
        return value;
    }

    private void copy(int count) throws IOException {
        out.write(in.array(), in.position(), count);
        skip(count);
    }

    private int unsigned() {
        return in.getShort() & MOST;
    }

    private void skip(int count) {
        in.position(in.position() + count);
    }
}
