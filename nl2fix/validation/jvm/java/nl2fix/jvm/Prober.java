package nl2fix.jvm;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * A class file in which the code of each line first tells {@link Reached} that it runs. Format: JVM specification,
 * chapter 4.
 *
 * <p>What is added has eight bytes each, so that switches keep their padding; jumps and handlers are moved, and one
 * that leads to a line leads to what was added there. The tables of verification are left out: only for workers that
 * do not verify.
 */
final class Prober {
    private static final int ADDED = 8;
    private static final int LONGEST = 65535;
    private static final int SIPUSH = 17;
    private static final int INVOKESTATIC = 184;
    private static final int TABLE_SWITCH = 170;
    private static final int LOOKUP_SWITCH = 171;
    private static final int WIDE = 196;
    private static final byte[] LENGTHS = lengths();

    private final ByteBuffer in;
    private final ByteArrayOutputStream bytes;
    private final DataOutputStream out;
    private final Reached reached;
    private String[] names;
    private int[] references;
    private int probe;
    /** Where the name of the tables of lines stands. */
    private int lineTable;
    private String source = "";

    private Prober(byte[] content, Reached reached) {
        in = ByteBuffer.wrap(content);
        bytes = new ByteArrayOutputStream(2 * content.length + 1024);
        out = new DataOutputStream(bytes);
        this.reached = reached;
    }

    /** The class as it is where it is of an unknown form. */
    static byte[] probed(byte[] content, Reached reached) {
        try {
            return new Prober(content, reached).changed();
        } catch (IOException | RuntimeException strange) {
            return content;
        }
    }

    private byte[] changed() throws IOException {
        copy(8);
        int count = unsigned();
        if (count + 6 > LONGEST) {
            throw new IOException("no room");
        }
        out.writeShort(count + 6);
        constants(count);
        int head = in.position();
        in.getShort();
        String name = names[references[unsigned()]];
        source = name.substring(0, name.lastIndexOf('/') + 1) + sourceFile(head);
        in.position(head);
        copy(6);
        copy(2 * number());
        members(false);
        members(true);
        copy(in.remaining());
        return bytes.toByteArray();
    }

    private void constants(int count) throws IOException {
        names = new String[count];
        references = new int[count];
        int start = in.position();
        for (int i = 1; i < count; i++) {
            int tag = in.get();
            if (tag == 1) {
                byte[] text = new byte[unsigned()];
                in.get(text);
                names[i] = new String(text, StandardCharsets.UTF_8);
            } else if (tag == 5 || tag == 6) {
                skip(8);
                i++;
            } else if (tag == 7) {
                references[i] = unsigned();
            } else {
                skip(tag == 15 ? 3 : tag == 8 || tag == 16 || tag == 19 || tag == 20 ? 2 : 4);
            }
        }
        out.write(in.array(), start, in.position() - start);
        text(Reached.NAME.replace('.', '/'));
        constant(7, count);
        text("at");
        text("(I)V");
        constant(12, count + 2, count + 3);
        constant(10, count + 1, count + 4);
        probe = count + 5;
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
    private String sourceFile(int head) throws IOException {
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
            String name = names[unsigned()];
            int length = in.getInt();
            if ("SourceFile".equals(name)) {
                return names[unsigned()];
            }
            skip(length);
        }
        throw new IOException("no source file is named");
    }

    private void members(boolean methods) throws IOException {
        for (int members = number(); members > 0; members--) {
            copy(6);
            for (int left = number(); left > 0; left--) {
                int name = unsigned();
                int length = in.getInt();
                int start = in.position();
                byte[] code = methods && "Code".equals(names[name]) ? code() : null;
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

    /** The content of a method's code with probes; null where they do not fit. */
    private byte[] code() throws IOException {
        int stack = unsigned();
        int locals = unsigned();
        byte[] old = new byte[in.getInt()];
        in.get(old);
        short[][] handlers = new short[unsigned()][4];
        for (short[] handler : handlers) {
            in.asShortBuffer().get(handler);
            skip(8);
        }
        TreeMap<Integer, Integer> lines = lines();
        if (lines.isEmpty() || old.length + ADDED * lines.size() > LONGEST) {
            return null;
        }
        int[] starts = new int[lines.size()];
        int known = 0;
        for (int start : lines.keySet()) {
            starts[known++] = start;
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(content);
        to.writeShort(stack + 1);
        to.writeShort(locals);
        to.writeInt(old.length + ADDED * starts.length);
        int first = reached.number(source, new ArrayList<>(lines.values()));
        if (first < 0 || !new Mover(old, starts).write(to, first, probe)) {
            return null;
        }
        to.writeShort(handlers.length);
        for (short[] handler : handlers) {
            for (int part = 0; part < 3; part++) {
                int at = handler[part] & LONGEST;
                to.writeShort(at + ADDED * before(starts, at));
            }
            to.writeShort(handler[3]);
        }
        to.writeShort(1);
        table(to, lines);
        return content.toByteArray();
    }

    /** The lines, each from its probe on, so that stack traces name them. */
    private void table(DataOutputStream to, Map<Integer, Integer> lines) throws IOException {
        to.writeShort(lineTable);
        to.writeInt(2 + 4 * lines.size());
        to.writeShort(lines.size());
        int known = 0;
        for (Map.Entry<Integer, Integer> line : lines.entrySet()) {
            to.writeShort(line.getKey() + ADDED * known++);
            to.writeShort(line.getValue());
        }
    }

    /** Where each line's code starts, from the tables that come now. */
    private TreeMap<Integer, Integer> lines() {
        TreeMap<Integer, Integer> lines = new TreeMap<>();
        for (int left = unsigned(); left > 0; left--) {
            int name = unsigned();
            int end = in.getInt() + in.position();
            if ("LineNumberTable".equals(names[name])) {
                lineTable = name;
                for (int entries = unsigned(); entries > 0; entries--) {
                    lines.put(unsigned(), unsigned());
                }
            }
            in.position(end);
        }
        return lines;
    }

    /** How many of the sorted places lie before one. */
    private static int before(int[] starts, int at) {
        int found = Arrays.binarySearch(starts, at);
        return found < 0 ? -found - 1 : found;
    }

    private static byte[] lengths() {
        byte[] all = new byte[256];
        Arrays.fill(all, (byte) 1);
        fill(all, 2, 16, 16, 18, 18, 21, 25, 54, 58, 169, 169, 188, 188);
        fill(all, 3, 17, 17, 19, 20, 132, 132, 153, 168, 178, 184, 187, 187, 189, 189, 192, 193, 198, 199);
        fill(all, 4, 197, 197);
        fill(all, 5, 185, 186, 200, 201);
        return all;
    }

    private static void fill(byte[] all, int length, int... ranges) {
        for (int i = 0; i < ranges.length; i += 2) {
            Arrays.fill(all, ranges[i], ranges[i + 1] + 1, (byte) length);
        }
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
        return in.getShort() & LONGEST;
    }

    private void skip(int count) {
        in.position(in.position() + count);
    }

    /** Instructions of one method, which make room for what is added at some of them. */
    private static final class Mover {
        private final ByteBuffer code;
        private final int[] starts;

        Mover(byte[] code, int[] starts) {
            this.code = ByteBuffer.wrap(code);
            this.starts = starts;
        }

        /** Whether all jumps reach as far as they must now. */
        boolean write(DataOutputStream to, int first, int probe) throws IOException {
            int at = 0;
            int known = 0;
            while (at < code.limit()) {
                if (known < starts.length && starts[known] == at) {
                    to.writeByte(SIPUSH);
                    to.writeShort(first + known++);
                    to.writeByte(INVOKESTATIC);
                    to.writeShort(probe);
                    to.writeShort(0);
                }
                int length = length(at);
                if (!instruction(to, at, length)) {
                    return false;
                }
                at += length;
            }
            return known == starts.length;
        }

        private boolean instruction(DataOutputStream to, int at, int length) throws IOException {
            int opcode = code.get(at) & 255;
            if (opcode == TABLE_SWITCH || opcode == LOOKUP_SWITCH) {
                table(to, at, length, opcode == LOOKUP_SWITCH);
            } else if (opcode >= 153 && opcode <= 168 || opcode == 198 || opcode == 199) {
                int moved = moved(at, code.getShort(at + 1));
                to.writeByte(opcode);
                to.writeShort(moved);
                return moved == (short) moved;
            } else if (opcode == 200 || opcode == 201) {
                to.writeByte(opcode);
                to.writeInt(moved(at, code.getInt(at + 1)));
            } else {
                to.write(code.array(), at, length);
            }
            return true;
        }

        private void table(DataOutputStream to, int at, int length, boolean pairs) throws IOException {
            int start = at + 4 - at % 4;
            to.write(code.array(), at, start - at);
            to.writeInt(moved(at, code.getInt(start)));
            int head = pairs ? 4 : 8;
            to.write(code.array(), start + 4, head);
            for (int place = start + 4 + head; place < at + length; place += 4) {
                if (pairs) {
                    to.writeInt(code.getInt(place));
                    place += 4;
                }
                to.writeInt(moved(at, code.getInt(place)));
            }
        }

        /** A jump from an instruction, as long as it is now. */
        private int moved(int at, int jump) {
            return jump + ADDED * (before(starts, at + jump) - before(starts, at + 1));
        }

        private int length(int at) {
            int opcode = code.get(at) & 255;
            int start = at + 4 - at % 4;
            if (opcode == TABLE_SWITCH) {
                return start - at + 12 + 4 * (code.getInt(start + 8) - code.getInt(start + 4) + 1);
            }
            if (opcode == LOOKUP_SWITCH) {
                return start - at + 8 + 8 * code.getInt(start + 4);
            }
            if (opcode == WIDE) {
                return (code.get(at + 1) & 255) == 132 ? 6 : 4;
            }
            return LENGTHS[opcode];
        }
    }
}
