"""A page as data: headings, sentences, facts, gauges, tables. It is built once and rendered for
every medium: the screen, plain text, Markdown, HTML, PDF.

Texts in a page are shown as they are; no renderer reads markup in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Literal, TypeAlias, TypeVar, cast

import msgspec

EMPTY_CELLS = ("", "0", "–")
"""The texts of cells that say nothing: ``without_empty_columns`` may remove a column that holds
only these."""
MOST_BOXES = 30
"""A track of more boxes than this is shown as a number, without its boxes."""
Tone = Literal["", "quiet", "strong", "good", "bad"]
"""The meaning of a line. A renderer may show it by a colour, but never by the colour alone."""
Party = Literal[0, 1] | None
"""The side that something belongs to, the first (0) or the second (1), which a renderer may mark;
None: it belongs to neither."""
NamedFact: TypeAlias = tuple[str, str]
"""A name and its value in words, such as ``Losses`` and ``12 of 50``."""


class Heading(msgspec.Struct, frozen=True):
    """A title, of level 1 for the page itself, 2 for a section, 3 for a part of a section.
    ``aside`` is a short explanation beside it."""

    text: str
    level: Literal[1, 2, 3] = 2
    aside: str = ""
    party: Party = None


class Paragraph(msgspec.Struct, frozen=True):
    """One sentence or several (``text``). ``lead`` stands before them in bold; ``aside``, mostly
    the question that they answer, in a quieter style. ``key_note`` is a remark about keys, which
    only terminals show."""

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
    """Facts below one another. ``written``: they are a form to be printed, on which the reader
    writes the values."""

    rows: tuple[NamedFact, ...]
    written: bool = False


class Gauge(msgspec.Struct, frozen=True):
    """A ``value`` between 0 and ``full``, such as the points of a bunker, or the losses before an
    army breaks. ``note`` is a remark beside it."""

    name: str
    value: int
    full: int
    note: str = ""


class Column(msgspec.Struct, frozen=True):
    """A column of a table. ``number``: it holds numbers, which are aligned right. ``bar``: its
    numbers are also drawn as bars; only the last column can have them. ``counted``: it holds boxes
    to tick, such as one for each turn, which are numbered 1, 2, 3 on paper."""

    title: str
    number: bool = False
    bar: bool = False
    counted: bool = False


class Table(msgspec.Struct, frozen=True):
    """Rows under titles; the last ``totals`` rows are sums. ``mark`` is the index of the
    highlighted row (None: no row), ``full`` the value of a bar of full length (0: the greatest
    value of the table). ``party`` is the side to which all of it belongs. ``written``: it is a form
    to be printed, in which the reader writes."""

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
    """A moment, such as a turn, with a number for the ``first`` and one for the ``second`` side."""

    name: str
    first: int
    second: int


class Pairs(msgspec.Struct, frozen=True):
    """Two sides' numbers over time, drawn against each other. ``name`` says what the moments are,
    such as ``Turn``; ``parties`` are the names of the sides."""

    name: str
    parties: tuple[str, str]
    rows: tuple[Pair, ...]


class ValueCurve(msgspec.Struct, frozen=True):
    """A number over time: its value before any event, then its value at each later moment."""

    name: str
    values: tuple[float, ...]

    def sampled(self, places: int) -> list[float]:
        """One value for each of so many places: the later moments are divided into ``places`` equal
        parts, and each part gives the value at its end. Empty for a curve without a later moment.

        >>> ValueCurve("Losses", (0, 1, 2, 3, 4)).sampled(2)
        [2, 4]
        """
        later_moments = len(self.values) - 1
        if not later_moments:
            return []
        sampled = []
        for place in range(1, places + 1):
            # ``place * later_moments / places``, rounded up. In whole numbers, since a rounding
            # error could lead past the last value.
            end_of_part = (place * later_moments + places - 1) // places
            sampled.append(self.values[end_of_part])
        return sampled


class CurveTick(msgspec.Struct, frozen=True):
    """A moment with a name: the index of its values in ``ValueCurve.values``, and the name."""

    moment: int
    name: str


class Curves(msgspec.Struct, frozen=True):
    """Two sides' numbers around zero over the same moments. ``ticks`` are the moments with a name,
    such as the beginning of each turn. ``name`` says what these are, such as ``Turn``."""

    name: str
    rows: tuple[ValueCurve, ValueCurve]
    ticks: tuple[CurveTick, ...]


class Step(msgspec.Struct, frozen=True):
    """A phase of a turn or an item of a checklist. ``note`` is its result or why it is skipped;
    ``short`` is the same in fewer words, for a narrow column."""

    text: str
    state: Literal["done", "now", "next", "skipped"] = "next"
    note: str = ""
    short: str = ""


class Steps(msgspec.Struct, frozen=True):
    """Steps in their order, such as the phases of a turn."""

    rows: tuple[Step, ...]


class Choice(msgspec.Struct, frozen=True):
    """An option with its ``key`` and its ``text``; ``note`` explains it."""

    key: str
    text: str
    note: str = ""
    why_not: str = ""
    """Why it cannot be chosen now, as a sentence; empty if it can."""
    is_chosen: bool = False
    """Whether it is chosen already."""
    why_not_short: str = ""
    """The same as ``why_not`` in a few words, to stand behind the text."""
    has_cursor: bool = False
    """Whether the cursor stands on it."""


class Choices(msgspec.Struct, frozen=True):
    """Options below one another, each with its key."""

    rows: tuple[Choice, ...]


class Note(msgspec.Struct, frozen=True):
    """A footnote: a source, a caveat, a hint. A hint may begin with the name of a key and a colon:
    ``key`` is that name, on which a screen may let the reader click; empty in any other note."""

    text: str
    key: str = ""


class Picture(msgspec.Struct, frozen=True):
    """A drawing. A renderer that has a drawing of this name shows it; others leave it out."""

    name: str


SquareGround = Literal["sea", "beach", "hedge", "town", "strong", "blank"]
"""What kind of ground a square has. A renderer may colour it; its signs say the same without
colours."""


class Square(msgspec.Struct, frozen=True):
    """A square of a board: the ``signs`` of what is printed on it and of the markers on it, and the
    signs of the ``counters`` on it."""

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
        """Whether it is short enough to draw its boxes, one for each number."""
        boxes = self.high - self.low + 1
        return boxes <= MOST_BOXES


class Tracks(msgspec.Struct, frozen=True):
    """Tracks below one another, or beside where there is room."""

    rows: tuple[TrackLine, ...]


class Mug(msgspec.Struct, frozen=True):
    """The mug from which chits are drawn. ``inside`` is how many are in it; ``facts`` say what is
    known of them and of those already drawn."""

    inside: int
    facts: tuple[NamedFact, ...]


class KeySign(msgspec.Struct, frozen=True):
    """A sign of a board and what it means; ``ground``: the kind of square on which it stands, if it
    belongs to one."""

    sign: str
    meaning: str
    ground: SquareGround | None = None


class BoardKey(msgspec.Struct, frozen=True):
    """Every sign of a board with its meaning. ``spelled``: plain text has words in the place of
    these signs, and so leaves the key out."""

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
    """A word and a number before a title, such as ``Scenario 3``."""

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
        """Its blocks for a medium without columns: of blocks beside one another, those on the left
        come first."""
        for block in self.blocks:
            if isinstance(block, Beside):
                yield from (*block.left, *block.right)
            else:
                yield block


_AnyValue = TypeVar("_AnyValue")


def mapped(value: _AnyValue, change: Callable[[str], str]) -> _AnyValue:
    """A page, a block or any part of one, with ``change`` applied to every string in it. These
    include words that are not shown, such as tones and names of pictures: ``change`` must leave
    them as they are."""
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
    counted_column: int | None = None,
) -> Table:
    """A table with these titles and rows. ``numbers`` are the indices of the columns that hold
    numbers, ``bar`` is that of the column that is also drawn as bars, ``counted_column`` that
    of the column with numbered boxes. The other arguments are the fields of ``Table``."""
    columns = []
    for index, title in enumerate(titles):
        columns.append(
            Column(
                title,
                number=index in numbers,
                bar=index == bar,
                counted=index == counted_column,
            )
        )
    cells = tuple(tuple(row) for row in rows)
    return Table(tuple(columns), cells, totals, mark, full, party, written)


def capital(text: str) -> str:
    """The text with a capital first letter, and otherwise as it is."""
    return f"{text[:1].upper()}{text[1:]}"


def in_pairs(parts: Sequence[Sequence[Block]]) -> Iterator[Block]:
    """The first two of the ``parts`` of a page beside one another, then the next two, and so on."""
    for left, right in zip_longest(parts[::2], parts[1::2]):
        # Of an odd number of parts the last one is alone.
        if right is None:
            yield from left
        else:
            yield Beside(tuple(left), tuple(right))


def without_empty_columns(block: Table, titles: Iterable[str]) -> Table:
    """The table without those columns whose cells are all empty (EMPTY_CELLS). Only columns with
    one of the ``titles`` are left out."""
    may_be_left_out = set(titles)
    shown_indices = []
    for index, column in enumerate(block.columns):
        is_filled = any(row[index] not in EMPTY_CELLS for row in block.rows)
        if is_filled or column.title not in may_be_left_out:
            shown_indices.append(index)
    columns = tuple(block.columns[index] for index in shown_indices)
    rows = [tuple(row[index] for index in shown_indices) for row in block.rows]
    return msgspec.structs.replace(block, columns=columns, rows=tuple(rows))


def signed(value: float | Fraction) -> str:
    """A number with its sign and one decimal place: ``+2.6``, ``–1.3``, ``0.0``."""
    text = f"{abs(float(value)):.1f}"
    if text == "0.0":  # a number that rounds to 0 has no sign either: "–0.0" would look wrong
        return text
    if value > 0:
        return f"+{text}"
    return f"–{text}"
