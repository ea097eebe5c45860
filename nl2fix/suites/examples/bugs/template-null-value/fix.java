    public String render(Map<String, ?> values) {
        StringBuilder out = new StringBuilder();
        int position = 0;
        while (position < source.length()) {
            int dollar = source.indexOf('$', position);
            if (dollar < 0 || dollar + 1 == source.length()) {
                break;
            }
            out.append(source, position, dollar);
            if (source.charAt(dollar + 1) == '$') {
                out.append('$');
                position = dollar + 2;
                continue;
            }
            int close = closingBrace(dollar);
            String name = source.substring(dollar + 2, close);
            if (!values.containsKey(name)) {
                throw new TemplateException("unknown variable " + name);
            }
            Object value = values.get(name);
            out.append(value == null ? "" : escaper.escape(value.toString()));
            position = close + 1;
        }
        return out.append(source.substring(position)).toString();
    }
