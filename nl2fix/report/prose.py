"""Issue texts as HTML: Markdown, and Jira's blocks of code; nothing in them becomes markup or is fetched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_LONGEST = 200_000
"""Characters that are read as Markdown; of a longer text the rest is left out, and said to be."""
_JIRA = re.compile(r"\{(code|noformat)(?::[^}\n]*)?\}[ \t]*\n?(.*?)\{\1\}", re.DOTALL)
_UNDERSCORES = re.compile("_+")
_FENCE = "~~~~~~~~~~~~"


def rendered(text: str) -> str:
    """HTML without scripts, images or raw markup of the text's own; links tell nobody where one came from."""
    short = text[:_LONGEST]
    fenced = _JIRA.sub(lambda match: f"\n{_FENCE}\n{match[2].rstrip()}\n{_FENCE}\n", short)
    html: str = _markdown().render(fenced)
    return html if short == text else f"{html}<p>… {len(text) - _LONGEST:,} more characters</p>"


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
    made.core.ruler.push("kept_inside", lambda state: _keep_inside(state.tokens))
    made.inline.ruler.before("emphasis", "underscores", _underscores)
    made.add_render_rule("image", _image)
    return made


def _underscores(state: StateInline, silent: bool) -> bool:
    """Underscores stay: in issues they belong to names (``__init__``) more often than they stress words."""
    run = _UNDERSCORES.match(state.src, state.pos)
    if run is None:
        return False
    state.pending += "" if silent else run[0]
    state.pos = run.end()
    return True


def _keep_inside(tokens: Sequence[Token]) -> None:
    """Headings stand below the page's own; links open apart."""
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = "h4"
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("rel", "noopener noreferrer nofollow")
                child.attrSet("target", "_blank")


def _image(renderer: object, tokens: Sequence[Token], index: int, options: object, env: object) -> str:
    """A picture's words: nothing is fetched."""
    from markdown_it.common.utils import escapeHtml

    token = tokens[index]
    return escapeHtml(f"[picture: {token.content or token.attrs.get('src', '')}]")
