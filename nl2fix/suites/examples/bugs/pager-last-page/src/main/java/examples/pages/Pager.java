package examples.pages;

import java.util.Collections;
import java.util.List;

/** Cuts a list into pages, counted from 1. */
public class Pager<T> {

    private final List<T> items;
    private final int pageSize;

    public Pager(List<T> items, int pageSize) {
        if (pageSize < 1) {
            throw new IllegalArgumentException("page size must be positive, not " + pageSize);
        }
        this.items = items;
        this.pageSize = pageSize;
    }

    public int pageCount() {
        return items.size() / pageSize + 1;
    }

    /** The items of a page; pages that do not exist are empty. */
    public List<T> page(int number) {
        int from = (number - 1) * pageSize;
        if (number < 1 || from >= items.size()) {
            return Collections.emptyList();
        }
        return items.subList(from, Math.min(from + pageSize, items.size()));
    }

    public boolean hasNext(int number) {
        return number < pageCount();
    }
}
