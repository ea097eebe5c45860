package examples.invoice;

import java.util.ArrayList;
import java.util.List;

/** Positions and the tax on them. */
public class Invoice {

    private final int taxPercent;
    private final List<LineItem> items = new ArrayList<>();

    public Invoice(int taxPercent) {
        this.taxPercent = taxPercent;
    }

    public void add(LineItem item) {
        items.add(item);
    }

    /** Sum of all positions before tax. */
    public long netCents() {
        long sum = 0;
        for (LineItem item : items) {
            sum += item.unitPriceCents() * item.quantity();
        }
        return sum;
    }

    public long taxCents() {
        return Amounts.percent(netCents(), taxPercent);
    }

    public long grossCents() {
        return netCents() + taxCents();
    }
}
