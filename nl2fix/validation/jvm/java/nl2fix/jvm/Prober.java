package nl2fix.jvm;

import java.util.ArrayList;
import java.util.TreeMap;

/** Puts a call of {@link Reached#at} before the code of each line. */
final class Prober implements ClassRewriter.Addition {
    private static final int MOST = 65535;
    private final Reached reached;

    private Prober(Reached reached) {
        this.reached = reached;
    }

    /** The class as it is where it is of an unknown form. */
    static byte[] probed(byte[] content, Reached reached) {
        return ClassRewriter.rewritten(content, new Prober(reached));
    }

    @Override
    public String owner() {
        return Reached.NAME;
    }

    @Override
    public String[] calls() {
        return new String[] {"at", "(I)V"};
    }

    @Override
    public int stack() {
        return 1;
    }

    @Override
    public Insertion into(Method method, String source, int probe) {
        if (source.isEmpty() || method.lines.isEmpty() || method.code.length + 8 * method.lines.size() > MOST) {
            return null;
        }
        int number = reached.number(source, new ArrayList<>(method.lines.values()));
        if (number < 0) {
            return null;
        }
        TreeMap<Integer, byte[]> pieces = new TreeMap<>();
        for (int start : method.lines.keySet()) {
            pieces.put(start, new Piece().call(probe, number++).bytes());
        }
        return new Insertion(method, pieces, 0);
    }
}
