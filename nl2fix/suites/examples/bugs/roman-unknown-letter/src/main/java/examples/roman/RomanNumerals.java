package examples.roman;

import java.util.HashMap;
import java.util.Map;

/** Conversion between Roman numerals and integers from 1 to 3999. */
public final class RomanNumerals {

    private static final Map<Character, Integer> VALUES = new HashMap<>();
    private static final String[] SYMBOLS = {
        "M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"
    };
    private static final int[] WORTH = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};

    static {
        for (int i = 0; i < SYMBOLS.length; i++) {
            if (SYMBOLS[i].length() == 1) {
                VALUES.put(SYMBOLS[i].charAt(0), WORTH[i]);
            }
        }
    }

    private RomanNumerals() {
    }

    /**
     * The value of a Roman numeral in capital letters.
     *
     * @throws NumberFormatException if the text is not a Roman numeral in its usual form
     */
    public static int parse(String text) {
        int sum = 0;
        int before = Integer.MAX_VALUE;
        for (int i = 0; i < text.length(); i++) {
            int value = VALUES.get(text.charAt(i));
            sum += value;
            if (before < value) {
                sum -= 2 * before;
            }
            before = value;
        }
        if (sum < 1 || sum > 3999 || !format(sum).equals(text)) {
            throw new NumberFormatException("not a Roman numeral: \"" + text + "\"");
        }
        return sum;
    }

    /** The usual form of a number from 1 to 3999. */
    public static String format(int number) {
        if (number < 1 || number > 3999) {
            throw new IllegalArgumentException("no Roman numeral for " + number);
        }
        StringBuilder text = new StringBuilder();
        int rest = number;
        for (int i = 0; i < WORTH.length; i++) {
            while (rest >= WORTH[i]) {
                text.append(SYMBOLS[i]);
                rest -= WORTH[i];
            }
        }
        return text.toString();
    }
}
