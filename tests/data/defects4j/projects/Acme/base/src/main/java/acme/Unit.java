package acme;

/** A unit of length. */
public final class Unit {
    private final String symbol;
    private final double metres;

    Unit(String symbol, double metres) {
        this.symbol = symbol;
        this.metres = metres;
    }

    public String symbol() {
        return symbol;
    }

    public double metres() {
        return metres;
    }
}
