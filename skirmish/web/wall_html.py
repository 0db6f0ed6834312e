"""The page for a television (the wall): everybody in the room sees the game, and nothing can be
pressed.

``wall_document`` is what a browser loads, ``wall_parts`` what is sent when something happens: the
script replaces each part that differs. ``page/wall.css`` places the parts. As on every page,
MarkupSafe escapes all texts, and the markup has neither styles nor scripts in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from skirmish.tabletop.chance import Draw
from skirmish.tabletop.game import Verdict
from skirmish.tabletop.page import BoardKey, Page, SquareBoard, Table
from skirmish.tabletop.side_colours import NO_NATION
from skirmish.tabletop.typed import plain
from skirmish.tabletop.wall import Half, WallBoard, WallDraw
from skirmish.web.page_html import EMPTY, as_html, class_of, joined
from skirmish.web.strip_svg import StripFrame, side_classes, strip_svg

CONNECTION_LOST = "Waiting for the table"
NO_SCRIPT = "This page needs JavaScript. Nothing is fetched from elsewhere."
UPRIGHT_MAP, LYING_MAP = "/side/map/upright.svg", "/side/map/lying.svg"
"""The addresses of the two drawings of a map. A browser loads the one that fits its window."""
WALL_STRIP = StripFrame(
    fewest_turns=8, most_turns=20, turns_width=1047, names_width=198, letter_size=44
)
"""The strip with as many turns as can be read from across the room."""
MOST_CARDS = 6
"""The most cards of a volley that are shown side by side."""
LONGEST_GOAL = 68
"""The most characters of the terms of victory for which their one line has room."""
LONGEST_NEWS = 112
"""The most characters of the news for which their two rows have room."""
LONGEST_RESULT_LINE = 6
"""The most characters of a result of several words that stands in one line, as ``2 HITS`` does."""
RESULT_LENGTHS = range(3, 9)
"""The style sheet has a size of letters for results of each of these lengths: the longer the
result, the smaller its letters."""
NATION_LENGTHS = range(3, 10)
"""The lengths for which it has a size of letters for the name of a nation, as in GERMANS WIN."""

_DOCUMENT = Markup("""<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="dark light">
    <meta name="robots" content="noindex">
    <title>{title}</title>
    <link rel="icon" href="/page/skirmish.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/page/sides.css">
    <link rel="stylesheet" href="/page/strip.css">
    <link rel="stylesheet" href="/page/board.css">
    <link rel="stylesheet" href="/page/wall.css">
    <script src="/page/live.js" defer></script><script src="/page/wall.js" defer></script>
  </head>
  <body>
    <main id="wall"{lists_class}>{parts}</main>
    <p id="away" role="status" hidden>{connection_lost}</p>
    <noscript><p>{no_script}</p></noscript>
  </body>
</html>
""")


class WallPage(NamedTuple):
    """A game as the room may see it.

    ``over``: the game has ended.
    ``verdict``: the last result; None if there is none.
    ``waiting``: a sentence that says who is asked for what; empty if nobody is.
    ``last_line``: the latest line of the journal.
    ``board``: None for a game that has nothing to show but its ``clock`` and ``page``.
    ``colours``: the names of the colours of both sides."""

    title: str
    clock: str
    over: bool
    verdict: Verdict | None
    waiting: str
    last_line: str
    page: Page
    board: WallBoard | None
    colours: tuple[str, str] = NO_NATION


def wall_document(wall: WallPage) -> str:
    """The whole page."""
    lists_class = EMPTY
    # Without strengths to show, the lists of a companion game get that room.
    if wall.board is None:
        lists_class = Markup(' class="lists"')
    return str(
        _DOCUMENT.format(
            lists_class=lists_class,
            title=plain(wall.title),
            parts=wall_parts(wall),
            connection_lost=CONNECTION_LOST,
            no_script=NO_SCRIPT,
        )
    )


def wall_parts(wall: WallPage) -> Markup:
    """The inside of ``<main>``, in the order in which it is read."""
    board = wall.board
    parts = [_part("header", "band", _band(wall))]
    parts.append(_part("section", "shot", _last_result(wall), "The last result"))
    if board is not None:
        parts.append(_part("section", "clock", _clock(board), "The clock"))
        parts.append(_part("section", "strengths", _strengths(board)))
        parts.append(_part("section", "goal", _goal(board)))
    else:
        parts.append(_part("section", "clock", Markup("<p>{}</p>").format(plain(wall.clock))))
        parts.append(_part("section", "key", as_html(_keys_alone(wall.page)), "The signs"))
    parts.append(_part("p", "told", _news(wall), is_read_aloud=True))
    if board is not None:
        parts.append(_part("section", "strip", strip_svg(board, WALL_STRIP), "Losses by turn"))
    parts.append(_part("section", "map", _map_or_board(wall), "The table"))
    return Markup("\n").join(parts)


def _part(
    tag: str, name: str, content: Markup, label: str = "", *, is_read_aloud: bool = False
) -> Markup:
    """An element whose content the script replaces when it changes. ``label`` is its name for
    people who have the page read out; they hear each change of it if ``is_read_aloud``."""
    spoken = EMPTY
    if label:
        spoken = Markup(' aria-label="{}"').format(label)
    live = EMPTY
    if is_read_aloud:
        live = Markup(' aria-live="polite"')
    return Markup('<{tag} id="{name}"{spoken}{live}>{content}</{tag}>').format(
        tag=tag, name=name, spoken=spoken, live=live, content=content
    )


# ------------------------------------------------------------------ name, clock, strengths, news


_BETWEEN_PIECES = re.compile(r"(?=[,;] )|(?= · )")
"""Divides date and place into pieces that no line break may cut. The sign between two pieces begins
the second: ``6 June 1944`` and ``, Sainte-Marie``."""


def _band(wall: WallPage) -> Markup:
    """The head of the page: the number of the scenario, its title, its date and place."""
    number = EMPTY
    place = EMPTY
    if wall.board is not None:
        if wall.board.number:
            number = Markup("<b>{}</b>").format(wall.board.number)
        pieces = _BETWEEN_PIECES.split(plain(wall.board.where))
        spans = joined(Markup("<span>{}</span>").format(piece) for piece in pieces)
        place = Markup('<div class="where">{}</div>').format(spans)
    return Markup("{}<h1>{}</h1>{}").format(number, plain(wall.title), place)


def _clock(board: WallBoard) -> Markup:
    """The number of the turn and of the last one, who moves, and the phase."""
    of_turns = EMPTY
    if board.last_turn:
        of_turns = Markup("<small>of {}</small>").format(board.last_turn)
    who_moves = Markup("<b>Battle over</b>")
    if board.mover is not None:
        side = board.sides[board.mover]
        who_moves = Markup('<b class="ground {}">{}</b><span>{}</span>').format(
            side_classes(board, board.mover), plain(side.people), plain(board.phase)
        )
    number = Markup('<strong><span class="spoken">Turn </span>{}</strong>').format(board.turn)
    return Markup("{}{}<p>{}</p>").format(number, of_turns, who_moves)


def _strengths(board: WallBoard) -> Markup:
    """What is left of the strength of both sides."""
    bars = [_strength_bar(board, 0), _strength_bar(board, 1)]
    return Markup("<h2>Strength left</h2>{}").format(joined(bars))


def _strength_bar(board: WallBoard, half: Half) -> Markup:
    """The name of a side, and the strength that it has left: as a bar, and in numbers."""
    side = board.sides[half]
    percent_left = 100.0  # a side without any strength has lost none
    if side.strength:
        percent_left = 100 * side.left / side.strength
    bar = Markup(
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" width="100" height="10"/><rect class="left" width="{:.1f}" '
        'height="10"/></svg>'
    ).format(percent_left)
    people = plain(side.people)
    row = Markup('<p class="bar {}"><b>{}</b>{}<span>{} <small>of {}</small></span></p>')
    return row.format(side_classes(board, half), people, bar, side.left, side.strength)


def _goal(board: WallBoard) -> Markup:
    """How the battle stands: the numbers that decide it, who leads, and what decides it."""
    goal = EMPTY
    # A longer sentence would be cut off. Players can read it on their scenario sheet.
    if len(board.goal) <= LONGEST_GOAL:
        goal = Markup('<p class="aim">{}</p>').format(plain(board.goal))
    section = Markup('<h2>As it stands</h2><p class="figures">{}<em>{}</em></p><p>{}</p>{}')
    return section.format(_counts(board), plain(_who_leads(board)), plain(board.stands), goal)


def _counts(board: WallBoard) -> Markup:
    """The numbers that decide the battle, as ``3 : 2``; nothing if nothing is counted."""
    if board.counts is None:
        return EMPTY
    first_count, second_count = board.counts
    first = _count_of_side(board, 0, first_count)
    second = _count_of_side(board, 1, second_count)
    return Markup("<span>{} : {}</span>").format(first, second)


def _who_leads(board: WallBoard) -> str:
    """Who has won or leads, in a few words."""
    if board.winner is not None:
        return f"{board.sides[board.winner].people} win"
    if board.is_over:
        return "A draw"
    if board.ahead is not None:
        return f"{board.sides[board.ahead].people} ahead"
    return "Even"


def _count_of_side(board: WallBoard, half: Half, count: int) -> Markup:
    """The number that one side has, on its colour."""
    return Markup('<b class="count ground {}">{}</b>').format(side_classes(board, half), count)


def _news(wall: WallPage) -> Markup:
    """Who is asked for what; if nobody is, or the game is over, what happened last."""
    news = wall.last_line
    if wall.waiting and not wall.over:
        news = wall.waiting
    return escape(_shortened_news(plain(news)))


_IN_BRACKETS = re.compile(r" \([^()]*\)")
"""A part of a sentence in brackets, with the space before it."""
_END_OF_SENTENCE = re.compile(r"(?<=[.!?]) ")
"""The space between two sentences."""


def _shortened_news(news: str) -> str:
    """The news as they fit in two rows: all of them, or the first sentences, as many as fit. A
    first sentence that is too long stands alone, without its parts in brackets."""
    if len(news) <= LONGEST_NEWS:
        return news
    first_sentence, *later_sentences = _END_OF_SENTENCE.split(news)
    if len(first_sentence) > LONGEST_NEWS:
        return _IN_BRACKETS.sub("", first_sentence)
    shortened = first_sentence
    for sentence in later_sentences:
        longer = f"{shortened} {sentence}"
        if len(longer) > LONGEST_NEWS:
            break
        shortened = longer
    return shortened


# ------------------------------------------------------------------ the last result


def _last_result(wall: WallPage) -> Markup:
    """A large card: the card, die or volley of the last result with its word. Once the game is
    over, it says who has won. If there is no result, it is the back of a card."""
    verdict = wall.verdict
    if wall.over:
        return _outcome(wall)
    if verdict is None or not verdict.text:
        if wall.waiting:  # somebody is asked for something
            return Markup('<div class="card back asked"><strong>?</strong></div>')
        return Markup('<div class="card back" aria-hidden="true"></div>')
    word = _result_word(verdict)
    if verdict.draw is not None and verdict.draw.is_card:
        corners = joined([_card_corner(verdict.draw), _card_corner(verdict.draw)])
        return Markup('<div class="card">{}{}</div>').format(corners, word)
    if verdict.draw is not None:
        return Markup('<div class="card die"><i>{}</i>{}</div>').format(verdict.draw.rank, word)
    # A volley has no single draw that decided it. It is shown by the draws of all its shots.
    if wall.board is not None and len(wall.board.volley) > 1:
        cards = _volley_cards(wall.board.volley)
        return Markup('<div class="card volley">{}{}</div>').format(cards, word)
    return Markup('<div class="card">{}</div>').format(word)


def _result_word(verdict: Verdict) -> Markup:
    """The word of a result on a bar as wide as the card. The bar is black if something happened. If
    nothing did (MISS, 0 HITS), there are only two lines, one above the word and one below it: the
    difference is not in the colour alone."""
    text = plain(verdict.text)
    bar_class = "struck"
    if verdict.tone == "quiet":
        bar_class = "quiet"
    lines = _lines_of_result(text)
    longest = max(len(line) for line in lines)
    return Markup('<strong class="{} {}">{}</strong>').format(
        bar_class, _letters_class(longest, RESULT_LENGTHS), Markup("<br>").join(lines)
    )


def _lines_of_result(text: str) -> list[str]:
    """A short result in one line; a longer one with a line for each word. One that begins with a
    number has this and the next word in the first line (``2 BROKEN``), the others in a second."""
    words = text.split(" ")
    if len(text) <= LONGEST_RESULT_LINE or len(words) == 1:
        return [text]
    if not words[0].isdigit():
        return [word for word in words if word]  # two spaces in a row would make an empty line
    number_and_word, later_words = words[:2], words[2:]
    lines = [" ".join(number_and_word)]
    if later_words:
        lines.append(" ".join(later_words))
    return lines


def _letters_class(characters: int, lengths: range) -> str:
    """The class of the letters in which a text of so many characters fits. ``lengths`` are those
    for which the style sheet has one."""
    length = min(max(characters, lengths[0]), lengths[-1])
    return f"letters{length}"


def _card_corner(draw: Draw) -> Markup:
    """The rank and suit of a card, as in its corner."""
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
"""What is read out for the sign of a suit, behind the rank."""


def _suit(suit: str) -> Markup:
    """The sign of a suit; nothing if it is not known."""
    if suit not in SUITS:  # players may type a card without its suit
        return EMPTY
    red = EMPTY
    if suit in "HD":
        red = Markup(' class="red"')
    sign = Markup('<svg{} viewBox="0 0 100 108" role="img" aria-label="{}"><path d="{}"/></svg>')
    return sign.format(red, _SUIT_NAMES[suit], SUITS[suit])


def _volley_cards(volley: Sequence[WallDraw]) -> Markup:
    """The draws of a volley, the hits first. Those for which there is no room are counted."""
    hits = [shot for shot in volley if shot.hit]
    misses = [shot for shot in volley if not shot.hit]
    shots = hits + misses
    cards = [_small_card(shot) for shot in shots[:MOST_CARDS]]
    not_shown = len(shots) - MOST_CARDS
    rest = EMPTY
    if not_shown > 0:
        rest = Markup("<small>and {} more</small>").format(not_shown)
    return Markup("<ol>{}</ol>{}").format(joined(cards), rest)


def _small_card(shot: WallDraw) -> Markup:
    """The card or roll of one shot of a volley. A hit has a class of its own; for those who have
    the page read out, hit or miss is said in words."""
    result = "miss"
    hit_class = EMPTY
    if shot.hit:
        result = "hit"
        hit_class = Markup(' class="hit"')
    rank = str(shot.draw.rank)
    if shot.draw.is_card:
        rank = shot.draw.rank_sign
    spoken = Markup('<span class="spoken"> ({})</span>').format(result)
    suit = _suit(shot.draw.suit or "")
    return Markup("<li{}>{}{}{}</li>").format(hit_class, rank, suit, spoken)


def _outcome(wall: WallPage) -> Markup:
    """The end of a game: who has won, on the colour of the side."""
    board = wall.board
    if board is None:  # only the board says who has won
        return Markup('<div class="card end"><strong class="struck letters3">END</strong></div>')
    if board.winner is None:
        return Markup('<div class="card end"><strong class="quiet letters4">DRAW</strong></div>')
    people = plain(board.sides[board.winner].people)
    return Markup(
        '<div class="card end ground {}"><strong><span class="{}">{}</span>'
        '<span class="letters4">WIN</span></strong></div>'
    ).format(side_classes(board, board.winner), _letters_class(len(people), NATION_LENGTHS), people)


# ------------------------------------------------------------------ the map or the board


def _keys_alone(page: Page) -> Page:
    """Only the keys that explain the signs of a board. They are shown beside the board, so that the
    board has more room."""
    return Page("", tuple(block for block in page.blocks if isinstance(block, BoardKey)))


def _board_of_lists(wall: WallPage) -> Markup:
    """A board in two parts: everything down to the last table, which stays in sight, and the lists
    below it, which ``wall.js`` shows page by page if they do not fit."""
    # The keys are beside the board already (``_keys_alone``).
    blocks = [block for block in wall.page.blocks if not isinstance(block, BoardKey)]
    first_list = 0  # the index of the block that follows the last table
    for index, block in enumerate(blocks):
        if isinstance(block, SquareBoard | Table):
            first_list = index + 1
    tables = Page("", tuple(blocks[:first_list]))
    lists = Page("", tuple(blocks[first_list:]))
    return Markup('<div{}><div class="tables">{}</div><div class="flow">{}</div></div>').format(
        _board_class(wall), as_html(tables), as_html(lists)
    )


def _board_class(wall: WallPage) -> Markup:
    """The class attribute of a board, with the colours of both sides."""
    first, second = wall.colours
    return class_of("board", f"first-{first}", f"second-{second}")


def _map_or_board(wall: WallPage) -> Markup:
    """The map; where there is none, the board of the game."""
    board = wall.board
    if board is None:
        return _board_of_lists(wall)
    if not board.map_name:
        return Markup("<div{}>{}</div>").format(_board_class(wall), as_html(wall.page))
    # After the first turn the map is drawn without the deployment zones. The browser only loads the
    # new drawing if its address differs.
    query = ""
    if board.turn > 1:
        query = "?later"
    # In an upright window the map is as wide as the window and so lies; in a wide one it stands
    # upright in a column beside the rest.
    return Markup(
        '<picture><source media="(max-aspect-ratio: 1/1)" srcset="{}"><img src="{}" alt="{}">'
        "</picture>"
    ).format(LYING_MAP + query, UPRIGHT_MAP + query, plain(board.map_name))
