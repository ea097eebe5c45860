package nl2fix.jvm;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * Instructions of a method with others in front of some. Each piece is a multiple of four bytes long, so that switches
 * keep their padding. Who jumps to a place comes to what was added there; who jumps back to it may come later.
 */
final class Insertion {
    private static final int LONGEST = 65535;
    private final Method method;
    /** Where something is added, in order. */
    private final int[] places;
    private final byte[][] pieces;
    /** Bytes of each piece that a jump back leaves out. */
    private final int skipped;
    /** Bytes added before each place, and in all. */
    private final int[] sums;

    Insertion(Method method, TreeMap<Integer, byte[]> pieces, int skipped) {
        this.method = method;
        this.skipped = skipped;
        this.pieces = pieces.values().toArray(new byte[0][]);
        places = new int[this.pieces.length];
        sums = new int[places.length + 1];
        int known = 0;
        for (int place : pieces.keySet()) {
            sums[known + 1] = sums[known] + this.pieces[known].length;
            places[known++] = place;
        }
    }

    /** Where a place is now, with what was added there. */
    int moved(int at) {
        return at + sums[before(at)];
    }

    /** The instructions; null where a jump no longer reaches its end, or they are too long. */
    byte[] code() throws IOException {
        int whole = method.code.length + sums[places.length];
        if (whole > LONGEST) {
            return null;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(whole);
        DataOutputStream to = new DataOutputStream(bytes);
        int known = 0;
        for (int at = 0; at < method.code.length; at += method.length(at)) {
            if (known < places.length && places[known] == at) {
                to.write(pieces[known++]);
            }
            if (!instruction(to, at)) {
                return null;
            }
        }
        return known == places.length ? bytes.toByteArray() : null;
    }

    private boolean instruction(DataOutputStream to, int at) throws IOException {
        int opcode = method.opcode(at);
        if (Method.isSwitch(opcode)) {
            cases(to, at);
        } else if (Method.jumps(opcode)) {
            int jump = jump(at, at + (short) method.unsigned(at + 1));
            to.writeByte(opcode);
            to.writeShort(jump);
            return jump == (short) jump;
        } else if (Method.jumpsFar(opcode)) {
            to.writeByte(opcode);
            to.writeInt(jump(at, at + method.number(at + 1)));
        } else {
            to.write(method.code, at, method.length(at));
        }
        return true;
    }

    private void cases(DataOutputStream to, int at) throws IOException {
        int start = Method.padded(at);
        boolean pairs = method.opcode(at) == Method.LOOKUP_SWITCH;
        int head = pairs ? 4 : 8;
        to.write(method.code, at, start - at);
        to.writeInt(jump(at, at + method.number(start)));
        to.write(method.code, start + 4, head);
        for (int place = start + 4 + head; place < at + method.length(at); place += 4) {
            if (pairs) {
                to.writeInt(method.number(place));
                place += 4;
            }
            to.writeInt(jump(at, at + method.number(place)));
        }
    }

    /** How far it is from an instruction, behind what was added to it, to another. */
    private int jump(int from, int to) {
        int target = moved(to);
        if (to <= from && Arrays.binarySearch(places, to) >= 0) {
            target += skipped;
        }
        return target - (from + sums[before(from + 1)]);
    }

    private int before(int at) {
        int found = Arrays.binarySearch(places, at);
        return found < 0 ? -found - 1 : found;
    }
}
