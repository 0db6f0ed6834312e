"""A page as data: headings, sentences, facts, gauges, tables. It is built once and rendered for
every medium: the screen, plain text, Markdown, PDF.

Texts in a page are shown as they are; no renderer reads markup in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Literal, TypeAlias, TypeVar, cast

import msgspec

EMPTY_CELLS = ("", "0", "–")
"""Cells that say nothing: ``without_empty_columns`` removes a column of them."""
MOST_BOXES = 30
"""A track of more boxes than this is shown as a number, without its boxes."""
Tone = Literal["", "quiet", "strong", "good", "bad"]
"""The meaning of a line; a renderer may add colour, never only colour."""
Party = Literal[0, 1] | None
"""The side that something belongs to, the first or the second; a renderer may mark it."""


class Heading(msgspec.Struct, frozen=True):
    """A title, level 1 for the page itself, 2 for a section, 3 for a part of one. ``aside`` is a
    short explanation."""

    text: str
    level: Literal[1, 2, 3] = 2
    aside: str = ""
    party: Party = None


class Paragraph(msgspec.Struct, frozen=True):
    """One sentence or several. ``lead`` stands before them in bold; ``aside`` is set in a quieter
    style: mostly the question that the sentences answer. ``key_note`` is about keys, and only
    terminals show it."""

    text: str
    lead: str = ""
    tone: Tone = ""
    aside: str = ""
    key_note: str = ""


class Banner(msgspec.Struct, frozen=True):
    """The result in the largest letters of the page, with sentences below it."""

    text: str
    lines: tuple[Paragraph, ...] = ()


class Items(msgspec.Struct, frozen=True):
    """A list of sentences, each with a mark before it."""

    lines: tuple[str, ...]


class Facts(msgspec.Struct, frozen=True):
    """Names, each with a value in words (``Losses``, ``12 of 50``). ``written``: a form to be
    printed, on which the reader writes the values."""

    rows: tuple[tuple[str, str], ...]
    written: bool = False


class Gauge(msgspec.Struct, frozen=True):
    """A number between 0 and ``full``: points of a bunker, losses before an army breaks."""

    name: str
    value: int
    full: int
    note: str = ""


class Column(msgspec.Struct, frozen=True):
    """A column of a table. ``number``: it holds numbers, which are aligned right. ``bar``: its
    numbers are also drawn as bars; only the last column can have them. ``counted``: it holds boxes
    to tick, such as those of the turns, which are numbered 1, 2, 3 on paper."""

    title: str
    number: bool = False
    bar: bool = False
    counted: bool = False


class Table(msgspec.Struct, frozen=True):
    """Rows under titles; the last ``totals`` rows are sums. ``mark`` is the index of the
    highlighted row, ``full`` the value of a bar of full length (0: the greatest value of the
    table). ``written``: a form to be printed, in which the reader writes."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    totals: int = 0
    mark: int | None = None
    full: float = 0.0
    party: Party = None
    written: bool = False


class Bar(msgspec.Struct, frozen=True):
    """A named bar as long as its ``value``; ``note`` is the value in words."""

    name: str
    value: float
    note: str = ""
    party: Party = None


class Bars(msgspec.Struct, frozen=True):
    """Bars on one scale; ``full`` is the value of a bar of full length (0: the greatest of
    them)."""

    rows: tuple[Bar, ...]
    full: float = 0.0


class Pair(msgspec.Struct, frozen=True):
    """A moment with a number for each of two sides."""

    name: str
    first: int
    second: int


class Pairs(msgspec.Struct, frozen=True):
    """Two sides' numbers over time, drawn against each other. ``name`` names the moments,
    ``parties`` are the sides."""

    name: str
    parties: tuple[str, str]
    rows: tuple[Pair, ...]


class ValueCurve(msgspec.Struct, frozen=True):
    """A number over time: its values, the first of them before any event."""

    name: str
    values: tuple[float, ...]

    def sampled(self, places: int) -> list[float]:
        """So many of its values: the moments after the first are divided into ``places`` equal
        parts, and each part gives the value at its end. Empty for a curve without a moment after
        the first.

        >>> ValueCurve("Losses", (0, 1, 2, 3, 4)).sampled(2)
        [2, 4]
        """
        moments = len(self.values) - 1
        if not moments:
            return []
        sampled = []
        for place in range(1, places + 1):
            # Rounded up. With whole numbers the last part ends exactly at the last value.
            end_of_part = (place * moments + places - 1) // places
            sampled.append(self.values[end_of_part])
        return sampled


class Curves(msgspec.Struct, frozen=True):
    """Two sides' numbers around zero over the same moments. ``ticks`` are moments with a name, such
    as the beginning of each turn: the index of their values, and the name. ``name`` says what the
    named moments are, such as ``Turn``."""

    name: str
    rows: tuple[ValueCurve, ValueCurve]
    ticks: tuple[tuple[int, str], ...]


class Step(msgspec.Struct, frozen=True):
    """A phase of a turn or an item of a checklist. ``note`` is its result or why it is skipped;
    ``short`` says the same in the space of a narrow column."""

    text: str
    state: Literal["done", "now", "next", "skipped"] = "next"
    note: str = ""
    short: str = ""


class Steps(msgspec.Struct, frozen=True):
    """Steps in their order, such as the phases of a turn."""

    rows: tuple[Step, ...]


class Choice(msgspec.Struct, frozen=True):
    """An option with its ``key`` and its ``text``; ``note`` explains it. ``has_cursor``: the cursor
    stands on it."""

    key: str
    text: str
    note: str = ""
    why_not: str = ""
    """Why it cannot be chosen now, as a sentence; empty if it can."""
    is_chosen: bool = False
    why_not_short: str = ""
    """The same as ``why_not`` in a few words, to stand behind the text."""
    has_cursor: bool = False


class Choices(msgspec.Struct, frozen=True):
    """Options below one another, each with its key."""

    rows: tuple[Choice, ...]


class Note(msgspec.Struct, frozen=True):
    """A footnote: a source, a caveat, a hint. ``key``: the name of the key with which the text
    begins, before a colon; a screen may let the reader click it. Empty if there is none."""

    text: str
    key: str = ""


class Picture(msgspec.Struct, frozen=True):
    """A drawing that a renderer may know by this name; others leave it out."""

    name: str


SquareGround = Literal["sea", "beach", "hedge", "town", "strong", "blank"]
"""What kind of ground a square has. A renderer may colour it; its signs say the same without
colours."""


class Square(msgspec.Struct, frozen=True):
    """A square of a board: the ``signs`` of what is printed on it or marks it, and those of the
    ``counters`` on it."""

    name: str
    ground: SquareGround
    signs: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All its signs."""
        return " ".join((*self.signs, *self.counters))


class SquareBoard(msgspec.Struct, frozen=True):
    """A board of squares, row by row from above; a row may be shorter than others. ``name`` says
    what it shows."""

    name: str
    rows: tuple[tuple[Square, ...], ...]


class TokenMarker(msgspec.Struct, frozen=True):
    """A marker on a counter: its ``sign`` for media that show the key of the signs, its ``word``
    for the others."""

    sign: str
    word: str


class Token(msgspec.Struct, frozen=True):
    """A counter on a board. ``key`` are the letters that call it, ``aside`` is where it is or what
    is printed on it; it has ``steps`` left of ``full`` (0 of 0: it has none)."""

    name: str
    key: str = ""
    aside: str = ""
    steps: int = 0
    full: int = 0
    markers: tuple[TokenMarker, ...] = ()


class CounterStack(msgspec.Struct, frozen=True):
    """What stands together in a ``place``, or belongs to one formation."""

    place: str
    tokens: tuple[Token, ...]


class Stacks(msgspec.Struct, frozen=True):
    """Counters by their places, those of one side."""

    rows: tuple[CounterStack, ...]
    party: Party = None


class TrackLine(msgspec.Struct, frozen=True):
    """A track of boxes from ``low`` to ``high``, with its marker at ``value``."""

    name: str
    value: int
    low: int
    high: int

    @property
    def is_drawn(self) -> bool:
        """Whether it is short enough to draw its boxes."""
        return self.high - self.low < MOST_BOXES


class Tracks(msgspec.Struct, frozen=True):
    """Tracks below one another, or beside where there is room."""

    rows: tuple[TrackLine, ...]


class Mug(msgspec.Struct, frozen=True):
    """The mug that chits are drawn from, with so many ``inside``; ``facts`` say what is known of
    these and the others."""

    inside: int
    facts: tuple[tuple[str, str], ...]


class KeySign(msgspec.Struct, frozen=True):
    """A sign of a board and what it means; ``ground``: the kind of square on which it stands, if it
    belongs to one."""

    sign: str
    meaning: str
    ground: SquareGround | None = None


class BoardKey(msgspec.Struct, frozen=True):
    """Every sign of a board, explained once. ``spelled``: plain text has words in the place of
    these signs, and leaves the key out."""

    rows: tuple[KeySign, ...]
    spelled: bool = False


class Beside(msgspec.Struct, frozen=True):
    """Blocks in two columns, or, where these do not fit, those of the left above those of the
    right."""

    left: tuple[Block, ...]
    right: tuple[Block, ...]


TextBlock: TypeAlias = Heading | Paragraph | Banner | Items | Note
"""Blocks of sentences."""
BoardBlock: TypeAlias = SquareBoard | Stacks | Tracks | Mug | BoardKey
"""Blocks that show what lies on the table of a board game."""
Block: TypeAlias = (
    TextBlock
    | Facts
    | Gauge
    | Table
    | Bars
    | Pairs
    | Curves
    | Steps
    | Choices
    | BoardBlock
    | Picture
    | Beside
)
"""All blocks. A renderer (plain text, Markdown, screen, paper, web) has a function for each of
them."""


class Badge(msgspec.Struct, frozen=True):
    """``Scenario 3``: a word and a number."""

    word: str
    number: str


class Page(msgspec.Struct, frozen=True):
    """A title and blocks. ``badge`` stands before the title, ``about`` are up to three lines beside
    or below it; ``foot`` is printed at the bottom of each sheet of paper."""

    title: str
    blocks: tuple[Block, ...] = ()
    badge: Badge | None = None
    about: tuple[str, ...] = ()
    foot: str = ""

    def with_blocks(self, blocks: Iterable[Block]) -> Page:
        """The page with more blocks at its end."""
        return msgspec.structs.replace(self, blocks=(*self.blocks, *blocks))

    def in_one_column(self) -> Iterator[Block]:
        """Its blocks for a medium without columns: what stands beside one another comes left before
        right."""
        for block in self.blocks:
            if isinstance(block, Beside):
                yield from (*block.left, *block.right)
            else:
                yield block


_AnyValue = TypeVar("_AnyValue")


def mapped(value: _AnyValue, change: Callable[[str], str]) -> _AnyValue:
    """A block, a page or any part of one, with ``change`` applied to every string in it. Among
    these are keys, tones and names of pictures: ``change`` has to leave such words as they are."""
    if isinstance(value, str):
        return cast("_AnyValue", change(value))
    if isinstance(value, tuple):
        return cast("_AnyValue", tuple(mapped(part, change) for part in value))
    if isinstance(value, msgspec.Struct):
        parts = {name: mapped(getattr(value, name), change) for name in value.__struct_fields__}
        return cast("_AnyValue", type(value)(**parts))
    return value


def table(
    titles: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers: Sequence[int] = (),
    bar: int | None = None,
    totals: int = 0,
    mark: int | None = None,
    full: float = 0.0,
    party: Party = None,
    written: bool = False,
    counted: int | None = None,
) -> Table:
    """A table with these titles and rows. ``numbers`` are the indices of the columns that hold
    numbers, ``bar`` is that of the column that is also drawn as bars, ``counted`` that of the
    column with numbered boxes. The other arguments are the fields of ``Table``."""
    columns = []
    for index, title in enumerate(titles):
        columns.append(
            Column(title, number=index in numbers, bar=index == bar, counted=index == counted)
        )
    cells = tuple(tuple(row) for row in rows)
    return Table(tuple(columns), cells, totals, mark, full, party, written)


def capital(text: str) -> str:
    """The text with a capital first letter, and otherwise as it is."""
    return f"{text[:1].upper()}{text[1:]}"


def in_pairs(parts: Sequence[Sequence[Block]]) -> Iterator[Block]:
    """The first two parts beside one another, then the next two, and so on."""
    for left, right in zip_longest(parts[::2], parts[1::2]):
        # Of an odd number of parts the last one is alone.
        if right is None:
            yield from left
        else:
            yield Beside(tuple(left), tuple(right))


def without_empty_columns(block: Table, titles: Iterable[str]) -> Table:
    """The table without the columns of these ``titles`` whose cells are all empty."""
    may_go = set(titles)
    shown = []
    for index, column in enumerate(block.columns):
        is_filled = any(row[index] not in EMPTY_CELLS for row in block.rows)
        if is_filled or column.title not in may_go:
            shown.append(index)
    columns = tuple(block.columns[index] for index in shown)
    rows = [tuple(row[index] for index in shown) for row in block.rows]
    return msgspec.structs.replace(block, columns=columns, rows=tuple(rows))


def signed(value: float | Fraction) -> str:
    """A number with its sign and one decimal place: ``+2.6``, ``–1.3``, ``0.0``."""
    text = f"{abs(float(value)):.1f}"
    if text == "0.0":  # also a very small number: "–0.0" would look wrong
        return text
    if value > 0:
        return f"+{text}"
    return f"–{text}"
