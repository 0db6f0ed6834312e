"""The page of a side as HTML: what can be tapped, what cannot and why, how large a verdict is."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from test_page_html import HOSTILE, Reader

from skirmish.tabletop.game import JournalLine, Verdict
from skirmish.tabletop.page import Gauge, Note, Page, Step, Steps
from skirmish.web.side_html import document, ended_document, fragment
from skirmish.web.side_view import Button, Question, SidePage

DIES = Question(
    large="WHO DIES?",
    text="The Americans choose 2 of 4 men.",
    given=("a Rifle",),
    typed="1",
    options=(
        Button(press="r", text="Rifle", note="4 there", is_proposed=True),
        Button(press="m", text="Mortar", why_not="No Mortar is left."),
    ),
    pad=(Button(press="1", text="1"), Button(press="2", text="2")),
    toggles=(Button(press="c", text="in cover", is_chosen=True), Button(press="n", text="near")),
    preview=Page("", (Note("67% of 48"),)),
    confirm=Button(press="\n", text="Two die", is_proposed=True),
    back=Button(press="\x1b", text="Back"),
)


def a_side(**more: Any) -> SidePage:
    facts = {"journal_length": 17, "keys": ("3", "r"),
             "title": "3. Dog Beach", "whose": "The Americans",
             "headline": "even", "over": False, "question": DIES}  # fmt: skip
    return SidePage(**{**facts, **more})


def buttons(html: str) -> dict[str, dict[str, str | None]]:
    """The buttons that send something, by what they send."""
    found = [attributes for tag, attributes in Reader(html).found if tag == "button"]
    return {str(one["data-press"]): one for one in found if "data-press" in one}


def test_every_answer_can_be_tapped_and_sends_what_it_should() -> None:
    found = buttons(fragment(a_side()))
    assert list(found) == ["r", "m", "1", "2", "c", "n", "\x1b", "\n"]
    assert {press for press, one in found.items() if one.get("class") == "main"} == {"r", "\n"}


def test_an_answer_that_cannot_be_given_says_why() -> None:
    html = fragment(a_side())
    assert "disabled" in buttons(html)["m"]
    assert "disabled" not in buttons(html)["r"]
    assert "No Mortar is left." in Reader(html).text


def test_who_cannot_see_a_mark_hears_it() -> None:
    found = buttons(fragment(a_side()))
    assert [found[key].get("aria-pressed") for key in "cnr"] == ["true", "false", None]


def test_the_state_of_the_answer_stands_beside_the_page() -> None:
    (side,) = (one for tag, one in Reader(document(a_side())).found if tag == "main")
    assert (side["data-at"], json.loads(str(side["data-keys"]))) == ("17", ["3", "r"])


@pytest.mark.parametrize(("secret", "kind"), [(False, "text"), (True, "password")])
def test_a_text_is_written_into_a_field(secret: bool, kind: str) -> None:
    question = Question(text="A note?", longest_text=60, secret=secret)
    (field,) = (one for tag, one in Reader(fragment(a_side(question=question))).found
                if tag == "input")  # fmt: skip
    assert (field["type"], field["maxlength"]) == (kind, "60")


def test_what_a_field_accepts_stands_before_it() -> None:
    html = fragment(a_side(question=Question(text="Where?", longest_text=9, hint="Such as J7.")))
    assert html.index("Such as J7.") < html.index("<input")


def test_the_commands_stand_under_their_headings() -> None:
    commands = (("Turn", (Button(press=">", text="Phase"),)),)
    html = fragment(a_side(question=None, commands=commands))
    assert list(buttons(html)) == [">"]
    assert "Turn" in [one.get("aria-label") for _, one in Reader(html).found]


def test_who_waits_reads_for_whom_and_the_odds_against_him() -> None:
    page = a_side(question=None, waiting="The Germans choose.", against=Page("", (Note("67%"),)))
    text = Reader(fragment(page)).text
    assert "The Germans choose." in text
    assert "Against you now" in text


def test_nobody_fires_at_a_spectator() -> None:
    page = a_side(question=None, is_for_spectator=True, against=Page("", (Note("67%"),)))
    text = Reader(fragment(page)).text
    assert "Happening now" in text
    assert "Against you" not in text


def test_a_side_that_is_called_watching_is_a_side() -> None:
    """Players name their armies as they like."""
    page = a_side(question=None, whose="Watching", against=Page("", (Note("67%"),)))
    assert "Against you now" in Reader(fragment(page)).text


def test_a_verdict_is_as_large_as_it_fits() -> None:
    sizes = {
        "HIT": "short",
        "COVER": "five",
        "2 HITS": "middle",
        "NOT PINNED": "longer",
        "2 HITS 1 BROKEN": "long",
    }
    for text, size in sizes.items():
        verdict = Verdict(text=text, reason="7 OF HEARTS\nA Rifle needs 8.", tone="good")
        html = fragment(a_side(verdict=verdict))
        assert f'class="word {size} good"' in html
        assert "A Rifle needs 8." in Reader(html).text


def test_the_last_line_of_the_journal_stands_first() -> None:
    lines = tuple(JournalLine(turn, (number,), f"line {number}")
                  for number, turn in ((2, 1), (3, 1), (4, 2)))  # fmt: skip
    text = Reader(fragment(a_side(journal=lines))).text
    assert re.findall(r"(?:line|Turn) \d", text) == [
        "Turn 2", "line 4", "Turn 1", "line 3", "line 2"
    ]  # fmt: skip


def test_a_hostile_name_stays_text_everywhere() -> None:
    one = Button(press=HOSTILE, text=HOSTILE, note=HOSTILE)
    question = Question(
        text=HOSTILE, large=HOSTILE, given=(HOSTILE,), typed=HOSTILE, options=(one,)
    )
    page = a_side(
        title=HOSTILE, whose=HOSTILE, headline=HOSTILE, notice=HOSTILE, keys=(HOSTILE,),
        question=question, commands=((HOSTILE, (one,)),), board=Page("", (Gauge(HOSTILE, 1, 2),)),
        verdict=Verdict(text=HOSTILE, reason=HOSTILE), phases=Steps((Step(HOSTILE),)),
        journal=(JournalLine(1, (2,), HOSTILE),),
    )  # fmt: skip
    for html in (document(page), ended_document(HOSTILE)):
        scripts = [attributes for tag, attributes in Reader(html).found if tag == "script"]
        assert [one["src"] for one in scripts] in (["/page/live.js", "/page/side.js"], [])
        assert HOSTILE.replace("\x1b", "·") in Reader(html).text
    assert HOSTILE in buttons(fragment(page)), "a tap sends what it should"
