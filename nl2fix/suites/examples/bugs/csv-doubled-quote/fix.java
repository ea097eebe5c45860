    public List<String> parse(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == format.quote()) {
                if (quoted && i + 1 < line.length() && line.charAt(i + 1) == c) {
                    field.append(c);
                    i++;
                } else {
                    quoted = !quoted;
                }
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
