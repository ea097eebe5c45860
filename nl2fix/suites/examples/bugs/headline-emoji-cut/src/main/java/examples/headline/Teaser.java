package examples.headline;

/** A headline with the beginning of its article. */
public final class Teaser {

    private final Shortener headline;
    private final Shortener text;

    public Teaser(int headlineLimit, int textLimit) {
        this.headline = new Shortener(headlineLimit);
        this.text = new Shortener(textLimit);
    }

    public String render(String title, String article) {
        return headline.shorten(title.trim()) + "\n" + text.shorten(article.trim().replaceAll("\\s+", " "));
    }
}
