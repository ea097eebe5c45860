package examples.invoice;

/** One position of an invoice. */
public final class LineItem {

    private final String name;
    private final int unitPriceCents;
    private final int quantity;

    public LineItem(String name, int unitPriceCents, int quantity) {
        if (quantity < 0) {
            throw new IllegalArgumentException("negative quantity of " + name);
        }
        this.name = name;
        this.unitPriceCents = unitPriceCents;
        this.quantity = quantity;
    }

    public String name() {
        return name;
    }

    public int unitPriceCents() {
        return unitPriceCents;
    }

    public int quantity() {
        return quantity;
    }
}
