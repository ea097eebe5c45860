package examples.csv;

/** A line that is not valid CSV. */
public class CsvException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CsvException(String message) {
        super(message);
    }
}
