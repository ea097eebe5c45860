    public static int parse(String text) {
        int sum = 0;
        int before = Integer.MAX_VALUE;
        for (int i = 0; i < text.length(); i++) {
            Integer value = VALUES.get(text.charAt(i));
            if (value == null) {
                throw new NumberFormatException("not a Roman numeral: \"" + text + "\"");
            }
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
