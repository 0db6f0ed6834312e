"""The page of one side as HTML: what it is asked, the last verdict, its forces. Every text is
escaped by MarkupSafe. ``page/side.css`` and ``page/side.js`` rely on its ids."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from markupsafe import Markup, escape

from skirmish.tabletop.game import JournalLine, Verdict
from skirmish.tabletop.page import Page
from skirmish.tabletop.typed import plain
from skirmish.web.page_html import as_html, class_of, joined
from skirmish.web.side_view import Button, Question, SidePage

LOST = "The connection is lost. This page comes back by itself; nothing that was shown is lost."
NO_SCRIPT = "This page needs JavaScript. Nothing is fetched from elsewhere."
LETTERS = ((4, "short"), (5, "five"), (7, "middle"), (11, "longer"))
"""The most characters of a verdict in each size of letters; a longer one gets the smallest."""
DIGITS = 3
"""The most characters of an ordinary key of a pad."""

_DOCUMENT = Markup("""<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, \
interactive-widget=resizes-content">
    <meta name="color-scheme" content="dark light">
    <meta name="robots" content="noindex">
    <title>{title}</title>
    <link rel="icon" href="/page/skirmish.svg" type="image/svg+xml">
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
_SCRIPT = Markup('<script src="/page/side.js" defer></script>')


def document(side: SidePage) -> str:
    """The whole page; the script keeps it up to date with fragments."""
    main = Markup('<main id="side" data-at="{}" data-keys="{}">{}</main>\n    {}').format(
        side.at,
        json.dumps(side.keys),
        Markup(fragment(side)),
        Markup("<noscript><p>{}</p></noscript>").format(NO_SCRIPT),
    )
    title = f"{side.whose} · {side.title}"
    words = {"title": plain(title), "lost": LOST}
    return str(_DOCUMENT.format(**words, script=_SCRIPT, main=main, signal=_SIGNAL))


@lru_cache(maxsize=8)
def ended(sentence: str) -> str:
    """A page with one sentence, for a link that leads nowhere."""
    main = Markup('<main id="side" class="ended"><h1>Skirmish</h1><p>{}</p></main>')
    main = main.format(plain(sentence))
    return str(_DOCUMENT.format(title="Skirmish", script="", lost="", main=main, signal=""))


def board_html(side: SidePage) -> dict[str, Markup]:
    """The parts of a page that are the same on all phones of a side, by id; most of the work."""
    return {
        "situation": as_html(side.situation) + as_html(side.due),
        "board": as_html(side.board),
        "phases": _phases(side),
        "journal": _folded("journal", "Journal", _journal(side.journal)),
    }


def fragment(side: SidePage, board: Mapping[str, Markup] | None = None) -> str:
    """The inside of ``<main>``; ``board`` is its ``board_html``, if that is known already. The
    script replaces the inside of each element with an id whose content differs, so that nothing
    else moves."""
    question = side.question
    if board is None:
        board = board_html(side)
    parts = (
        ("header", "head", "", _head(side)),
        ("section", "preview", ' aria-label="What is likely"',
         as_html(question.preview) if question else Markup("")),
        ("section", "verdict", ' aria-live="polite" aria-label="The last result"',
         _verdict(side.verdict)),
        ("section", "against", "", _headed("Against you now", side.against)),
        ("section", "situation", "", board["situation"]),
        ("section", "board", ' aria-label="The forces"', board["board"]),
        ("section", "phases", "", board["phases"]),
        ("section", "journal", "", board["journal"]),
    )  # fmt: skip
    dock = (
        ("p", "notice", ' role="alert"', Markup("{}").format(plain(side.notice))),
        ("section", "question", ' aria-live="polite" tabindex="-1"', _asked(side)),
        ("section", "answers", ' aria-label="Answers"', _answers(question)),
        ("section", "commands", ' aria-label="Commands"', joined(_commands(side))),
        ("section", "bar", ' aria-label="Go on or back"', _bar(question)),
    )
    first, *table = [_part(*part) for part in parts]
    notice, asked, answers, commands, bar = [_part(*part) for part in dock]
    choices = Markup('<div id="choices">{}</div>').format(answers + commands)
    whole = Markup('{}\n<div id="table">{}</div>\n<div id="dock">{}</div>')
    return str(whole.format(first, Markup("\n").join(table), notice + asked + choices + bar))


def _part(tag: str, id: str, more: str, inside: Markup) -> Markup:
    return Markup(f'<{tag} id="{id}"{more}>{escape(inside)}</{tag}>')


def _head(side: SidePage) -> Markup:
    head = Markup("<h1>{}</h1><p>{}</p><p>{}</p>")
    return head.format(plain(side.whose), plain(side.headline), plain(side.title))


def _headed(title: str, page: Page) -> Markup:
    return Markup("<h2>{}</h2>{}").format(title, as_html(page)) if page.blocks else Markup("")


def _verdict(verdict: Verdict | None) -> Markup:
    if verdict is None:
        return Markup("")
    text = plain(verdict.text)
    size = next((name for most, name in LETTERS if len(text) <= most), "long")
    letters = class_of("word", size, verdict.tone)
    word = Markup("<p{}>{}</p>").format(letters, text) if text else ""
    lines = joined(Markup("<p>{}</p>").format(plain(one)) for one in verdict.reason.split("\n"))
    return Markup("{}{}").format(word, lines)


def _folded(name: str, title: str, inside: Markup) -> Markup:
    if not inside:
        return Markup("")
    return Markup('<details data-name="{}"><summary>{}</summary>{}</details>').format(
        name, title, inside
    )


def _phases(side: SidePage) -> Markup:
    inside = as_html(Page("", (side.phases,))) if side.phases else Markup("")
    return _folded("phases", "Phases of the turn", inside)


def _journal(lines: Iterable[JournalLine]) -> Markup:
    """The latest line first, under its turn."""
    turns = []
    for turn, of_turn in groupby(reversed(list(lines)), lambda line: line.turn):
        items = joined(Markup("<li>{}</li>").format(plain(one.text)) for one in of_turn)
        head = Markup("<h3>Turn {}</h3>").format(turn) if turn else ""
        turns.append(Markup("{}<ul>{}</ul>").format(head, items))
    return joined(turns)


# ------------------------------------------------------------------ what is asked


def _asked(side: SidePage) -> Markup:
    question = side.question
    waits = Markup("")
    if side.waiting:
        waits = Markup('<p class="waits">{}</p>').format(plain(side.waiting))
    if question is None:
        return waits
    asked = Markup(" data-asked") if side.asked else Markup("")
    held_up = Markup("")
    if side.held_up:
        held_up = Markup('<p class="quiet">{}</p>').format(plain(side.held_up))
    large = Markup("<b>{}</b> ").format(plain(question.large)) if question.large else ""
    given = joined(Markup("<span>{}</span>").format(plain(one)) for one in question.given)
    typed = Markup("<output>{}</output>").format(plain(question.typed)) if question.typed else ""
    whole = Markup('{}<h2{}>{}{}</h2>{}<p class="given">{}{}</p>')
    return whole.format(waits, asked, large, plain(question.text), held_up, given, typed)


def _answers(question: Question | None) -> Markup:
    if question is None:
        return Markup("")
    field = Markup("")
    if question.words:
        kind = "password" if question.secret else "text"
        field = Markup(
            '<form data-words><input type="{}" maxlength="{}" autocomplete="off" '
            'aria-labelledby="question"><button>OK</button></form>'
        ).format(kind, question.words)
    hint = Markup('<p class="quiet">{}</p>').format(plain(question.hint)) if question.hint else ""
    return (
        _buttons("options", question.options)
        + hint
        + _pad(question.pad)
        + field
        + _buttons("toggles", question.toggles, pressed=True)
    )


def _commands(side: SidePage) -> Iterator[Markup]:
    for title, buttons in side.commands:
        group = Markup('<div role="group" aria-label="{}">{}</div>')
        yield group.format(plain(title), joined(map(_button, buttons)))


def _bar(question: Question | None) -> Markup:
    buttons = [question.back, question.confirm] if question else []
    return joined(_button(one) for one in buttons if one is not None)


def _buttons(kind: str, buttons: Iterable[Button], *, pressed: bool = False) -> Markup:
    found = joined(_button(one, pressed=pressed) for one in buttons)
    return Markup('<div class="{}">{}</div>').format(kind, found) if found else Markup("")


def _pad(keys: Sequence[Button]) -> Markup:
    found = joined(_button(one, "long" * (len(one.text) > DIGITS)) for one in keys)
    return Markup('<div class="pad">{}</div>').format(found) if found else Markup("")


def _button(one: Button, look: str = "", *, pressed: bool = False) -> Markup:
    """A button; ``pressed``: it turns a fact on and off."""
    state = ""
    if pressed or one.mark:
        state = Markup(' aria-pressed="{}"').format("true" if one.mark else "false")
    off = Markup(" disabled") if one.why_not or one.off else ""
    more = plain(one.why_not or one.note)
    small = Markup(" <small>{}</small>").format(more) if more else ""
    mark = Markup('<i aria-hidden="true">✓ </i>') if one.mark else ""
    look = look or "weak" * one.weak
    main, press = class_of("main" * one.main, look), Markup("&#10;").join(one.press.split("\n"))
    tag = f'<button type="button"{main} data-press="{press}"{state}{off}>'
    return Markup(f"{tag}{mark}{escape(plain(one.text))}{small}</button>")
