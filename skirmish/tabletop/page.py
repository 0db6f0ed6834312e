"""A page as data: headings, sentences, facts, gauges, tables. It is built once and rendered for
every medium: the screen, plain text, Markdown, PDF.

Texts in a page are shown as they are; no renderer reads markup in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

Tone = Literal["", "quiet", "strong", "good", "bad"]
"""How a line is meant; a renderer may add colour, never only colour."""


class Heading(msgspec.Struct, frozen=True):
    """A title, level 1 for the page itself, 2 for a section, 3 for a part of one."""

    text: str
    level: Literal[1, 2, 3] = 2


class Paragraph(msgspec.Struct, frozen=True):
    """A sentence or several. ``lead`` stands before them in bold."""

    text: str
    lead: str = ""
    tone: Tone = ""


class Items(msgspec.Struct, frozen=True):
    """A list of sentences, each behind a mark."""

    lines: tuple[str, ...]


class Facts(msgspec.Struct, frozen=True):
    """Names with their values, one below the other."""

    rows: tuple[tuple[str, str], ...]


class Gauge(msgspec.Struct, frozen=True):
    """A number between 0 and ``full``: points of a bunker, losses before an army breaks."""

    name: str
    value: int
    full: int
    note: str = ""


class Column(msgspec.Struct, frozen=True):
    """A column of a table; ``number``: its cells stand flush right."""

    title: str
    number: bool = False


class Table(msgspec.Struct, frozen=True):
    """Rows under titles; the last ``totals`` rows are sums. ``mark``: the row to be seen first."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    totals: int = 0
    mark: int | None = None


class Bar(msgspec.Struct, frozen=True):
    """One bar: its name, how long it is, and what stands behind it."""

    name: str
    value: float
    note: str = ""


class Bars(msgspec.Struct, frozen=True):
    """Bars on one scale; ``full`` is the length of the longest that could be, if that is known."""

    rows: tuple[Bar, ...]
    full: float = 0.0


class Step(msgspec.Struct, frozen=True):
    """A phase of a turn or an item of a checklist; ``note`` says what came of it, or why not, and
    ``short`` the same where there is no room for it."""

    text: str
    state: Literal["done", "now", "next", "skipped"] = "next"
    note: str = ""
    short: str = ""


class Steps(msgspec.Struct, frozen=True):
    """Phases in their order."""

    rows: tuple[Step, ...]


class Choice(msgspec.Struct, frozen=True):
    """Something that a key chooses; ``note`` explains it, ``why_not`` says why it cannot be chosen
    now, ``mark``: it is chosen already."""

    key: str
    text: str
    note: str = ""
    why_not: str = ""
    mark: bool = False


class Choices(msgspec.Struct, frozen=True):
    """What can be chosen, side by side where there is room."""

    rows: tuple[Choice, ...]


class Note(msgspec.Struct, frozen=True):
    """A footnote: a source, a caveat."""

    text: str


Block: TypeAlias = (
    Heading | Paragraph | Items | Facts | Gauge | Table | Bars | Steps | Choices | Note
)


class Page(msgspec.Struct, frozen=True):
    """A title and what stands below it."""

    title: str
    blocks: tuple[Block, ...] = ()

    def told(self, told: Callable[[str], str]) -> Page:
        """The page with each of its texts as ``told`` makes it, such as in other measures."""
        page: Page = _told(self, told)
        return page

    def with_blocks(self, blocks: Iterable[Block]) -> Page:
        """The page with more below."""
        return Page(self.title, (*self.blocks, *blocks))


def _told(part: Any, told: Callable[[str], str]) -> Any:
    if isinstance(part, str):
        return told(part)
    if isinstance(part, tuple):
        return tuple(_told(one, told) for one in part)
    if isinstance(part, msgspec.Struct):
        fields = {name: getattr(part, name) for name in part.__struct_fields__}
        texts = {k: _told(v, told) for k, v in fields.items() if k not in ("tone", "key", "state")}
        return msgspec.structs.replace(part, **texts)
    return part


def table(
    titles: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers: Sequence[int] = (),
    totals: int = 0,
    mark: int | None = None,
) -> Table:
    """A table whose columns with the indices ``numbers`` hold numbers."""
    columns = tuple(Column(title, at in numbers) for at, title in enumerate(titles))
    return Table(columns, tuple(tuple(row) for row in rows), totals, mark)


def without_empty_columns(found: Table, empty: Iterable[str] = ("", "0", "–")) -> Table:
    """The table without the columns of numbers in which every cell is one of ``empty``."""
    blank = set(empty)
    kept = [
        at
        for at, column in enumerate(found.columns)
        if not column.number or any(row[at] not in blank for row in found.rows)
    ]
    return Table(
        tuple(found.columns[at] for at in kept),
        tuple(tuple(row[at] for at in kept) for row in found.rows),
        found.totals,
        found.mark,
    )
