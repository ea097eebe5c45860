package examples.http;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public class RequestTest {

    @Test
    public void pathWithoutParameters() {
        assertEquals("/status", Request.to("/status").build().line());
    }

    @Test
    public void parametersKeepTheirOrder() {
        Request request = Request.to("/search").param("q", "java").param("a", "1").build();
        assertEquals("/search?q=java&a=1", request.line());
    }

    @Test
    public void parametersAreEncoded() {
        assertEquals("/s?q=a%26b%20c&u=%C3%A9",
                Request.to("/s").param("q", "a&b c").param("u", "\u00e9").build().line());
    }

    @Test
    public void laterValueReplacesEarlier() {
        assertEquals("/s?q=2", Request.to("/s").param("q", "1").param("q", "2").build().line());
    }

    @Test
    public void builtRequestIsIndependentOfItsBuilder() {
        Request.Builder builder = Request.to("/s").param("q", "1");
        Request first = builder.build();
        builder.param("q", "2").param("r", "3");
        assertEquals("/s?q=1", first.line());
        assertEquals("/s?q=2&r=3", builder.build().line());
    }

    @Test
    public void pagesAreSeparateRequests() {
        Request.Builder builder = Request.to("/search").param("q", "java");
        List<String> lines = new ArrayList<>();
        List<Request> batch = new ArrayList<>();
        for (int page = 1; page <= 3; page++) {
            batch.add(builder.param("page", String.valueOf(page)).build());
        }
        batch.forEach(request -> lines.add(request.line()));
        assertEquals("[/search?q=java&page=1, /search?q=java&page=2, /search?q=java&page=3]", lines.toString());
    }

    @Test(expected = UnsupportedOperationException.class)
    public void parametersCannotBeChanged() {
        Request.to("/s").build().params().put("x", "y");
    }

    @Test(expected = IllegalStateException.class)
    public void refusesRelativePath() {
        Request.to("search").build();
    }
}
