"""The page of one side as HTML: what the side is asked, the last verdict, its forces. Begin with
``document`` (the whole page) and ``fragment`` (its changing part). Every text is escaped by
MarkupSafe. ``page/side.css`` and ``page/side.js`` rely on the ids of its elements."""

from __future__ import annotations

import json
from collections.abc import Iterable
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
VERDICT_CLASSES = {4: "short", 5: "five", 7: "middle", 11: "longer"}
"""The class of a verdict by the most characters that it may have. The style sheet gives each class
its size of letters; the largest stands first."""
LONGEST_VERDICT_CLASS = "long"
"""The class of a verdict with more characters."""
PHONE_STRIP = StripFrame(
    fewest_turns=6, most_turns=6, turns_width=438, names_width=150, letter_size=31
)
"""Six turns, in which letters can be read on a phone."""
LONGEST_PLAIN_KEY = 3
"""The most characters on an ordinary key of a pad; a longer text gets a wider key."""

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
    <p id="line" role="status" hidden>{connection_lost}</p>
    {main}
    {signal}
  </body>
</html>
""")
_SIGNAL = Markup(
    '<button type="button" id="signal" aria-pressed="false" hidden>{}</button>'
).format("Ring when asked: off")
"""The button that turns the ringing on. The script shows it if the browser can sound or vibrate."""
_SCRIPTS = Markup(
    '<script src="/page/live.js" defer></script><script src="/page/side.js" defer></script>'
)


def document(side: SidePage) -> str:
    """The whole page, which the script then keeps up to date with fragments. With each tap the
    script sends the length of the journal (``data-at``) and what was tapped since (``data-keys``),
    so that the server knows what the tap was meant for."""
    first_colour, second_colour = side.colours
    main = Markup(
        '<main id="side" class="first-{first_colour} second-{second_colour}" data-at="{length}" '
        'data-keys="{keys}">{content}</main>\n    <noscript><p>{no_script}</p></noscript>'
    ).format(
        first_colour=first_colour,
        second_colour=second_colour,
        length=side.journal_length,
        keys=json.dumps(side.keys),
        content=Markup(fragment(side)),
        no_script=NO_SCRIPT,
    )
    page = _TEMPLATE.format(
        title=plain(f"{side.whose} · {side.title}"),
        script=_SCRIPTS,
        connection_lost=CONNECTION_LOST,
        main=main,
        signal=_SIGNAL,
    )
    return str(page)


def ended_document(sentence: str) -> str:
    """The whole page of a game that cannot be shown: a sentence that says why."""
    main = Markup('<main id="side" class="ended"><h1>Skirmish</h1><p>{}</p></main>')
    main = main.format(plain(sentence))
    # The page has no script, so it needs no text for a lost connection and cannot ring.
    page = _TEMPLATE.format(title="Skirmish", script="", connection_lost="", main=main, signal="")
    return str(page)


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
    """An element of the page with an id. The script replaces its ``content`` when that has changed.
    ``attributes`` are further ones as HTML, with a space before each."""

    tag: str
    id: str
    attributes: str
    content: Markup

    def html(self) -> Markup:
        """The element of the page, with its content."""
        return Markup(f'<{self.tag} id="{self.id}"{self.attributes}>{self.content}</{self.tag}>')


def fragment(side: SidePage, board: BoardHtml | None = None) -> str:
    """The inside of ``<main>``; ``board`` is the ``board_html`` of the side, if that is known
    already. The script replaces only the parts whose content has changed, so that nothing else
    moves on the phone."""
    if board is None:
        board = board_html(side)
    head = SidePart("header", "head", "", _head(side)).html()
    upper = Markup("\n").join(part.html() for part in _upper_parts(side, board))
    return str(
        Markup('{}\n<div id="table">{}</div>\n<div id="dock">{}</div>').format(
            head, upper, _lower_parts(side)
        )
    )


def _upper_parts(side: SidePage, board: BoardHtml) -> tuple[SidePart, ...]:
    """What is read: the upper part of the page, which scrolls."""
    preview = EMPTY
    if side.question is not None:
        preview = as_html(side.question.preview)
    verdict = _verdict(side.verdict)
    heading = "Against you now"
    if side.is_for_spectator:
        heading = "Happening now"
    against = _headed(heading, side.against)
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


def _lower_parts(side: SidePage) -> Markup:
    """What is tapped: the lower part of the page, which a thumb reaches."""
    notice = SidePart("p", "notice", ' role="alert"', escape(plain(side.notice)))
    question = SidePart(
        "section", "question", ' aria-live="polite" tabindex="-1"', _what_is_asked(side)
    )
    answers = SidePart("section", "answers", ' aria-label="Answers"', _answers(side.question))
    commands = SidePart("section", "commands", ' aria-label="Commands"', _commands(side))
    bar = SidePart("section", "bar", ' aria-label="Go on or back"', _bar(side.question))
    choices = Markup('<div id="choices">{}</div>').format(answers.html() + commands.html())
    return notice.html() + question.html() + choices + bar.html()


def _head(side: SidePage) -> Markup:
    """Whose page it is, the clock of the game, and its title."""
    head = Markup("<h1{}>{}</h1><p>{}</p><p>{}</p>")
    party_class = EMPTY
    if side.party is not None:
        party_class = class_of(f"party{side.party}")
    return head.format(party_class, plain(side.whose), plain(side.headline), plain(side.title))


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
        classes = class_of("word", _verdict_class(text), verdict.tone)
        result = Markup("<p{}>{}</p>").format(classes, text)
    lines = [Markup("<p>{}</p>").format(plain(line)) for line in verdict.reason.split("\n")]
    return result + joined(lines)


def _verdict_class(text: str) -> str:
    """The class with the largest letters in which a verdict still fits on one line of a phone."""
    # The largest letters stand first in the table.
    for most_characters, verdict_class in VERDICT_CLASSES.items():
        if len(text) <= most_characters:
            return verdict_class
    return LONGEST_VERDICT_CLASS


def _folded(name: str, title: str, content: Markup) -> Markup:
    """Content that is folded away until its title is tapped; nothing if there is none. The script
    knows by the name whether somebody has unfolded it."""
    if not content:
        return EMPTY
    folded = Markup('<details data-name="{}"><summary>{}</summary>{}</details>')
    return folded.format(name, title, content)


def _losses(side: SidePage) -> Markup:
    """Whom each side lost in which turn, for spectators."""
    if side.wall is None:
        return EMPTY
    return Markup("<h2>Losses by turn</h2>{}").format(strip_svg(side.wall, PHONE_STRIP))


def _phases(side: SidePage) -> Markup:
    """The phases of the turn; nothing in a game without any."""
    if side.phases is None:
        return EMPTY
    return _folded("phases", "Phases of the turn", as_html(Page("", (side.phases,))))


def _journal(lines: Iterable[JournalLine]) -> Markup:
    """The lines under their turns, the latest first."""
    turns = []
    latest_first = reversed(list(lines))
    for turn, lines_of_turn in groupby(latest_first, key=attrgetter("turn")):
        head = EMPTY
        if turn:  # a game without turns has turn 0 on all lines
            head = Markup("<h2>Turn {}</h2>").format(turn)
        items = [Markup("<li>{}</li>").format(plain(line.text)) for line in lines_of_turn]
        turns.append(Markup("{}<ul>{}</ul>").format(head, joined(items)))
    return joined(turns)


# ------------------------------------------------------------------ what is asked


def _what_is_asked(side: SidePage) -> Markup:
    """For whom the game waits, then the question of this side with the answers so far."""
    waiting = _line("waits", side.waiting)
    question = side.question
    if question is None:
        return waiting
    # The script rings a phone when its question gets this attribute.
    asked_attribute = EMPTY
    if side.asked:
        asked_attribute = Markup(" data-asked")
    large = EMPTY
    if question.large:
        large = Markup("<b>{}</b> ").format(plain(question.large))
    head = Markup("<h2{}>{}{}</h2>").format(asked_attribute, large, plain(question.text))
    held_up = _line("quiet", side.held_up)
    return waiting + head + held_up + _given_answers(question)


def _given_answers(question: Question) -> Markup:
    """The answers so far, and the one that is begun."""
    answers = [Markup("<span>{}</span>").format(plain(answer)) for answer in question.given]
    typed = EMPTY
    if question.typed:  # the answer that is begun
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
    """The field in which a text is written; nothing if none is asked for."""
    if not question.longest_text:
        return EMPTY
    input_type = "text"
    if question.secret:
        input_type = "password"
    field = Markup(
        '<form data-words><input type="{}" maxlength="{}" autocomplete="off" '
        'aria-labelledby="question"><button>OK</button></form>'
    )
    return field.format(input_type, question.longest_text)


def _commands(side: SidePage) -> Markup:
    """The commands of this side, a group of buttons for each heading."""
    groups = []
    for heading, buttons in side.commands:
        group = Markup('<div role="group" aria-label="{}">{}</div>')
        groups.append(group.format(plain(heading), joined(map(_button, buttons))))
    return joined(groups)


def _bar(question: Question | None) -> Markup:
    """The button that leads one step back, and the one that confirms."""
    buttons = EMPTY
    if question is not None and question.back is not None:
        buttons += _button(question.back)
    if question is not None and question.confirm is not None:
        buttons += _button(question.confirm)
    return buttons


def _line(class_name: str, sentence: str) -> Markup:
    """A sentence as a paragraph of its own; nothing if there is none."""
    if not sentence:
        return EMPTY
    return Markup('<p class="{}">{}</p>').format(class_name, plain(sentence))


def _buttons(class_name: str, buttons: Iterable[Button], *, switches: bool = False) -> Markup:
    """Buttons in a box of that class; nothing if there are none. ``switches``: each turns
    something on and off."""
    inside = joined(_button(button, is_switch=switches) for button in buttons)
    if not inside:
        return EMPTY
    return Markup('<div class="{}">{}</div>').format(class_name, inside)


def _pad(keys: Iterable[Button]) -> Markup:
    """The keys that type an answer; nothing if there are none."""
    inside = []
    for key in keys:
        width_class = ""
        if len(key.text) > LONGEST_PLAIN_KEY:
            width_class = "long"
        inside.append(_button(key, width_class))
    if not inside:
        return EMPTY
    return Markup('<div class="pad">{}</div>').format(joined(inside))


def _button(button: Button, width_class: str = "", *, is_switch: bool = False) -> Markup:
    """A button; a wide one has a ``width_class``. ``is_switch``: it turns something on and off."""
    attributes = _button_attributes(button, width_class, is_switch=is_switch)
    mark = EMPTY
    if button.is_chosen:
        mark = Markup('<i aria-hidden="true">✓ </i>')
    remark = EMPTY
    remark_text = plain(button.why_not or button.note)
    if remark_text:
        remark = Markup(" <small>{}</small>").format(remark_text)
    text = escape(plain(button.text))
    return Markup(f'<button type="button"{attributes}>{mark}{text}{remark}</button>')


def _button_attributes(button: Button, width_class: str, *, is_switch: bool) -> Markup:
    """The attributes of a button: its classes, what a tap on it sends, whether it is chosen, and
    whether it can be tapped."""
    classes = []
    if button.is_proposed:
        classes.append("main")
    if width_class:
        classes.append(width_class)
    if button.is_unwise:
        classes.append("weak")
    attributes = class_of(*classes)
    # A tap may type a line, which ends with a line break. It is written as an entity, or a browser
    # might read it as a space.
    press = Markup("&#10;").join(button.press.split("\n"))
    attributes += Markup(f' data-press="{press}"')
    # Somebody who has the page read out must also hear that a switch is off.
    if button.is_chosen:
        attributes += Markup(' aria-pressed="true"')
    elif is_switch:
        attributes += Markup(' aria-pressed="false"')
    if button.why_not or button.is_off:
        attributes += Markup(" disabled")
    return attributes
