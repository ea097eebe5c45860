package examples.library;

/** What a loan costs. */
public final class FeeTable {

    private final int freeDays;
    private final int centsPerDay;

    public FeeTable(int freeDays, int centsPerDay) {
        this.freeDays = freeDays;
        this.centsPerDay = centsPerDay;
    }

    public long cents(LoanPeriod period) {
        return Math.max(0, period.days() - freeDays) * centsPerDay;
    }
}
