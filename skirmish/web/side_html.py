"""The page of one side as HTML: what it is asked, the last verdict, its forces. Every text is
escaped by MarkupSafe. ``page/side.css`` and ``page/side.js`` rely on its ids."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from markupsafe import Markup, escape

from skirmish.tabletop.game import JournalLine, Verdict
from skirmish.tabletop.page import Page
from skirmish.tabletop.typed import plain
from skirmish.web.page_html import EMPTY, as_html, class_of, joined
from skirmish.web.side_view import Button, Question, SidePage
from skirmish.web.strip_svg import StripFrame, strip_svg

CONNECTION_LOST = (
    "The connection is lost. This page comes back by itself; nothing that was shown is lost."
)
NO_SCRIPT = "This page needs JavaScript. Nothing is fetched from elsewhere."
VERDICT_LETTERS = {4: "short", 5: "five", 7: "middle", 11: "longer"}
"""The size of letters of a verdict by the most characters that it may have, the largest first."""
SMALLEST_LETTERS = "long"
"""The size of letters of a verdict with more characters."""
PHONE_STRIP = StripFrame(
    fewest_turns=6, most_turns=6, turns_width=438, names_width=150, letter_size=31
)
"""Six turns, in which letters can be read on a phone."""
LONGEST_PLAIN_KEY = 3
"""The most characters of an ordinary key of a pad; a longer one gets a wider key."""

_TEMPLATE = Markup("""<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, \
interactive-widget=resizes-content">
    <meta name="color-scheme" content="dark light">
    <meta name="robots" content="noindex">
    <title>{title}</title>
    <link rel="icon" href="/page/skirmish.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/page/sides.css">
    <link rel="stylesheet" href="/page/strip.css">
    <link rel="stylesheet" href="/page/board.css">
    <link rel="stylesheet" href="/page/side.css">
    {script}
  </head>
  <body>
    <p id="line" role="status" hidden>{lost}</p>
    {main}
    {signal}
  </body>
</html>
""")
_SIGNAL = Markup(
    '<button type="button" id="signal" aria-pressed="false" hidden>{}</button>'
).format("Ring when asked: off")
"""The script shows it where the browser can sound or vibrate."""
_SCRIPTS = Markup(
    '<script src="/page/live.js" defer></script><script src="/page/side.js" defer></script>'
)


def document(side: SidePage) -> str:
    """The whole page; the script keeps it up to date with fragments. With each tap it sends the
    length of the journal (``data-at``) and what was tapped since (``data-keys``): what the tap was
    meant for."""
    main = Markup(
        '<main id="side" class="{}" data-at="{}" data-keys="{}">{}</main>\n    {}'
    ).format(
        "first-{} second-{}".format(*side.colours),
        side.journal_length,
        json.dumps(side.keys),
        Markup(fragment(side)),
        Markup("<noscript><p>{}</p></noscript>").format(NO_SCRIPT),
    )
    title = f"{side.whose} · {side.title}"
    words = {"title": plain(title), "lost": CONNECTION_LOST}
    return str(_TEMPLATE.format(**words, script=_SCRIPTS, main=main, signal=_SIGNAL))


@lru_cache(maxsize=8)
def ended(sentence: str) -> str:
    """A page with one sentence, for a game that cannot be shown."""
    main = Markup('<main id="side" class="ended"><h1>Skirmish</h1><p>{}</p></main>')
    main = main.format(plain(sentence))
    return str(_TEMPLATE.format(title="Skirmish", script="", lost="", main=main, signal=""))


class BoardHtml(NamedTuple):
    """The contents of a page that are the same on all phones of a side: most of the work."""

    situation: Markup
    forces: Markup
    losses: Markup
    phases: Markup
    journal: Markup


def board_html(side: SidePage) -> BoardHtml:
    """The contents of a page that are the same on all phones of its side."""
    return BoardHtml(
        situation=as_html(side.situation) + as_html(side.due),
        forces=as_html(side.board),
        losses=_losses(side),
        phases=_phases(side),
        journal=_folded("journal", "Journal", _journal(side.journal)),
    )


class SidePart(NamedTuple):
    """An element of the page with an id, which the script fills anew where its ``content`` differs.
    ``attributes`` are as they stand in the markup, with a space before each."""

    tag: str
    id: str
    attributes: str
    content: Markup

    def html(self) -> Markup:
        """The element of the page, with its content."""
        return Markup(f'<{self.tag} id="{self.id}"{self.attributes}>{self.content}</{self.tag}>')


def fragment(side: SidePage, board: BoardHtml | None = None) -> str:
    """The inside of ``<main>``; ``board`` is its ``board_html``, if that is known already. The
    script replaces the inside of each element with an id whose content differs, so that nothing
    else moves."""
    if board is None:
        board = board_html(side)
    head = SidePart("header", "head", "", _head(side)).html()
    table = Markup("\n").join(part.html() for part in _table(side, board))
    return str(
        Markup('{}\n<div id="table">{}</div>\n<div id="dock">{}</div>').format(
            head, table, _dock(side)
        )
    )


def _table(side: SidePage, board: BoardHtml) -> tuple[SidePart, ...]:
    """What is read, and scrolls."""
    preview = EMPTY
    if side.question is not None:
        preview = as_html(side.question.preview)
    verdict = _verdict(side.verdict)
    against = _headed("Against you now", side.against)
    return (
        SidePart("section", "preview", ' aria-label="What is likely"', preview),
        SidePart("section", "verdict", ' aria-live="polite" aria-label="The last result"', verdict),
        SidePart("section", "against", "", against),
        SidePart("section", "situation", "", board.situation),
        SidePart("section", "board", ' aria-label="The forces"', board.forces),
        SidePart("section", "losses", "", board.losses),
        SidePart("section", "phases", "", board.phases),
        SidePart("section", "journal", "", board.journal),
    )


def _dock(side: SidePage) -> Markup:
    """What is tapped, at the lower edge where a thumb reaches it."""
    notice = SidePart("p", "notice", ' role="alert"', escape(plain(side.notice)))
    asked = SidePart(
        "section", "question", ' aria-live="polite" tabindex="-1"', _what_is_asked(side)
    )
    answers = SidePart("section", "answers", ' aria-label="Answers"', _answers(side.question))
    commands = SidePart("section", "commands", ' aria-label="Commands"', _commands(side))
    bar = SidePart("section", "bar", ' aria-label="Go on or back"', _bar(side.question))
    choices = Markup('<div id="choices">{}</div>').format(answers.html() + commands.html())
    return notice.html() + asked.html() + choices + bar.html()


def _head(side: SidePage) -> Markup:
    """Whose page it is, the clock of the game, and its title."""
    head = Markup("<h1{}>{}</h1><p>{}</p><p>{}</p>")
    look = EMPTY
    if side.party is not None:
        look = class_of(f"party{side.party}")
    return head.format(look, plain(side.whose), plain(side.headline), plain(side.title))


def _headed(title: str, page: Page) -> Markup:
    """A page under a heading; nothing if it is empty."""
    if not page.blocks:
        return EMPTY
    return Markup("<h2>{}</h2>{}").format(title, as_html(page))


def _verdict(verdict: Verdict | None) -> Markup:
    """The result in large letters, and its reason below, a paragraph for each line."""
    if verdict is None:
        return EMPTY
    text = plain(verdict.text)
    result = EMPTY
    if text:
        letters = class_of("word", _letters_for(text), verdict.tone)
        result = Markup("<p{}>{}</p>").format(letters, text)
    lines = [Markup("<p>{}</p>").format(plain(line)) for line in verdict.reason.split("\n")]
    return result + joined(lines)


def _letters_for(text: str) -> str:
    """The largest letters in which a verdict still fits on one line of a phone."""
    for most_characters, size in VERDICT_LETTERS.items():
        if len(text) <= most_characters:
            return size
    return SMALLEST_LETTERS


def _folded(name: str, title: str, content: Markup) -> Markup:
    """Something that is closed until it is tapped; nothing if it is empty."""
    if not content:
        return EMPTY
    folded = Markup('<details data-name="{}"><summary>{}</summary>{}</details>')
    return folded.format(name, title, content)


def _losses(side: SidePage) -> Markup:
    """Whom each side lost in which turn, for those who watch."""
    if side.wall is None:
        return EMPTY
    return Markup("<h2>Losses by turn</h2>{}").format(strip_svg(side.wall, PHONE_STRIP))


def _phases(side: SidePage) -> Markup:
    """The phases of the turn; nothing in a game without any."""
    if side.phases is None:
        return EMPTY
    return _folded("phases", "Phases of the turn", as_html(Page("", (side.phases,))))


def _journal(lines: Iterable[JournalLine]) -> Markup:
    """The latest line first, under its turn."""
    turns = []
    latest_first = reversed(list(lines))
    for turn, lines_of_turn in groupby(latest_first, key=attrgetter("turn")):
        head = EMPTY
        if turn:
            head = Markup("<h2>Turn {}</h2>").format(turn)
        items = [Markup("<li>{}</li>").format(plain(line.text)) for line in lines_of_turn]
        turns.append(Markup("{}<ul>{}</ul>").format(head, joined(items)))
    return joined(turns)


# ------------------------------------------------------------------ what is asked


def _what_is_asked(side: SidePage) -> Markup:
    """The question, and for whom the game waits."""
    waiting = _line("waits", side.waiting)
    question = side.question
    if question is None:
        return waiting
    # The script rings a phone whose question has this mark.
    mark = EMPTY
    if side.asked:
        mark = Markup(" data-asked")
    large = EMPTY
    if question.large:
        large = Markup("<b>{}</b> ").format(plain(question.large))
    head = Markup("<h2{}>{}{}</h2>").format(mark, large, plain(question.text))
    held_up = _line("quiet", side.held_up)
    return waiting + head + held_up + _given_answers(question)


def _given_answers(question: Question) -> Markup:
    """The answers so far, and the one that is begun."""
    answers = [Markup("<span>{}</span>").format(plain(answer)) for answer in question.given]
    typed = EMPTY
    if question.typed:
        typed = Markup("<output>{}</output>").format(plain(question.typed))
    return Markup('<p class="given">{}{}</p>').format(joined(answers), typed)


def _answers(question: Question | None) -> Markup:
    """Every way to answer: buttons, keys, a field for a text, switches."""
    if question is None:
        return EMPTY
    return (
        _buttons("options", question.options)
        + _line("quiet", question.hint)
        + _pad(question.pad)
        + _field(question)
        + _buttons("toggles", question.toggles, switches=True)
    )


def _field(question: Question) -> Markup:
    """Where a text is written, if one is asked for."""
    if not question.longest_text:
        return EMPTY
    kind = "text"
    if question.secret:
        kind = "password"
    field = Markup(
        '<form data-words><input type="{}" maxlength="{}" autocomplete="off" '
        'aria-labelledby="question"><button>OK</button></form>'
    )
    return field.format(kind, question.longest_text)


def _commands(side: SidePage) -> Markup:
    """What can be begun, a group of buttons for each heading."""
    groups = []
    for title, buttons in side.commands:
        group = Markup('<div role="group" aria-label="{}">{}</div>')
        groups.append(group.format(plain(title), joined(map(_button, buttons))))
    return joined(groups)


def _bar(question: Question | None) -> Markup:
    """The way back and the way on."""
    buttons = EMPTY
    if question is not None and question.back is not None:
        buttons += _button(question.back)
    if question is not None and question.confirm is not None:
        buttons += _button(question.confirm)
    return buttons


def _line(look: str, sentence: str) -> Markup:
    """A sentence as a paragraph of its own; nothing if there is none."""
    if not sentence:
        return EMPTY
    return Markup('<p class="{}">{}</p>').format(look, plain(sentence))


def _buttons(kind: str, buttons: Iterable[Button], *, switches: bool = False) -> Markup:
    """Buttons in a box; no box without any."""
    inside = joined(_button(button, switches=switches) for button in buttons)
    if not inside:
        return EMPTY
    return Markup('<div class="{}">{}</div>').format(kind, inside)


def _pad(keys: Iterable[Button]) -> Markup:
    """The keys that type an answer."""
    inside = []
    for key in keys:
        look = ""
        if len(key.text) > LONGEST_PLAIN_KEY:
            look = "long"
        inside.append(_button(key, look))
    if not inside:
        return EMPTY
    return Markup('<div class="pad">{}</div>').format(joined(inside))


def _button(button: Button, look: str = "", *, switches: bool = False) -> Markup:
    """A button; ``switches``: it turns a fact on and off, so that it is either pressed or not."""
    classes = []
    if button.main:
        classes.append("main")
    if look:
        classes.append(look)
    # A weak button is one that the rules speak against. Those with a look of their own are the long
    # keys of a pad, which type digits and letters: the rules speak against none of them.
    if button.weak and not look:
        classes.append("weak")
    attributes = class_of(*classes)
    # A line break ends a line that a tap types; as it is, a browser would read it as a space.
    press = Markup("&#10;").join(button.press.split("\n"))
    attributes += Markup(f' data-press="{press}"')
    if button.mark:
        attributes += Markup(' aria-pressed="true"')
    elif switches:
        attributes += Markup(' aria-pressed="false"')
    # ``off``: the reason is not on the button, but elsewhere on the page.
    if button.why_not or button.off:
        attributes += Markup(" disabled")
    mark = EMPTY
    if button.mark:
        mark = Markup('<i aria-hidden="true">✓ </i>')
    remark = EMPTY
    remark_text = plain(button.why_not or button.note)
    if remark_text:
        remark = Markup(" <small>{}</small>").format(remark_text)
    text = escape(plain(button.text))
    return Markup(f'<button type="button"{attributes}>{mark}{text}{remark}</button>')
