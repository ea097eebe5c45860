package examples.pages;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.Test;

public class PagerTest {

    private static Pager<Integer> pager(int items, int pageSize) {
        return new Pager<>(IntStream.range(0, items).boxed().collect(Collectors.toList()), pageSize);
    }

    @Test
    public void lastPageMayBePartlyFilled() {
        Pager<Integer> pager = pager(7, 3);
        assertEquals(3, pager.pageCount());
        assertEquals(Collections.singletonList(6), pager.page(3));
    }

    @Test
    public void firstPage() {
        assertEquals(Arrays.asList(0, 1, 2), pager(7, 3).page(1));
        assertTrue(pager(7, 3).hasNext(2));
        assertFalse(pager(7, 3).hasNext(3));
    }

    @Test
    public void fewItemsAreOnePage() {
        assertEquals(1, pager(1, 10).pageCount());
        assertFalse(pager(9, 10).hasNext(1));
    }

    @Test
    public void fullLastPage() {
        assertEquals(2, pager(6, 3).pageCount());
        assertFalse(pager(6, 3).hasNext(2));
        assertEquals(5, pager(5, 1).pageCount());
    }

    @Test
    public void noItemsNoPages() {
        assertEquals(0, pager(0, 3).pageCount());
        assertFalse(pager(0, 3).hasNext(1));
    }

    @Test
    public void pagesOutsideAreEmpty() {
        assertEquals(Collections.emptyList(), pager(7, 3).page(0));
        assertEquals(Collections.emptyList(), pager(7, 3).page(4));
    }

    @Test
    public void navigationInTheMiddle() {
        assertEquals("1 [2] 3 >", Navigation.render(pager(8, 3), 2));
    }

    @Test
    public void navigationEndsAtTheLastPage() {
        assertEquals("1 2 [3]", Navigation.render(pager(9, 3), 3));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesPageSizeZero() {
        pager(1, 0);
    }
}
