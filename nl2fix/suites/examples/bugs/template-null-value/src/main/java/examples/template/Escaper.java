package examples.template;

/** Makes values fit for the format of the output. */
public interface Escaper {

    Escaper NONE = text -> text;

    Escaper HTML = text -> text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");

    String escape(String text);
}
