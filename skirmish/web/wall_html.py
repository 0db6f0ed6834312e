"""The page for a television: a game that everybody in the room sees, and nobody can press.

``wall_document`` is what a browser loads, ``wall_parts`` what is sent when something happens: the
script replaces each part that differs. ``page/wall.css`` places the parts. As everywhere,
MarkupSafe escapes every text, and no style and no script stands in the markup."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup
from msgspec.structs import replace

from skirmish.tabletop.chance import Draw
from skirmish.tabletop.game import Verdict
from skirmish.tabletop.page import Page
from skirmish.tabletop.typed import plain
from skirmish.tabletop.wall import Half, WallBoard, WallDraw, WallKill, WallSide
from skirmish.web.page_html import EMPTY, as_html, joined

LOST = "Waiting for the table"
NO_SCRIPT = "This page needs JavaScript. Nothing is fetched from elsewhere."
UPRIGHT, LYING = "/side/map/upright.svg", "/side/map/lying.svg"
"""The two drawings of a map; a browser loads the one that its window has room for."""
MOST_TURNS = 20
"""The most turns that the strip shows; of a longer battle the last ones."""
FEWEST_TURNS = 8
MOST_CARDS = 6
"""The most cards of a volley that are shown side by side."""
LONGEST_GOAL = 68
"""The most characters of the terms of victory, which have one line."""
LONG_WORD = 6
"""A longer word of the result gets smaller letters."""

_DOCUMENT = Markup("""<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="dark light">
    <meta name="robots" content="noindex">
    <title>{title}</title>
    <link rel="icon" href="/page/skirmish.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/page/wall.css">
    <script src="/page/live.js" defer></script><script src="/page/wall.js" defer></script>
  </head>
  <body>
    <main id="wall">{parts}</main>
    <p id="away" role="status" hidden>{lost}</p>
    <noscript><p>{no_script}</p></noscript>
  </body>
</html>
""")


class WallPage(NamedTuple):
    """A game as the room may see it. ``board`` is None for a game that knows no more of itself than
    its ``clock`` and ``page``."""

    title: str
    clock: str
    over: bool
    verdict: Verdict | None
    waiting: str
    last_line: str
    page: Page
    board: WallBoard | None


def wall_document(wall: WallPage) -> str:
    """The whole page."""
    return str(
        _DOCUMENT.format(
            title=plain(wall.title), parts=wall_parts(wall), lost=LOST, no_script=NO_SCRIPT
        )
    )


def wall_parts(wall: WallPage) -> Markup:
    """The inside of ``<main>``, in the order in which it is read."""
    board = wall.board
    parts = [_part("header", "band", _band(wall))]
    parts.append(_part("section", "shot", _shot(wall), "The last result"))
    if board is not None:
        parts.append(_part("section", "clock", _clock(board), "The clock"))
        parts.append(_part("section", "strengths", _strengths(board)))
        parts.append(_part("section", "goal", _goal(board)))
    else:
        parts.append(_part("section", "clock", Markup("<p>{}</p>").format(plain(wall.clock))))
    parts.append(_part("p", "told", _told(wall)))
    if board is not None:
        parts.append(_part("section", "strip", _strip(board), "Losses by turn"))
    parts.append(_part("section", "map", _map(wall), "The table"))
    return Markup("\n").join(parts)


def _part(tag: str, name: str, content: Markup, label: str = "") -> Markup:
    """An element that the script fills anew where it differs."""
    spoken = EMPTY
    if label:
        spoken = Markup(' aria-label="{}"').format(label)
    live = EMPTY
    if name == "told":
        live = Markup(' aria-live="polite"')
    return Markup("<{0} id={1}{2}{3}>{4}</{0}>").format(
        Markup(tag), Markup(f'"{name}"'), spoken, live, content
    )


# ------------------------------------------------------------------ name, clock, strengths


def _band(wall: WallPage) -> Markup:
    number, where = EMPTY, EMPTY
    if wall.board is not None:
        if wall.board.number:
            number = Markup("<b>{}</b>").format(wall.board.number)
        where = Markup("<span>{}</span>").format(plain(wall.board.where))
    return Markup("{}<h1>{}</h1>{}").format(number, plain(wall.title), where)


def _clock(board: WallBoard) -> Markup:
    of = EMPTY
    if board.last_turn:
        of = Markup("<small>of {}</small>").format(board.last_turn)
    mover = Markup("<b>Battle over</b>")
    if board.mover is not None:
        side = board.sides[board.mover]
        mover = Markup('<b class="ground {}">{}</b><span>{}</span>').format(
            _look(board, board.mover), plain(side.people), plain(board.phase)
        )
    number = Markup('<strong><span class="spoken">Turn </span>{}</strong>').format(board.turn)
    return Markup("{}{}<p>{}</p>").format(number, of, mover)


def _look(board: WallBoard, half: Half) -> str:
    """The classes of a side: its colour, and its shape besides."""
    side = board.sides[half]
    colour = side.nation or ("first", "second")[half]
    shape = "solid" if side.solid else "hollow"
    return f"{colour} {shape}"


def _strengths(board: WallBoard) -> Markup:
    bars = joined(_bar(board, half, side) for half, side in _halves(board))
    return Markup("<h2>Strength left</h2>{}").format(bars)


def _halves(board: WallBoard) -> Iterator[tuple[Half, WallSide]]:
    yield 0, board.sides[0]
    yield 1, board.sides[1]


def _bar(board: WallBoard, half: Half, side: WallSide) -> Markup:
    share = 100.0
    if side.strength:
        share = 100 * side.left / side.strength
    # The hatching is drawn anew for each side: a pattern has the colour of its own place.
    bar = Markup(
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" width="100" height="10"/><rect class="left" width="{:.1f}" '
        'height="10"/></svg>'
    ).format(share)
    words = Markup('<p class="bar {}"><b>{}</b>{}<span>{} <small>of {}</small></span></p>')
    people = plain(side.people)
    return words.format(_look(board, half), people, bar, side.left, side.strength)


def _goal(board: WallBoard) -> Markup:
    figures = EMPTY
    if board.counts is not None:
        first, second = board.counts
        figures = Markup("<span>{} : {}</span>").format(
            _count(board, 0, first), _count(board, 1, second)
        )
    stands = "Even"
    if board.winner is not None:
        stands = f"{board.sides[board.winner].people} win"
    elif board.mover is None:
        stands = "A draw"
    elif board.ahead is not None:
        stands = f"{board.sides[board.ahead].people} ahead"
    goal = EMPTY
    # A longer one would be cut off in its middle; players have it on their sheet.
    if len(board.goal) <= LONGEST_GOAL:
        goal = Markup('<p class="aim">{}</p>').format(plain(board.goal))
    parts = Markup('<h2>As it stands</h2><p class="figures">{}<em>{}</em></p><p>{}</p>{}')
    return parts.format(figures, plain(stands), plain(board.stands), goal)


def _count(board: WallBoard, half: Half, count: int) -> Markup:
    return Markup('<b class="count ground {}">{}</b>').format(_look(board, half), count)


def _told(wall: WallPage) -> Markup:
    """Who is asked for what; else what happened last."""
    if wall.waiting and not wall.over:
        return Markup("{}").format(plain(wall.waiting))
    return Markup("{}").format(plain(wall.last_line))


# ------------------------------------------------------------------ the card or what replaces it


def _shot(wall: WallPage) -> Markup:
    """The card of the last shot with its word; or a die, a volley, the end, or who is asked."""
    verdict = wall.verdict
    if wall.over:
        return _end(wall)
    if verdict is None or not verdict.text:
        if wall.waiting:
            return Markup('<div class="card back asked"><strong>?</strong></div>')
        return Markup('<div class="card back" aria-hidden="true"></div>')
    word = _word(verdict)
    if verdict.draw is not None and verdict.draw.suit is not None:
        corners = joined([_corner(verdict.draw), _corner(verdict.draw)])
        return Markup('<div class="card">{}{}</div>').format(corners, word)
    if verdict.draw is not None:
        return Markup('<div class="card die"><i>{}</i>{}</div>').format(verdict.draw.rank, word)
    if wall.board is not None and len(wall.board.volley) > 1:
        return Markup('<div class="card volley">{}{}</div>').format(_hand(wall.board.volley), word)
    return Markup('<div class="card">{}</div>').format(word)


def _word(verdict: Verdict) -> Markup:
    """The word on a bar from edge to edge: on black for what happened to somebody, between two
    lines for what did not, so that shape tells them apart and not colour."""
    text = plain(verdict.text)
    is_nothing = verdict.tone == "quiet" or text.startswith("0 ")
    looks = ["quiet" if is_nothing else "struck"]
    lines = [text]
    if len(text) > LONG_WORD and " " in text:
        lines = text.split(" ")
        if lines[0].isdigit():  # 2 HITS 1 BROKEN
            lines = [" ".join(lines[:2]), " ".join(lines[2:])]
    longest = max(len(line) for line in lines)
    looks.append(f"letters{min(max(longest, 3), 8)}")
    shown = Markup("<br>").join(line for line in lines if line)
    return Markup('<strong class="{}">{}</strong>').format(" ".join(looks), shown)


def _corner(draw: Draw) -> Markup:
    """Rank and suit, as in the corner of a card."""
    return Markup("<i>{}{}</i>").format(draw.rank_sign, _suit(draw.suit or ""))


SUITS = {
    "S": "M50 4C62 26 94 40 94 66C94 82 82 90 70 90C62 90 56 86 54 80C55 90 60 98 70 104H30C40 98 "
    "45 90 46 80C44 86 38 90 30 90C18 90 6 82 6 66C6 40 38 26 50 4Z",
    "H": "M50 102C40 82 6 62 6 34C6 16 18 6 31 6C40 6 47 12 50 22C53 12 60 6 69 6C82 6 94 16 94 34"
    "C94 62 60 82 50 102Z",
    "D": "M50 4C60 24 74 42 88 54C74 66 60 84 50 104C40 84 26 66 12 54C26 42 40 24 50 4Z",
    "C": "M50 4A22 22 0 0 1 66 41A22 22 0 1 1 54 75C55 88 60 98 70 104H30C40 98 45 88 46 75"
    "A22 22 0 1 1 34 41A22 22 0 0 1 50 4Z",
}
"""The signs of the suits in a box of 100 by 108."""
_SUIT_NAMES = {"S": "of spades", "H": "of hearts", "D": "of diamonds", "C": "of clubs"}


def _suit(suit: str) -> Markup:
    if suit not in SUITS:  # a card that was typed in without it
        return EMPTY
    red = Markup(' class="red"') if suit in "HD" else EMPTY
    sign = Markup('<svg{} viewBox="0 0 100 108" role="img" aria-label="{}"><path d="{}"/></svg>')
    return sign.format(red, _SUIT_NAMES[suit], SUITS[suit])


def _hand(volley: Sequence[WallDraw]) -> Markup:
    """The draws of a volley, the hits first and filled; more than there is room for are counted."""
    in_order = sorted(volley, key=_hits_first)
    cards = [_small_card(drawn) for drawn in in_order[:MOST_CARDS]]
    more = len(in_order) - MOST_CARDS
    rest = EMPTY
    if more > 0:
        rest = Markup("<small>and {} more</small>").format(more)
    return Markup("<ol>{}</ol>{}").format(joined(cards), rest)


def _hits_first(drawn: WallDraw) -> bool:
    return not drawn.hit


def _small_card(drawn: WallDraw) -> Markup:
    look = Markup(' class="hit"') if drawn.hit else EMPTY
    spoken = Markup('<span class="spoken"> ({})</span>').format("hit" if drawn.hit else "miss")
    draw = drawn.draw
    return Markup("<li{}>{}{}{}</li>").format(
        look, draw.rank_sign if draw.suit else draw.rank, _suit(draw.suit or ""), spoken
    )


def _end(wall: WallPage) -> Markup:
    """Who has won, on the colour of the side."""
    board = wall.board
    if board is None:
        return Markup('<div class="card end"><strong class="struck letters3">END</strong></div>')
    if board.winner is None:
        return Markup('<div class="card end"><strong class="quiet letters4">DRAW</strong></div>')
    people = plain(board.sides[board.winner].people)
    letters = min(max(len(people), 3), 9)
    return Markup(
        '<div class="card end ground {}"><strong><span class="letters{}">{}</span>'
        '<span class="letters4">WIN</span></strong></div>'
    ).format(_look(board, board.winner), letters, people)


# ------------------------------------------------------------------ the map


def _map(wall: WallPage) -> Markup:
    """The map; where there is none, the board of the game."""
    board = wall.board
    if board is None or not board.map_name:
        return Markup('<div class="board">{}</div>').format(as_html(wall.page))
    # After the first turn it is another drawing, and so another address.
    later = "?later" if board.turn > 1 else ""
    return Markup(
        '<picture><source media="(max-aspect-ratio: 1/1)" srcset="{}"><img src="{}" alt="{}">'
        "</picture>"
    ).format(LYING + later, UPRIGHT + later, plain(board.map_name))


# ------------------------------------------------------------------ the strip

_LEFT, _ROOM, _AXIS, _TALL = 150.0, 1095.0, 112.0, 216.0
"""Where the turns begin, the width of them all, the middle of their line, the height of it all."""
_ROWS = (4, 3)
"""Kills above one another, of the first side and of the second."""
_PITCH = 27.0
_ABREAST = 34.0
"""The width of a kill."""


def _strip(board: WallBoard) -> Markup:
    strip = board.strip
    played = len(strip.kills[0])
    last = max(strip.last, played, FEWEST_TURNS)
    first_turn = max(1, min(last, max(played, MOST_TURNS)) - MOST_TURNS + 1)
    turns = range(first_turn, min(last, first_turn + MOST_TURNS - 1) + 1)
    cell = _ROOM / len(turns)
    parts = []
    for column, turn in enumerate(turns):
        parts.append(_column(board, turn, _LEFT + column * cell, cell))
    names = joined(_strip_name(board, half) for half in (0, 1))
    turning = _turning(board, turns, cell)
    spoken = "Losses by turn: " + ", ".join(
        f"{side.people} {side.lost} of {side.strength}" for side in board.sides
    )
    return Markup(
        '<svg viewBox="0 0 1245 {:g}" role="img" aria-label="{}">{}{}'
        '<text class="head" x="0" y="{:g}">TURN</text>{}</svg>'
    ).format(_TALL, plain(spoken), joined(parts), names, _AXIS + 11, turning)


def _strip_name(board: WallBoard, half: Half) -> Markup:
    side = board.sides[half]
    y = _AXIS - 62 if half == 0 else _AXIS + 60
    people = plain(side.people).upper()
    fitted = EMPTY
    if len(people) > 10:
        fitted = Markup(' textLength="138" lengthAdjust="spacingAndGlyphs"')
    return Markup(
        '<text class="who {}" x="0" y="{:g}"{}>{}</text>'
        '<text class="lost" x="0" y="{:g}">lost {}</text>'
    ).format(_look(board, half), y, fitted, people, y + 29, side.lost)


def _column(board: WallBoard, turn: int, left: float, cell: float) -> Markup:
    now = board.turn if board.mover is not None else board.turn + 1
    kind = "next"
    behind = EMPTY
    if turn < now:
        kind = "past"
    elif turn == now:
        kind = "now"
        behind = Markup(
            '<rect class="tint" x="{:.1f}" y="0" width="{:.1f}" height="{:g}"/>'
        ).format(left, cell, _TALL)
    number = Markup(
        '<rect class="{}" x="{:.1f}" y="{:g}" width="{:.1f}" height="42"/>'
        '<text class="turn {}" x="{:.1f}" y="{:g}">{}</text>'
    ).format(kind, left + 1, _AXIS - 21, cell - 2, kind, left + cell / 2, _AXIS + 11, turn)
    kills = joined(_stack(board, half, turn, left + cell / 2, cell) for half in (0, 1))
    return behind + number + kills


def _stack(board: WallBoard, half: Half, turn: int, middle: float, cell: float) -> Markup:
    """The kills of a turn, from the line of turns outward; where they are too many, those alike
    share a symbol."""
    by_turn = board.strip.kills[half]
    if turn > len(by_turn):
        return EMPTY
    abreast = 2 if cell >= 2 * _ABREAST else 1
    room = _ROWS[half] * abreast
    kills = [*by_turn[turn - 1]]
    if sum(kill.count for kill in kills) <= room:
        kills = [replace(kill, count=1) for kill in kills for _ in range(kill.count)]
    drawn = []
    outward = -1 if half == 0 else 1
    for place, kill in enumerate(kills[:room]):
        row, column = divmod(place, abreast)
        alone = abreast == 1 or (place == len(kills) - 1 and column == 0)
        x = middle
        if not alone:
            x += (column - 0.5) * _ABREAST
        y = _AXIS + outward * (39 + row * _PITCH)
        drawn.append(_kill(board, half, kill, x, y))
    return joined(drawn)


def _kill(board: WallBoard, half: Half, kill: WallKill, x: float, y: float) -> Markup:
    frames = {
        "box": '<rect x="-16" y="-11" width="32" height="22"/>',
        "oval": '<rect x="-16" y="-11" width="32" height="22" rx="10"/>',
        "pillbox": '<path d="M-13-11H7L14 0L7 11H-13Z"/>',
    }
    number = EMPTY
    lines = EMPTY
    if kill.count > 1:
        number = Markup('<text y="9">{}</text>').format(f"×{kill.count}")
    else:
        lines = Markup('<path class="sign" d="{}"/>').format(_sign(kill.lines))
    return Markup(
        '<g class="kill {}" transform="translate({:.1f} {:.1f}) scale(.92)">{}{}{}</g>'
    ).format(_look(board, half), x, y, Markup(frames[kill.frame]), lines, number)


def _sign(lines: str) -> str:
    """The polylines of a unit in a frame of 32 by 22; y grows downward here."""
    path = ""
    for polyline in filter(None, lines.split("/")):
        places = [int(place) for place in polyline.split()]
        corners = []
        for x, y in zip(places[::2], places[1::2], strict=True):
            corners.append(f"{x * 1.6:.1f} {-y * 1.1:.1f}")
        path += "M" + "L".join(corners)
    return path


def _turning(board: WallBoard, turns: range, cell: float) -> Markup:
    """A line where the turn begins that decided the battle."""
    strip = board.strip
    if strip.turning not in turns:
        return EMPTY
    x = _LEFT + (strip.turning - turns[0]) * cell
    return Markup('<path class="turning" d="M{0:.1f} 4V{1:g}"/>').format(x, _TALL - 4)
