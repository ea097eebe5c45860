package examples.contacts;

import java.util.Comparator;

/** Order by family name, then by given name; upper and lower case do not matter. */
final class ByName implements Comparator<Contact> {

    private static final Comparator<String> TEXT = String.CASE_INSENSITIVE_ORDER;

    @Override
    public int compare(Contact left, Contact right) {
        int order = TEXT.compare(left.familyName(), right.familyName());
        if (order != 0) {
            return order;
        }
        return TEXT.compare(left.givenName(), right.givenName());
    }
}
