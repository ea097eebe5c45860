package examples.invoice;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class InvoiceTest {

    private final Invoice invoice = new Invoice(19);

    @Test
    public void emptyInvoiceIsZero() {
        assertEquals(0, invoice.netCents());
        assertEquals(0, invoice.grossCents());
    }

    @Test
    public void multipliesByQuantity() {
        invoice.add(new LineItem("pen", 120, 3));
        invoice.add(new LineItem("ink", 499, 1));
        assertEquals(859, invoice.netCents());
    }

    @Test
    public void addsTax() {
        invoice.add(new LineItem("desk", 10000, 1));
        assertEquals(1900, invoice.taxCents());
        assertEquals(11900, invoice.grossCents());
    }

    @Test
    public void creditsAreSubtracted() {
        invoice.add(new LineItem("lamp", 5000, 2));
        invoice.add(new LineItem("voucher", -1500, 1));
        assertEquals(8500, invoice.netCents());
    }

    @Test
    public void largePositionsAreSummedExactly() {
        invoice.add(new LineItem("workstation", 249900, 12000));
        assertEquals(2998800000L, invoice.netCents());
    }

    @Test
    public void grossOfLargePositionIsPositive() {
        invoice.add(new LineItem("licence", Integer.MAX_VALUE, 4));
        assertEquals(4L * Integer.MAX_VALUE, invoice.netCents());
        assertEquals("102220221.60", Amounts.format(invoice.grossCents()));
    }

    @Test
    public void manySmallPositionsAddUp() {
        for (int i = 0; i < 3000; i++) {
            invoice.add(new LineItem("part " + i, 1000000, 1));
        }
        assertEquals(3000000000L, invoice.netCents());
    }

    @Test
    public void formatsAmounts() {
        assertEquals("12.05", Amounts.format(1205));
        assertEquals("-0.10", Amounts.format(-10));
    }
}
