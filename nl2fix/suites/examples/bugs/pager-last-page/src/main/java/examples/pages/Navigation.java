package examples.pages;

import java.util.StringJoiner;

/** The links below a list. */
public final class Navigation {

    private Navigation() {
    }

    /** Numbers of all pages, the current one in brackets, and an arrow if there is a next one. */
    public static String render(Pager<?> pager, int current) {
        StringJoiner links = new StringJoiner(" ");
        for (int number = 1; number <= pager.pageCount(); number++) {
            links.add(number == current ? "[" + number + "]" : String.valueOf(number));
        }
        if (pager.hasNext(current)) {
            links.add(">");
        }
        return links.toString();
    }
}
