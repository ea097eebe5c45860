package examples.roman;

import java.util.ArrayList;
import java.util.List;

/** Finds chapter numbers in a table of contents. */
public final class ChapterReader {

    private ChapterReader() {
    }

    /** The numbers at the beginning of lines; lines that begin otherwise are left out. */
    public static List<Integer> chapters(String contents) {
        List<Integer> numbers = new ArrayList<>();
        for (String line : contents.split("\n")) {
            String first = line.trim().split(" ")[0];
            try {
                numbers.add(RomanNumerals.parse(first));
            } catch (NumberFormatException notANumeral) {
                continue;
            }
        }
        return numbers;
    }
}
