package nl2fix.jvm;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Has each loop that is understood tell {@link Loops} what decides whether it goes on, each time it begins anew. */
final class LoopProber implements ClassRewriter.Addition {
    /** Bytes that tell of a loop's first round, which jumps back leave out. */
    private static final int ENTERING = 8;
    private static final String KINDS = "IJFDAL";
    private static final String[] CALLS = {
        "enter", "(I)V", "at", "(I)V", "note", "(I)V", "note", "(J)V", "note", "(F)V", "note", "(D)V",
        "note", "(Ljava/lang/Object;)V", "list", "(Ljava/lang/Object;)V"
    };
    private final Loops loops;

    private LoopProber(Loops loops) {
        this.loops = loops;
    }

    /** The class as it is where it is of an unknown form. */
    static byte[] probed(byte[] content, Loops loops) {
        return ClassRewriter.rewritten(content, new LoopProber(loops));
    }

    @Override
    public String owner() {
        return Loops.NAME;
    }

    @Override
    public String[] calls() {
        return CALLS;
    }

    @Override
    public int stack() {
        return 2;
    }

    @Override
    public Insertion into(Method method, String source, int first) {
        TreeSet<Integer> heads = new TreeSet<>();
        for (int at = 0; at < method.code.length; at += method.length(at)) {
            for (int target : method.targets(at)) {
                if (target <= at) {
                    heads.add(target);
                }
            }
        }
        TreeMap<Integer, byte[]> pieces = new TreeMap<>();
        for (int head : heads) {
            Loop loop = Loop.of(method, head);
            Map.Entry<Integer, Integer> line = method.lines.floorEntry(head);
            int number = loop == null ? -1 : loops.number(source, line == null ? 0 : line.getValue());
            if (number >= 0) {
                pieces.put(head, piece(loop, number, first));
            }
        }
        return pieces.isEmpty() ? null : new Insertion(method, pieces, ENTERING);
    }

    private static byte[] piece(Loop loop, int number, int first) {
        Piece piece = new Piece().call(first, number).filled();
        for (Map.Entry<Integer, Character> local : loop.deciding().entrySet()) {
            int kind = KINDS.indexOf(local.getValue());
            piece.call(first + 4 * (2 + kind), Math.min(kind, 4), local.getKey());
        }
        return piece.call(first + 4, number).bytes();
    }
}
