"""The boards of companion games on the screen: squares, counters, tracks, the mug. Each block of
`tabletop.page` becomes rows of text. Begin with ``board_lines``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from rich.cells import cell_len
from textual.content import Content

from skirmish.app.chart_view import fact_rows
from skirmish.app.text_rows import padded, shortened
from skirmish.app.text_styles import DIM, KEY, STRONG, party_colour
from skirmish.tabletop import page as data  # the blocks, as in ``data.SquareBoard``
from skirmish.tabletop.typed import plain

WIDEST_SQUARE, NARROWEST_SQUARE = 14, 3
"""Columns of a square, with the one between it and the next."""
LONGEST_PLACE = 16
"""The most columns of the name of a place, which takes at most a third of the board."""
SHORTEST_TOKEN_NAME = 4
"""The fewest columns of the name of a counter."""
MOST_PIPS = 6
"""The most steps of a counter that are drawn one by one."""
STEP, LOST_STEP = "▮", "▯"
"""The pips of a counter: a step that it still has, and one that it has lost."""
GAP = 3
"""Columns between tracks, between counters, and between the signs of a key."""
CHIT = "▪"
"""A chit in the mug."""
MUG_INSIDE = 7
"""Columns of the inside of the mug."""
GAP_BESIDE_MUG = 2
"""Columns between the mug and its facts."""
MUG_ROW_OF_CHITS, SMALL_MUG_CHITS = 7, 3
"""The most chits drawn beside one another in the large mug, and in the small one, where their
number stands beside them."""


def board_lines(block: data.BoardBlock, width: int, *, tall: bool) -> Iterator[Content]:
    """A block of a board in rows of at most ``width`` columns; ``tall``: there are rows for its
    larger drawing."""
    match block:
        case data.SquareBoard():
            yield from _squares(block, width, tall=tall)
        case data.Stacks():
            yield from _stacks(block, width)
        case data.Tracks():
            yield from _flowing([_track(track, width) for track in block.rows], width)
        case data.Mug():
            yield from _mug(block, width, tall=tall)
        case data.BoardKey():
            yield from _flowing([_key_sign(sign) for sign in block.rows], width)


def _flowing(pieces: Iterable[Content], width: int) -> Iterator[Content]:
    """Pieces behind one another, as many to a row as fit."""
    row = Content("")
    for piece in pieces:
        if row and row.cell_length + GAP + piece.cell_length > width:
            yield row
            row = Content("")
        if row:
            row = Content.assemble(row, " " * GAP, piece)
        else:
            row = piece
    if row:
        yield row


def _key_sign(sign: data.KeySign) -> Content:
    """A sign as the board shows it, and what it means."""
    drawn = (sign.sign, "bold $accent")
    if sign.ground:
        drawn = (f" {sign.sign} ", f"bold on $ground-{sign.ground}")
    return Content.assemble(drawn, " ", plain(sign.meaning))


# ------------------------------------------------------------------ squares


def _squares(board: data.SquareBoard, width: int, *, tall: bool) -> Iterator[Content]:
    """Rows of squares, each behind the name of its first square; ``tall``: every square has two
    lines, the first for its own name."""
    most_squares = max(map(len, board.rows))
    label_width = 0
    if not tall:
        label_width = max(cell_len(row[0].name) for row in board.rows) + 1
    room = (width - label_width) // most_squares
    square_width = min(max(room, NARROWEST_SQUARE), WIDEST_SQUARE)
    text_width = square_width - 1
    for row in board.rows:
        # A shorter row stands in the middle of the longer ones, as on paper.
        indent = Content(" " * ((most_squares - len(row)) * square_width // 2))
        signs = [_on_ground(square, _signs(square, text_width)) for square in row]
        if tall:
            names = [_on_ground(square, _square_name(square, text_width)) for square in row]
            yield indent + _row_of_squares(names)
            yield indent + _row_of_squares(signs)
        else:
            label = Content.styled(padded(plain(row[0].name), label_width), DIM)
            yield label + indent + _row_of_squares(signs)


def _row_of_squares(squares: Sequence[Content]) -> Content:
    return Content(" ").join(squares)


def _square_name(square: data.Square, width: int) -> Content:
    return Content(padded(plain(square.name), width))


def _signs(square: data.Square, width: int) -> Content:
    """The signs of a square and its counters, closer together where there is no room, and cut if
    there is none even so."""
    for between in (" ", ""):
        signs = between.join(map(plain, square.signs))
        counters = between.join(map(plain, square.counters))
        gap = ""
        if signs and counters:
            gap = between
        left_over = width - cell_len(signs + gap + counters)
        if left_over >= 0:
            return Content.assemble(signs, gap, (counters, "bold reverse"), " " * left_over)
    return Content(padded(signs + counters, width))


def _on_ground(square: data.Square, text: Content) -> Content:
    return text.stylize_before(f"$foreground on $ground-{square.ground}")


# ------------------------------------------------------------------ counters by their places


def _stacks(stacks: data.Stacks, width: int) -> Iterator[Content]:
    """A row for each place, with its counters behind one another; further rows are indented."""
    if not stacks.rows:
        return
    widest = max(cell_len(plain(stack.place)) for stack in stacks.rows)
    a_third = width // 3
    place_width = min(widest, LONGEST_PLACE, a_third) + 1  # with the gap behind it
    token_room = width - place_width
    colour = party_colour(stacks.party)
    for stack in stacks.rows:
        head = Content.styled(padded(plain(stack.place), place_width), STRONG)
        tokens = [_token(token, colour, token_room) for token in stack.tokens]
        for row in _flowing(tokens, token_room):
            yield head + row
            head = Content(" " * place_width)


def _token(token: data.Token, colour: str, width: int) -> Content:
    """A counter: an edge in the ``colour`` of its side, the letters that call it, its name, where
    it is or what is printed on it, its steps as pips, the signs of its markers. The name is cut,
    so that all of this fits into the ``width``, but never below ``SHORTEST_TOKEN_NAME``."""
    pips = _pips(token)
    key = ""
    if token.key:
        key = f"{token.key} "
    aside = ""
    if token.aside:
        aside = f" {plain(token.aside)}"
    signs = "".join(f" {marker.sign}" for marker in token.markers)
    name_room = max(width - cell_len(f"▌{key}{aside}{pips}{signs}"), SHORTEST_TOKEN_NAME)
    return Content.assemble(
        ("▌", colour),
        (key, KEY),
        shortened(plain(token.name), name_room),
        (aside, DIM),
        (pips, colour),
        (signs, "bold $accent"),
    )


def _pips(token: data.Token) -> str:
    """The steps of a counter, left and lost, one by one; many as a number. Where the counter does
    not say how many it had (``full`` is 0), only those that are left."""
    if max(token.full, token.steps) > MOST_PIPS:
        return f" {STEP}{token.steps}"
    if token.full:
        return f" {STEP * token.steps}{LOST_STEP * (token.full - token.steps)}"
    if token.steps:
        return f" {STEP * token.steps}"
    return ""


# ------------------------------------------------------------------ tracks and the mug


def _track(track: data.TrackLine, width: int) -> Content:
    """The boxes of a track; that with the marker is in brackets and reversed. A track that has no
    room, or is not to be drawn, is a number."""
    name = Content.styled(f"{plain(track.name)} ", STRONG)
    boxes: list[Content | tuple[str, str]] = []
    for number in range(track.low, track.high + 1):
        if number == track.value:
            boxes.append((f"[{number}]", f"{KEY} reverse"))
        elif number < track.value:
            boxes.append((f" {number} ", ""))
        else:
            boxes.append((f" {number} ", DIM))
    whole = Content.assemble(name, *boxes)
    if track.is_drawn and whole.cell_length <= width:
        return whole
    as_number = Content.assemble(name, (f"{track.value}", KEY), f" of {track.high}")
    return as_number.truncate(max(width, 1), ellipsis=True)


def _mug(mug: data.Mug, width: int, *, tall: bool) -> Iterator[Content]:
    """The mug with the chits in it, and the facts beside it."""
    if tall:
        drawing = list(_large_mug(mug.inside))
    else:
        drawing = list(_small_mug(mug.inside))
    left_width = max(map(cell_len, drawing)) + GAP_BESIDE_MUG
    facts = fact_rows(data.Facts(mug.facts), width - left_width)
    for left, fact in zip_longest(drawing, facts):  # the shorter one goes on with None
        yield Content.assemble(((left or "").ljust(left_width), "$accent"), fact or "")


def _large_mug(chits: int) -> Iterator[str]:
    """Five rows: chits from the bottom up, as many as fit into two rows, and their number."""
    drawn = min(chits, 2 * MUG_ROW_OF_CHITS)
    upper = CHIT * max(drawn - MUG_ROW_OF_CHITS, 0)
    lower = CHIT * min(drawn, MUG_ROW_OF_CHITS)
    yield "╷       ╷"
    yield f"│{upper:^{MUG_INSIDE}}├─╮"
    yield f"│{lower:^{MUG_INSIDE}}│ │"
    yield f"│{chits:^{MUG_INSIDE}}├─╯"
    yield "╰───────╯"


def _small_mug(chits: int) -> Iterator[str]:
    """Two rows: a few chits and their number."""
    chits_and_number = f"{CHIT * min(chits, SMALL_MUG_CHITS)} {chits}"
    yield f"│{chits_and_number:^{MUG_INSIDE}}├╮"
    yield "╰───────┴╯"
