package examples.ring;

/** The last lines that a user typed. */
public class History {

    private final RingBuffer<String> buffer;

    public History(int length) {
        this.buffer = new RingBuffer<>(length);
    }

    /** Remembers a line unless it is blank. */
    public void typed(String line) {
        if (!line.trim().isEmpty()) {
            buffer.add(line);
        }
    }

    /** The lines, eldest first. */
    public String[] lines() {
        return buffer.toArray(new String[0]);
    }
}
