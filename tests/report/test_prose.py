"""Issue texts become readable HTML, and nothing of their own becomes markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.report.prose import rendered

TAGS = {
    *["p", "br", "h4", "pre", "code", "ul", "ol", "li", "em", "strong", "s"],
    *["a", "blockquote", "hr", "table", "thead", "tbody", "tr", "th", "td"],
}


class Read(HTMLParser):
    """Elements, addresses and text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        given = dict(attrs)
        self.links += [given["href"] or ""] if "href" in given else []
        assert set(given) <= {"href", "rel", "target", "class", "start", "title", "style"}, given

    def handle_data(self, data: str) -> None:
        self.text += data


def test_markdown_is_rendered() -> None:
    read = Read(
        rendered("# What\n\nIt *fails* in `Pager`:\n\n```java\nint a;\n```\n- one\n\n[see](https://a.b/c)")
    )
    assert {"h4", "em", "code", "pre", "ul", "a"} <= read.tags
    assert read.links == ["https://a.b/c"]
    assert 'rel="noopener noreferrer nofollow"' in rendered("<https://a.b>")


def test_code_of_jira_is_a_block() -> None:
    html = rendered(
        "Try:\n{code:java|title=x}\nList<String> a;\n\n*b*\n{code}\nand {noformat}```{noformat} {code}"
    )
    assert "<pre><code>List&lt;String&gt; a;\n\n*b*\n</code></pre>" in html
    assert "<pre><code>```\n</code></pre>" in html
    assert "{code}" in html, "one alone is text"


def test_lines_and_underscores_of_names_stay() -> None:
    html = rendered("java.lang.Error: __init__ of MAX_VALUE_\n\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)")
    assert Read(html).text.count("\n") >= 2
    assert "__init__ of MAX_VALUE_<br />\nat a.B.c" in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1)) [b](data:text/html;base64,x) [c](vbscript:x)",
        "[a]\n\n[a]: javascript:alert(1)",
        "![p](https://a.b/c.png) ![](data:image/svg+xml;base64,x)",
        '<https://a.b/"onmouseover=alert(1)>',
        "~~~~~~~~~~~~\n{code}\n~~~~~~~~~~~~\n<b>{code}",
    ],
)
def test_nothing_hostile_becomes_markup(text: str) -> None:
    read = Read(rendered(text))
    assert read.tags <= TAGS
    assert all(re.match(r"https?:", link) for link in read.links)


@given(st.text(st.sampled_from("<>[]()!\"'`*_~{}code: \n\t&#;/\\|-javscriptd=1")))
def test_no_text_makes_other_elements(text: str) -> None:
    assert Read(rendered(text)).tags <= TAGS


def test_a_text_without_end_is_cut() -> None:
    assert rendered("a" * 200_007).endswith("<p>… 7 more characters</p>")
