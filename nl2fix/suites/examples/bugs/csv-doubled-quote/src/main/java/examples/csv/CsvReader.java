package examples.csv;

import java.util.ArrayList;
import java.util.List;

/** Splits lines of a CSV file into fields. Fields in quotes may hold delimiters. */
public final class CsvReader {

    private final CsvFormat format;

    public CsvReader(CsvFormat format) {
        this.format = format;
    }

    /** The fields of one record; an empty line is a record with one empty field. */
    public List<String> parse(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == format.quote()) {
                quoted = !quoted;
            } else if (c == format.delimiter() && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        if (quoted) {
            throw new CsvException("unclosed quote in: " + line);
        }
        fields.add(field.toString());
        return fields;
    }

    /** All records of a text with one record per line; a trailing line break is no record. */
    public List<List<String>> parseAll(String text) {
        List<List<String>> records = new ArrayList<>();
        for (String line : text.split("\r?\n")) {
            records.add(parse(line));
        }
        return records;
    }
}
