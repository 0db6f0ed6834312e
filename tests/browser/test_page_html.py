"""Every block of a page as HTML: its texts are there, escaped, and nothing in the markup needs a
looser policy."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import get_args

import pytest

from skirmish.tabletop.page import (
    Banner,
    Bar,
    Bars,
    Beside,
    Block,
    BoardKey,
    Choice,
    Choices,
    CounterStack,
    Curves,
    CurveTick,
    Facts,
    Gauge,
    Heading,
    Items,
    KeySign,
    Mug,
    Note,
    Page,
    Pair,
    Pairs,
    Paragraph,
    Picture,
    Square,
    SquareBoard,
    Stacks,
    Step,
    Steps,
    Token,
    TokenMarker,
    TrackLine,
    Tracks,
    ValueCurve,
    table,
)
from skirmish.tabletop.page_text import as_text
from skirmish.web.page_html import as_html

HOSTILE = "<script>alert('1')</script> [red] &amp; \"x\" \x1b[31m"
BLOCKS: tuple[Block, ...] = (
    Heading("The forces", 2, aside="as they stand", party=1),
    Paragraph("Nobody is pinned.", lead="Pins:", tone="bad", aside="at the moment"),
    Banner("VICTORY", (Paragraph("of the Poles"),)),
    Items(("Two trucks", "one tank")),
    Facts((("Place", "Warsaw"), ("Date", "1939"))),
    Gauge("Losses", 12, 48, "break point 24"),
    table(("Unit", "Left"), [("Rifle", "7"), ("All", "9")], numbers=(1,), bar=1, totals=1, mark=0),
    Bars((Bar("Hits", 3, "3 of 8"), Bar("Misses", 5, "5 of 8"))),
    Pairs("Turn", ("Poles", "Germans"), (Pair("1", 2, 0), Pair("2", 1, 4))),
    Curves(
        "Turn",
        (ValueCurve("Poles", (0, 2)), ValueCurve("Germans", (0, -3))),
        (CurveTick(0, "1"), CurveTick(1, "2")),
    ),
    Steps((Step("Movement", "done"), Step("Fire", "now", "at anyone"), Step("Close", "skipped"))),
    Choices(
        (Choice("c", "in cover", is_chosen=True), Choice("x", "exit", why_not="Nobody is there."))
    ),
    Note("Counted by hand."),
    Picture("map"),
    SquareBoard(
        "The beach",
        (
            (Square("1", "beach", ("X",), ("2u",)), Square("2", "beach", ("=",))),
            (Square("C1", "sea", ("~",)),),
        ),
    ),
    Stacks(
        (
            CounterStack(
                "K1", (Token("88", "a", "in a bunker", 1, 2, (TokenMarker("+", "fired"),)),)
            ),
            CounterStack("L2", (Token("Norman"), Token("1/A", steps=3))),
        ),
        party=1,
    ),
    Tracks((TrackLine("Turn", 2, 1, 4), TrackLine("Points", 40, 0, 99))),
    Mug(3, (("In the mug", "3 of 9"), ("Chit", "none in play"))),
    BoardKey((KeySign("X", "obstacle", "beach"), KeySign("2u", "units"))),
    Beside((Note("left"),), (Note("right"),)),
)


class Reader(HTMLParser):
    """The text of a piece of HTML, and its elements with their attributes."""

    VOID = frozenset({"rect", "polyline", "path", "input", "meta", "link"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f" {data}"


def test_every_kind_of_block_is_shown_here() -> None:
    assert {type(block) for block in BLOCKS} == set(get_args(Block))


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: type(block).__name__)
def test_a_block_says_in_html_what_it_says_as_text(block: Block) -> None:
    seen = Reader(as_html(Page("", (block,)))).text
    said = as_text(Page("", (block,)), 400)
    signs = r"[#.=>\-]+|\[.?\]|\((not now|chosen)?[:)]?|[():;,\[\]]|not now"
    words = re.sub(signs, " ", said).split()
    keys = [one.key for one in block.rows] if isinstance(block, Choices) else []
    missing = [one for one in words if one not in re.sub(signs, " ", seen) and one not in keys]
    assert missing == ["chosen"] * ("chosen" in missing)


@pytest.mark.parametrize(
    "block",
    [Heading(HOSTILE), Paragraph(HOSTILE, lead=HOSTILE), Items((HOSTILE,)), Gauge(HOSTILE, 1, 2),
     table((HOSTILE,), [(HOSTILE,)]), Steps((Step(HOSTILE, note=HOSTILE),)),
     SquareBoard("", ((Square(HOSTILE, "sea", (HOSTILE,), (HOSTILE,)),),)),
     Stacks((CounterStack(HOSTILE, (Token(HOSTILE, aside=HOSTILE),)),)),
     Tracks((TrackLine(HOSTILE, 1, 1, 2),)), Mug(1, ((HOSTILE, HOSTILE),)),
     BoardKey((KeySign(HOSTILE, HOSTILE),))],
    ids=lambda block: type(block).__name__,
)  # fmt: skip
def test_what_people_typed_stays_text(block: Block) -> None:
    read = Reader(as_html(Page("", (block,))))
    assert "script" not in [tag for tag, _ in read.found]
    assert HOSTILE.replace("\x1b", "·") in read.text
    assert "\x1b" not in read.text


def test_nothing_needs_a_looser_policy() -> None:
    for _, attributes in Reader(as_html(Page("", BLOCKS))).found:
        assert "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)


def test_headings_go_down_one_level_at_a_time_whatever_they_are_on_paper() -> None:
    page = Page("", (Heading("Poles", 3), Note(""), Heading("Germans", 3)))
    assert [tag for tag, _ in Reader(as_html(page)).found if tag[0] == "h"] == ["h2", "h2"]
    page = Page("", (Heading("Forces"), Heading("Poles", 3), Heading("Losses")))
    assert [tag for tag, _ in Reader(as_html(page)).found if tag[0] == "h"] == ["h2", "h3", "h2"]


def test_a_column_without_a_title_has_no_empty_heading() -> None:
    html = as_html(Page("", (table(("", "Unit"), [("r", "Rifle")]),)))
    assert "></th>" not in html
    assert html.count("<td></td>") == 1
