"""The report in a real browser: it opens, filters, sorts, obeys the keyboard and runs nothing hostile."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import expect

from nl2fix.core.results import results
from nl2fix.core.store import RunStore
from nl2fix.core.visible import visible
from nl2fix.languages.java import JAVA
from nl2fix.languages.python import PYTHON
from nl2fix.report.html import pack, percent, render, write_run_report
from tests.report.conftest import BROKEN, BUGS, SAMPLES, Opened, Stored
from tests.report.runs import HOSTILE, build

ROWS = "#bugs tbody tr"


def show(opened: Opened, stored: Stored, fragment: str = "") -> None:
    opened.page.goto(stored.page.as_uri() + fragment)
    opened.page.wait_for_selector("#bug h2" if fragment else ROWS)


def shown_ids(opened: Opened) -> list[str]:
    found = opened.page.locator(f"{ROWS}:visible").evaluate_all("rows => rows.map((row) => row.dataset.id)")
    return [str(ident) for ident in found]


def test_nothing_hostile_stands_in_the_page_as_markup(stored: Stored) -> None:
    page = stored.page.read_text(encoding="utf-8")
    assert HOSTILE not in page
    assert "<script>window.broken" not in page
    assert "onerror='" not in page


def test_the_page_refers_to_nothing_outside(stored: Stored) -> None:
    page = re.sub(
        r'<script type="application/octet-stream".*?</script>', "", stored.page.read_text(), flags=re.S
    )
    assert not re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?(?:https?:)?//""", page)
    assert "default-src 'none'" in page


def test_packed_text_cannot_end_its_element() -> None:
    assert re.fullmatch(r"[A-Za-z0-9+/=]+", pack({"code": HOSTILE}))
    assert pack({"a": 1}) == pack({"a": 1})


def test_no_page_holds_what_steers() -> None:
    """A NUL or a mark of direction in a model's name stood raw in pages; its figures could not be opened."""
    page = render("leaderboard.html", boards=[], runs=[], data="\x00\x1b[2J\u202e.json")
    assert r"\x00\x1b[2J\u202e.json" in page
    assert visible(page) == page


def test_why_random_is_not_pass_at_k_is_told(stored: Stored) -> None:
    """pass@1 stood as 0.8 % beside a random order that has 1.0 % at k = 1."""
    assert "answers without an edit have no place" in stored.page.read_text()


def test_without_javascript_it_is_told_what_is_missing(stored: Stored) -> None:
    """The links of bugs led nowhere, without a word."""
    told = re.findall("<noscript>(.*?)</noscript>", stored.page.read_text())
    assert told == ['<p class="empty">Filters, and the candidates behind each bug, need JavaScript.</p>']


def test_a_share_is_shown_as_per_cent() -> None:
    assert (percent(0.3333), percent(0.0), percent(None)) == ("33.3 %", "0.0 %", "–")


@pytest.mark.browser
def test_it_opens_without_error_or_request(opened: Opened, stored: Stored) -> None:
    show(opened, stored)
    assert opened.errors == []
    assert [url for url in opened.requests if not url.startswith(("file:", "data:"))] == []
    assert opened.page.locator(ROWS).count() == BUGS
    assert opened.page.text_content("#count") == f"{BUGS} of {BUGS} bugs"
    assert opened.page.evaluate("window.broken") is None


@pytest.mark.browser
def test_candidates_become_elements_only_when_their_bug_is_opened(opened: Opened, stored: Stored) -> None:
    show(opened, stored)
    assert opened.page.locator("details.candidate, table.diff").count() == 0
    opened.page.click(f"{ROWS} >> nth=0 >> a")
    opened.page.wait_for_selector("#bug h2")
    assert opened.page.locator("details.candidate").count() > SAMPLES * 0.8
    assert opened.page.locator("table.diff").count() == 1
    opened.page.click("details.candidate >> nth=1 >> summary")
    expect(opened.page.locator("table.diff")).to_have_count(2)


@pytest.mark.browser
def test_bugs_can_be_filtered_by_verdict_and_a_candidate_linked_to(opened: Opened, stored: Stored) -> None:
    show(opened, stored)
    kinds = opened.page.locator("#kind option").evaluate_all("options => options.map((o) => o.value)")
    assert "verdict:wrong" in kinds
    opened.page.select_option("#kind", "verdict:wrong")
    wrong = shown_ids(opened)
    assert len(wrong) > 0
    opened.page.click(f"{ROWS}:visible >> nth=0 >> a")
    opened.page.wait_for_selector("#bug h2")
    badges = opened.page.locator("details.candidate:visible .badge").all_inner_texts()
    assert set(badges) == {"wrong"}
    show(opened, stored, f"#bug={stored.problems[0].id}&candidate=3")
    is_open = opened.page.locator("details.candidate").evaluate_all("all => all.map((one) => one.open)")
    assert [place for place, value in enumerate(is_open, 1) if value] == [3]
    assert opened.errors == []


@pytest.mark.browser
def test_a_bug_shows_issue_evidence_and_likeness_as_text(opened: Opened, stored: Stored) -> None:
    show(opened, stored, f"#bug={stored.problems[0].id}")
    text = opened.page.inner_text("#bug")
    assert stored.problems[0].title in text
    assert HOSTILE in text
    assert "edit similarity" in text
    assert "org.ATest::" in text
    assert opened.page.evaluate("window.broken") is None
    assert opened.errors == []


@pytest.mark.browser
def test_code_has_colours_and_stays_what_it_is(opened: Opened, stored: Stored) -> None:
    show(opened, stored, f"#bug={stored.problems[0].id}")
    for place in ("#bug > pre >> nth=0", "table.diff >> nth=0"):
        code = opened.page.locator(place)
        keywords = code.locator(".c-keyword").all_inner_texts()
        assert {"int", "for", "return"} <= set(keywords) <= JAVA.keywords
        assert code.locator(".c-number", has_text="0").count() > 0
    pre = opened.page.locator("#bug > pre >> nth=0")
    assert pre.locator(".c-comment").all_inner_texts() == [f"// {HOSTILE}"]
    assert pre.inner_text().strip() == stored.problems[0].before
    numbers = opened.page.locator("table.diff td.no >> nth=0").bounding_box()
    assert numbers is not None
    assert numbers["width"] < 80, "line numbers take as little where the first lines are left out"
    assert opened.errors == []


JAVA_CODE = r"""@Test char a = '\''; String b = \"""
int "x"
\"""; /* int
int */ long c; // int""".replace(r"\"", '"')
PYTHON_CODE = r"""def f():
    '''def
    # no'''
    return r"#" + '\'' # "x
"""


JAVA_COLOURS = (
    *("mark @Test", "keyword char", r"text '\''", 'text """', 'text int "x"', 'text """', "comment /* int"),
    *("comment int */", "keyword long", "comment // int"),
)
PYTHON_COLOURS = (
    *("keyword def", "text '''def", "text     # no'''", "keyword return", 'text "#"', r"text '\''"),
    'comment # "x',
)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("language", "code", "told"),
    [
        ("java", JAVA_CODE, JAVA_COLOURS),
        ("python", PYTHON_CODE, PYTHON_COLOURS),
    ],
)
def test_texts_and_comments_end_where_the_language_says(
    opened: Opened, stored: Stored, language: str, code: str, told: tuple[str, ...]
) -> None:
    show(opened, stored)
    opened.page.evaluate(f"KEYWORDS.python = {json.dumps(sorted(PYTHON.keywords))}")
    script = """([code, language]) => [...Paint.into(document.createElement("pre"), code, language).children]
        .map((node) => `${node.className.slice(2)} ${node.textContent}`)"""
    assert opened.page.evaluate(script, [code, language]) == list(told)


@pytest.mark.browser
def test_code_that_looks_like_other_code_is_written_out(opened: Opened, stored: Stored) -> None:
    """Marks of direction reordered the line that a reader approves ("Trojan source"); terminals told them."""
    show(opened, stored)
    script = """() => [Paint.into(document.createElement("pre"), "a\u202eb // \u2066c\x00", "java"),
        Diff.render("a", "a\u202e", 1, "java")].map((node) => node.textContent)"""
    painted, compared = opened.page.evaluate(script)
    assert painted == r"a\u202eb // \u2066c\x00"
    assert r"a\u202e" in compared
    assert "\u202e" not in compared


@pytest.mark.browser
def test_prompt_raw_answers_tokens_and_cost_are_shown(opened: Opened, stored: Stored) -> None:
    show(opened, stored, f"#bug={stored.problems[0].id}")
    opened.page.click("#prompt > summary")
    assert f"Fix it. {HOSTILE}" in opened.page.inner_text("#prompt")
    assert opened.page.inner_text("#spent").startswith("30 answers took ")
    candidate = opened.page.locator("details.candidate[open]")
    candidate.get_by_text("Raw answers (1)").click()
    assert "200 + 10 tokens · cost 0.0004 · 1.5 s" in candidate.inner_text()
    assert f"```\n{HOSTILE}" in candidate.inner_text()
    assert opened.page.evaluate("window.broken") is None
    assert opened.errors == []


@pytest.mark.browser
def test_an_excluded_bug_says_why(opened: Opened, stored: Stored) -> None:
    show(opened, stored)
    opened.page.select_option("#kind", "excluded")
    assert shown_ids(opened) == [stored.problems[3].id]
    assert f"left out: fails gold {HOSTILE}" in opened.page.inner_text(f"{ROWS}:visible")


@pytest.mark.browser
def test_filter_keeps_rows_with_all_words(opened: Opened, stored: Stored) -> None:
    show(opened, stored)
    opened.page.fill("#filter", "PROJ1 fails")
    assert shown_ids(opened) == [p.id for p in stored.problems if p.project == "Proj1"]
    assert opened.page.text_content("#count") == f"10 of {BUGS} bugs"
    opened.page.fill("#filter", "no such bug")
    assert shown_ids(opened) == []


@pytest.mark.browser
def test_headings_sort_numbers_as_numbers_and_back(opened: Opened, stored: Stored) -> None:
    show(opened, stored)
    heading = opened.page.locator("#bugs th", has_text="plausible")
    for direction, reverse in (("ascending", False), ("descending", True)):
        heading.locator("button").click()
        assert heading.get_attribute("aria-sort") == direction
        cells = opened.page.locator(f"{ROWS} td:nth-child(6)").all_inner_texts()
        counts = [int(cell) for cell in cells if cell != "–"]
        assert counts == sorted(counts, reverse=reverse)
        assert len(set(counts)) > 2


@pytest.mark.browser
def test_candidates_are_filtered_by_verdict(opened: Opened, stored: Stored) -> None:
    show(opened, stored, f"#bug={stored.problems[0].id}")
    everything = opened.page.locator("details.candidate:visible").count()
    opened.page.select_option("#verdict", "wrong")
    kept = opened.page.locator("details.candidate:visible")
    assert 0 < kept.count() < everything
    assert set(kept.evaluate_all("all => all.map((one) => one.dataset.kind)")) == {"wrong"}


@pytest.mark.browser
@pytest.mark.parametrize(
    ("order", "sign"),
    [("most like the buggy code (CodeBLEU)", -1), ("least like the buggy code (CodeBLEU)", 1)],
)
def test_candidates_are_ordered_by_likeness_and_back(
    order: str, sign: int, opened: Opened, stored: Stored
) -> None:
    show(opened, stored, f"#bug={stored.problems[0].id}")
    ranked = opened.page.locator("details.candidate summary b").all_inner_texts()
    assert ranked == [f"#{place}" for place in range(1, len(ranked) + 1)]
    opened.page.select_option("#order", order)
    texts = opened.page.locator("details.candidate summary .end").all_inner_texts()
    values = [sign * float(text.removeprefix("CodeBLEU ")) for text in texts]
    assert values == sorted(values)
    assert len(set(values)) > 1
    opened.page.select_option("#order", "ranked")
    assert opened.page.locator("details.candidate summary b").all_inner_texts() == ranked


@pytest.mark.browser
def test_the_keyboard_is_enough(opened: Opened, stored: Stored) -> None:
    show(opened, stored)
    page, ids = opened.page, shown_ids(opened)
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.textContent") == ids[1]
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    page.wait_for_selector("#bug h2")
    assert ids[0] in page.inner_text("#bug h2")
    page.keyboard.press("j")
    expect(page.locator("#bug h2")).to_have_text(re.compile(rf"^{re.escape(ids[1])}:"))
    page.keyboard.press("Escape")
    page.wait_for_selector("#overview", state="visible")
    expect(page.locator(":focus")).to_have_text(ids[1])
    page.keyboard.press("/")
    page.keyboard.type("j k")
    assert page.input_value("#filter") == "j k"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") != "filter"


@pytest.mark.browser
def test_who_goes_back_before_a_bug_is_unpacked_sees_the_list(opened: Opened, stored: Stored) -> None:
    show(opened, stored)
    opened.page.evaluate(
        """async (id) => {
            const unpacked = unpack(`bug-${id}`);
            location.hash = `bug=${id}`;
            await new Promise((ready) => addEventListener("hashchange", ready, { once: true }));
            location.hash = "";
            await unpacked;
        }""",
        stored.problems[0].id,
    )
    opened.page.wait_for_timeout(300)
    assert opened.page.is_visible("#overview")
    assert not opened.page.is_visible("#bug")


@pytest.mark.browser
def test_a_link_that_was_cut_leads_to_the_list(opened: Opened, stored: Stored) -> None:
    opened.page.goto(f"{stored.page.as_uri()}#bug=%")
    assert opened.page.is_visible("#overview")
    assert opened.errors == []


@pytest.mark.browser
def test_light_and_dark(opened: Opened, stored: Stored) -> None:
    show(opened, stored)
    colour = "getComputedStyle(document.body).backgroundColor"
    light = opened.page.evaluate(colour)
    opened.page.emulate_media(color_scheme="dark")
    assert light == "rgb(255, 255, 255)"
    assert opened.page.evaluate(colour) != light


@pytest.mark.browser
def test_a_narrow_screen_does_not_scroll_sideways(opened: Opened, stored: Stored) -> None:
    opened.page.set_viewport_size({"width": 390, "height": 800})
    show(opened, stored)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.browser
def test_on_a_narrow_screen_no_table_hides_what_counts(opened: Opened, stored: Stored) -> None:
    """The last columns, rank and oracle, could only be seen by scrolling within the table."""
    opened.page.set_viewport_size({"width": 390, "height": 800})
    show(opened, stored)
    hidden = "all => all.map(box => box.scrollWidth - box.clientWidth)"
    assert opened.page.locator("#overview .scroll").evaluate_all(hidden) == [0, 0, 0]
    assert opened.page.locator("#bugs th").last.is_visible()
    assert all(row.is_visible() for row in opened.page.locator("#bugs tbody tr").all())


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_several_calls_of_a_candidate_stand_below_each_other_beside_their_label(
    width: int, opened: Opened, stored: Stored
) -> None:
    """Every second one stood under the labels, and on a narrow screen left no room for what is told."""
    opened.page.set_viewport_size({"width": width, "height": 800})
    show(opened, stored, f"#bug={stored.problems[0].id}")
    script = """list => {
        const make = (name, textContent) => Object.assign(document.createElement(name), { textContent });
        const add = (name, text) => list.append(make(name, text));
        add("dt", "changes for a passing test");
        for (let call = 0; call < 4; call++) add("dd", `count() on Pager(List.of(${call}, 1, 2)): 3 → 2`);
        const boxes = [...list.querySelectorAll("dd")].map((one) => one.getBoundingClientRect());
        return boxes.map((box) => [box.x, box.width]);
    }"""
    boxes = opened.page.locator("details.candidate[open] dl").evaluate(script)
    assert len({x for x, _ in boxes}) == 1
    assert min(wide for _, wide in boxes) > 150


@pytest.mark.browser
def test_on_a_narrow_screen_no_name_of_a_test_is_broken(opened: Opened, stored: Stored) -> None:
    """ "examples.cache.LruCach" it said, and "eTest::holdsAsManyEntri" below."""
    opened.page.set_viewport_size({"width": 390, "height": 800})
    show(opened, stored, f"#bug={stored.problems[0].id}")
    opened.page.evaluate(
        """async (id) => {
            const bug = await unpack(`bug-${id}`), [first] = bug.candidates;
            const test = "examples.cache.LruCacheTest::holdsAsManyEntriesAsItsCapacity";
            first.evidence = [["failing test", test]];
            const view = candidateView(bug, first, 1);
            view.open = true;
            byId("bug").replaceChildren(view);
        }""",
        stored.problems[0].id,
    )
    opened.page.wait_for_selector("dd")
    assert "LruCacheTest::holdsAsManyEntries" in opened.page.inner_text("dl")
    assert opened.page.locator("dd").evaluate_all(BROKEN) == []


@pytest.mark.browser
def test_the_window_of_a_bug_has_its_name(opened: Opened, stored: Stored) -> None:
    """Ten open bugs were ten windows of one name."""
    show(opened, stored)
    listed = opened.page.title()
    opened.page.click(f"{ROWS} >> nth=0 >> a")
    opened.page.wait_for_selector("#bug h2")
    assert opened.page.title() == f"{stored.problems[0].id} · {listed}"
    opened.page.keyboard.press("Escape")
    opened.page.wait_for_selector("#overview", state="visible")
    assert opened.page.title() == listed


@pytest.mark.browser
def test_keys_are_told_where_there_is_a_keyboard(opened: Opened, stored: Stored) -> None:
    show(opened, stored, f"#bug={stored.problems[0].id}")
    assert opened.page.locator("kbd:visible").all_inner_texts() == ["j", "k", "Esc"]
    opened.page.set_viewport_size({"width": 390, "height": 800})
    assert opened.page.locator("kbd:visible").count() == 0
    assert "keys" not in opened.page.inner_text("#bug p >> nth=0")


@pytest.mark.browser
def test_the_curve_can_be_read_on_a_narrow_screen(opened: Opened, stored: Stored) -> None:
    """Its figures were 7.5 pixels high at 390."""
    opened.page.set_viewport_size({"width": 390, "height": 800})
    show(opened, stored)
    drawn = opened.page.locator("svg.curve")
    heights = drawn.locator("text").evaluate_all(
        "all => all.map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"
    )
    assert min(heights) > 10
    edges = "all => all.map((text) => text.getBoundingClientRect()).map((box) => [box.left, box.right])"
    at, wide = drawn.evaluate("svg => [svg.getBoundingClientRect().left, svg.getBoundingClientRect().width]")
    for left, right in drawn.locator("text").evaluate_all(edges):
        assert at <= left and right <= at + wide


@pytest.mark.browser
def test_closed_candidates_out_of_sight_are_not_laid_out(opened: Opened, tmp_path: Path) -> None:
    """Ten thousand of them kept the page from opening."""
    [problem] = build(tmp_path / "run", 1, 2300)
    with RunStore(tmp_path / "run", writable=True) as store:
        file = write_run_report(results(store, [problem], 2300), tmp_path / "report.html")
    opened.page.goto(f"{file.as_uri()}#bug={problem.id}&candidate=1500")
    opened.page.wait_for_selector("details.candidate[open]")
    candidates = opened.page.locator("details.candidate")
    expect(candidates).to_have_count(
        opened.page.evaluate(f"unpack('bug-{problem.id}').then((b) => b.candidates.length)")
    )
    last = candidates.last.locator("summary b")
    laid_out = "b => b.checkVisibility({ contentVisibilityAuto: true })"
    assert not last.evaluate(laid_out)
    meant = opened.page.locator("details.candidate[open]")
    assert meant.locator("b").first.inner_text() == "#1500"
    assert abs(meant.evaluate("each => each.getBoundingClientRect().top")) < 2
    last.scroll_into_view_if_needed()
    opened.page.wait_for_timeout(100)
    assert last.evaluate(laid_out)


def luminance(colour: str) -> float:
    channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_word_of_each_verdict_can_be_read(
    scheme: Literal["light", "dark"], opened: Opened, stored: Stored
) -> None:
    """By daylight "no edit" had a contrast of 3.1 and "timeout" one of 4.1; 4.5 is what small text needs."""
    opened.page.emulate_media(color_scheme=scheme)
    show(opened, stored)
    page = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
    for verdict in ("plausible", "wrong", "timeout", "uncompilable", "no_edit", "unjudged"):
        colour = opened.page.evaluate(
            """name => {
              const badge = make("span", { className: `badge ${name}` });
              document.body.append(badge);
              return getComputedStyle(badge).color;
            }""",
            verdict,
        )
        dark, light = sorted((luminance(page), luminance(colour)))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, verdict


def one_bug(folder: Path, samples: int) -> Path:
    """Page of a run of one problem, which is a whole file."""
    (problem,) = build(folder, 1, samples)
    with RunStore(folder, writable=True) as store:
        write_run_report(results(store, [replace(problem, entity="")], samples), folder / "report.html")
    return folder / "report.html"


@pytest.mark.browser
def test_one_is_not_told_as_several(opened: Opened, tmp_path: Path) -> None:
    """ "1 samples a bug", "of 1 samples plausible" and "1 of 1 bugs" it said."""
    opened.page.goto(one_bug(tmp_path / "run", 1).as_uri())
    opened.page.wait_for_selector(ROWS)
    told = opened.page.inner_text("body")
    assert "1 sample a bug" in told and "of 1 sample plausible" in told
    assert opened.page.inner_text("#count") == "1 of 1 bug"


@pytest.mark.browser
def test_a_bug_that_is_a_whole_file_is_told_by_its_path(opened: Opened, tmp_path: Path) -> None:
    """ " in word_counts.py, line 1" it said of linter problems, and "No edit (1 samples)"."""
    opened.page.goto(one_bug(tmp_path / "run", 31).as_uri())
    opened.page.click(f"{ROWS} >> nth=0 >> a")
    opened.page.wait_for_selector("#bug h2")
    assert opened.page.inner_text("#bug h2 + p") == "src/A.java, line 2"
    assert "No edit (1 sample)" in opened.page.inner_text("#bug")


@pytest.mark.browser
def test_tests_in_an_issues_place_stand_as_they_are(opened: Opened, tmp_path: Path) -> None:
    """Those of HumanEvalFix were read as Markdown: no line was indented, and stars were gone."""
    tests = f"def check(f):\n    assert f(2)*3 == 2*f(3)\n    # {HOSTILE}"
    (problem,) = build(tmp_path / "run", 1, 1)
    asked = replace(problem, instructions={"title": "Fix f.", "description": tests})
    with RunStore(tmp_path / "run", writable=True) as store:
        told = results(store, [replace(asked, metadata={"tests": "description"})], 1)
        write_run_report(told, tmp_path / "report.html")
    opened.page.goto((tmp_path / "report.html").as_uri() + f"#bug={problem.id}")
    opened.page.wait_for_selector("#bug h2")
    assert opened.page.inner_text("#bug .issue pre") == tests
    assert opened.page.evaluate("window.broken") is None


@pytest.mark.browser
def test_on_paper_nothing_is_cut_off(opened: Opened, stored: Stored) -> None:
    """Lines of code, long issues and wide tables ended at the edge of what only a screen can scroll."""
    show(opened, stored, f"#bug={stored.problems[0].id}")
    opened.page.set_viewport_size({"width": 420, "height": 800})
    opened.page.emulate_media(media="print")
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    opened.page.locator("#bug .issue").evaluate("issue => issue.append('It throws.\\n'.repeat(2000))")
    cut = """all => all.filter((one) => one.checkVisibility() && getComputedStyle(one).overflow !== "visible"
        && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1))
        .map((one) => one.outerHTML.slice(0, 80))"""
    assert opened.page.locator("#bug *").evaluate_all(cut) == []
    scrolling = "all => all.map((one) => getComputedStyle(one).overflowX)"
    assert set(opened.page.locator(".scroll").evaluate_all(scrolling)) == {"visible"}


@pytest.mark.browser
def test_what_is_dark_on_the_screen_is_black_on_white_paper(opened: Opened, stored: Stored) -> None:
    """Its light letters were printed on white."""
    opened.page.emulate_media(color_scheme="dark", media="print")
    show(opened, stored)
    style = "body => [getComputedStyle(body).backgroundColor, getComputedStyle(body).color]"
    assert opened.page.locator("body").evaluate(style) == ["rgb(255, 255, 255)", "rgb(27, 31, 36)"]
