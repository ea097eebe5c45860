package examples.paths;

/** Resolves links found in a page. */
public final class Links {

    private Links() {
    }

    /** The path that a link in the page at {@code base} leads to. */
    public static String resolve(String base, String link) {
        if (PathNormalizer.isAbsolute(link)) {
            return PathNormalizer.normalize(link);
        }
        int slash = base.lastIndexOf('/');
        String folder = slash < 0 ? "" : base.substring(0, slash + 1);
        return PathNormalizer.normalize(folder + link);
    }
}
