package examples.template;

import java.util.Map;

/** Text with variables in the form {@code ${name}}; {@code $$} is a dollar sign. */
public final class Template {

    private final String source;
    private final Escaper escaper;

    public Template(String source) {
        this(source, Escaper.NONE);
    }

    public Template(String source, Escaper escaper) {
        this.source = source;
        this.escaper = escaper;
    }

    /** The text with every variable replaced by its value. */
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
            out.append(escaper.escape(value.toString()));
            position = close + 1;
        }
        return out.append(source.substring(position)).toString();
    }

    private int closingBrace(int dollar) {
        int close = source.indexOf('}', dollar);
        if (source.charAt(dollar + 1) != '{' || close < 0) {
            throw new TemplateException("malformed variable at position " + dollar);
        }
        return close;
    }
}
