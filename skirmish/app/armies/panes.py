"""The parts of the army builder: its terms, what can be bought, how the army stands, one line."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import groupby
from typing import ClassVar, cast

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish.app.armies import keys as army_keys
from skirmish.app.armies import standing as army_standing
from skirmish.app.armies import words as army_words
from skirmish.app.binding import key_in_force, key_name
from skirmish.app.host import Host
from skirmish.games.plastic.rules.advice import Line, tally
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.breaches import Breach
from skirmish.games.plastic.rules.catalog import UnitType, Work, plural
from skirmish.games.plastic.rules.figures import Counts, figures
from skirmish.games.plastic.rules.gauges import Gauge


def key(part: DOMNode, name: str, usual: str) -> str:
    """The key of the builder's binding ``army.<name>``, as the player has mapped it."""
    mapped = cast("Host", part.app).settings.keys
    return key_name(key_in_force(mapped, f"army.{name}", usual))


class TermsPane(Static):
    """The name and whether it is kept; points, nation, quality and whether it is legal."""

    def show(self, army: Army, group: str, unsaved: bool, troubled: bool) -> None:
        """Bring both lines up to date; ``group`` is the name of the group in view."""
        width = self.content_size.width
        kept = "NOT SAVED" if troubled else ("saving …" if unsaved else "saved")
        style = army_words.BAD if troubled else army_words.DIM
        edit = key(self, "edit", "E")
        called = f"{group} ({army.listed.name})" if group else army.listed.name
        name = army_words.fitted(called, max(1, width - 11 - cell_len(edit)))
        first = Content.assemble(
            (f"{edit} ", army_words.KEY), (name, "bold"), (f"{kept:>10}", style)
        )
        self.update(
            Content("\n").join(
                [first, army_words.terms(army, tally(army), width, partial(key, self))]
            ),
            layout=False,
        )


class CountedList(OptionList):
    """Lines with a count. Right and left change it: ``add`` is the screen's."""

    BINDINGS: ClassVar[list[BindingType]] = army_keys.LIST


class PieceList(CountedList):
    """Every piece that can be bought, under the title of its shelf."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._offers: dict[str, Line] = {}
        self._letters: dict[str, str] = {}
        self._rows: dict[str, Content] = {}

    @property
    def row_width(self) -> int:
        """Columns of a row, one kept free beside the scrollbar."""
        return max(40, self.scrollable_content_region.width - 1)

    @property
    def chosen(self) -> Line | None:
        """The line under the cursor."""
        option = self.highlighted_option
        return self._offers.get(option.id or "") if option else None

    def go_to(self, letter: str) -> bool:
        """Choose the row of that letter; False if there is none."""
        piece = next((piece for piece, own in self._letters.items() if own == letter), None)
        if piece is not None:
            self.focus()
            self.highlighted = self.get_option_index(piece)
        return piece is not None

    def show(
        self, army: Army, offers: list[Line], typed: str | None, measured: Callable[[str], str]
    ) -> None:
        """Bring the rows up to date; ``typed`` is the piece whose count is being typed, distances
        are told as ``measured`` has them."""
        width = self.row_width
        self._letters = army_words.letters(offers, army_keys.TAKEN)
        rows: dict[str, Content] = {}
        for shelf, lines in groupby(offers, key=lambda offer: offer.shelf):
            rows[f"shelf {shelf}"] = Content(army_words.SHELF_TITLES[shelf]).stylize(army_words.DIM)
            for offer in lines:
                typing = offer.piece.id == typed
                letter = self._letters.get(offer.piece.id, " ")
                rows[offer.piece.id] = army_words.line(
                    army, offer, letter, width, measured, typing=typing
                )
        self._offers = {offer.piece.id: offer for offer in offers}
        if list(rows) == list(self._rows):
            for name, row in rows.items():
                if row != self._rows[name] or row.spans != self._rows[name].spans:
                    self.replace_option_prompt(name, row)
        else:
            chosen = self.highlighted_option.id if self.highlighted_option else None
            self.set_options(
                Option(row, id=name, disabled=name not in self._offers)
                for name, row in rows.items()
            )
            self.highlighted = list(rows).index(chosen) if chosen in self._offers else 1
        self._rows = rows

    def scroll_to_highlight(self, top: bool = False) -> None:
        """Bring the cursor into view, and with the first line the title above it."""
        super().scroll_to_highlight(top)
        if self.highlighted == 1:
            self.scroll_home(animate=False)


class StandingPane(VerticalScroll):
    """Sums, breaches and gauges; scrolls when it is long (Tab, then the arrows)."""

    def compose(self) -> ComposeResult:
        """Four texts."""
        yield Static(id="builder-sums", markup=False)
        yield Static(id="builder-breaches", markup=False)
        yield Static(id="builder-groups", markup=False)
        yield Static(id="builder-gauges", markup=False)

    def show(
        self,
        army: Army,
        group: int | None,
        found: list[Breach],
        standing: list[Gauge],
        owned: Counts,
    ) -> None:
        """Bring the texts up to date, with the number of the ``group`` in view; ``owned`` are the
        player's figures, if any are entered."""
        groups = self.query_one("#builder-groups", Static)
        groups.update(army_standing.group_words(army, group, partial(key, self)))
        groups.display = bool(army.listed.groups)
        breaches = self.query_one("#builder-breaches", Static)
        self.query_one("#builder-sums", Static).update(
            army_standing.sums(army, owned, partial(key, self))
        )
        breaches.update(army_standing.breach_words(army, found, partial(key, self)))
        breaches.display = bool(found)
        rows = army_standing.gauge_rows(army, standing, self.scrollable_content_region.width)
        self.query_one("#builder-gauges", Static).update(rows)


class LinePane(Vertical):
    """The weapons of the chosen line; below, what the last change did, or how many more of the
    line are allowed."""

    def __init__(self) -> None:
        super().__init__()
        self._news = ("", False)
        self._of = ""

    def compose(self) -> ComposeResult:
        """Two texts."""
        yield Static(id="builder-about", markup=False)
        yield Static(id="builder-said", markup=False)

    def tell(self, text: str, *, bad: bool = False) -> None:
        """News; they stay until the next or until another line is chosen."""
        self._news = (text, bad)
        self._say(text, bad)

    def show(
        self,
        army: Army,
        group: str,
        line: Line | None,
        owned: Counts,
        measured: Callable[[str], str],
    ) -> None:
        """Describe a line, and how many of it are owned where any figures are entered."""
        if line is None:
            return
        if line.piece.id != self._of:
            self._of, self._news = line.piece.id, ("", False)
        self.query_one("#builder-about", Static).update(
            army_words.about(army, line.piece, measured), layout=False
        )
        text, bad = self._news
        if not text:
            text = army_words.room_words(army, line, group)
            if owned and not group:
                text += f" {owned_words(army, line.piece, owned)}"
        self._say(text, bad)

    def _say(self, text: str, bad: bool) -> None:
        said = Content(text).stylize(army_words.BAD if bad else "")
        self.query_one("#builder-said", Static).update(said, layout=False)


def owned_words(army: Army, piece: UnitType | Work, owned: Counts) -> str:
    """``You own 23 Tanks, 2 short.``"""
    have = owned.get(piece.id, 0)
    short = figures(army).get(piece.id, 0) - have
    name = piece.name if have == 1 else plural(piece.name)
    return f"You own {have} {name}" + (f", {short} too few." if short > 0 else ".")
