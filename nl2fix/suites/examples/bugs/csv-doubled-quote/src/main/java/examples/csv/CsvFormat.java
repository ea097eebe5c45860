package examples.csv;

/** The characters that give a CSV file its shape. */
public final class CsvFormat {

    public static final CsvFormat RFC4180 = new CsvFormat(',', '"');
    public static final CsvFormat EXCEL_EUROPE = new CsvFormat(';', '"');

    private final char delimiter;
    private final char quote;

    public CsvFormat(char delimiter, char quote) {
        if (delimiter == quote) {
            throw new IllegalArgumentException("delimiter and quote are both '" + quote + "'");
        }
        this.delimiter = delimiter;
        this.quote = quote;
    }

    public char delimiter() {
        return delimiter;
    }

    public char quote() {
        return quote;
    }
}
