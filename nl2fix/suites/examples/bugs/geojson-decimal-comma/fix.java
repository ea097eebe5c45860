    private static String number(double degrees) {
        String text = String.format(Locale.ROOT, "%.6f", degrees);
        return text.replaceAll("\\.?0+$", "");
    }
