package nl2fix.jvm;

import java.util.Arrays;
import java.util.TreeMap;

/** The code of one method. */
final class Method {
    private static final int TABLE_SWITCH = 170;
    static final int LOOKUP_SWITCH = 171;
    static final int WIDE = 196;
    static final int IINC = 132;
    private static final byte[] LENGTHS = lengths();

    final Pool pool;
    final byte[] code;
    /** Of each: start, end, where it leads, the constant of its type. */
    final int[][] handlers;
    /** Where each line's code starts → its number. */
    final TreeMap<Integer, Integer> lines;

    Method(Pool pool, byte[] code, int[][] handlers, TreeMap<Integer, Integer> lines) {
        this.pool = pool;
        this.code = code;
        this.handlers = handlers;
        this.lines = lines;
    }

    int opcode(int at) {
        return code[at] & 255;
    }

    int unsigned(int at) {
        return opcode(at) << 8 | opcode(at + 1);
    }

    int number(int at) {
        return unsigned(at) << 16 | unsigned(at + 2);
    }

    static boolean isSwitch(int opcode) {
        return opcode == TABLE_SWITCH || opcode == LOOKUP_SWITCH;
    }

    /** Whether an instruction holds the length of a jump in two bytes. */
    static boolean jumps(int opcode) {
        return opcode >= 153 && opcode <= 168 || opcode == 198 || opcode == 199;
    }

    /** Whether it holds one in four. */
    static boolean jumpsFar(int opcode) {
        return opcode == 200 || opcode == 201;
    }

    /** Where the first number of a switch stands, behind what fills up to a multiple of four. */
    static int padded(int at) {
        return at + 4 - at % 4;
    }

    /** Bytes of the instruction at a place. */
    int length(int at) {
        int opcode = opcode(at);
        int start = padded(at);
        if (opcode == TABLE_SWITCH) {
            return start - at + 12 + 4 * (number(start + 8) - number(start + 4) + 1);
        }
        if (opcode == LOOKUP_SWITCH) {
            return start - at + 8 + 8 * number(start + 4);
        }
        if (opcode == WIDE) {
            return opcode(at + 1) == IINC ? 6 : 4;
        }
        return LENGTHS[opcode];
    }

    /** Where the instruction at a place may jump to. */
    int[] targets(int at) {
        int opcode = opcode(at);
        if (jumps(opcode)) {
            return new int[] {at + (short) unsigned(at + 1)};
        }
        if (jumpsFar(opcode)) {
            return new int[] {at + number(at + 1)};
        }
        return isSwitch(opcode) ? cases(at, opcode == LOOKUP_SWITCH) : new int[0];
    }

    private int[] cases(int at, boolean pairs) {
        int start = padded(at);
        int behind = at + length(at);
        int step = pairs ? 8 : 4;
        int place = start + 12;
        int[] found = new int[1 + (behind - (start + (pairs ? 8 : 12))) / step];
        found[0] = at + number(start);
        for (int i = 1; i < found.length; i++, place += step) {
            found[i] = at + number(place);
        }
        return found;
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
}
