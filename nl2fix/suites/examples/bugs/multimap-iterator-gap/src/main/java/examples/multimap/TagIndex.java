package examples.multimap;

import java.util.List;

/** Which documents bear which tag. */
public class TagIndex {

    private final ListMultimap<String, String> documents = new ListMultimap<>();

    public void tag(String document, String... tags) {
        for (String tag : tags) {
            documents.put(tag, document);
        }
    }

    public void untag(String document, String tag) {
        documents.remove(tag, document);
    }

    public List<String> tagged(String tag) {
        return documents.get(tag);
    }

    /** Every document once per tag it bears. */
    public List<String> all() {
        return documents.values();
    }
}
