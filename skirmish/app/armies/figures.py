"""Lines with counts: a count is typed, or goes up and down by one. The figures that the player
owns, beside what an army needs of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from itertools import groupby
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from skirmish import library
from skirmish.app.armies.view import BAD, DIM, SHELF_TITLES
from skirmish.app.binding import keys
from skirmish.app.fitting import padded, shortened
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.line_list import Group, LineList
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.rules.advice import Shelf
from skirmish.games.plastic.rules.army import MOST_PIECES, Army, figures, missing, named
from skirmish.games.plastic.rules.catalog import UnitType, Work
from skirmish.store.errors import StoreError
from skirmish.tabletop.typed import plain

FEW = 6
"""Kinds that are still named one by one when they are missing."""
NONE_YET = "No figures entered yet. Choose a line and type how many you own."


def counting(topic: str) -> list[BindingType]:
    return [
        *keys(
            topic,
            ("more", "plus,equals_sign", "add(1)", "Count", "Add one"),
            ("less", "minus,underscore", "add(-1)", "", "Remove one"),
            ("erase", "backspace", "erase", "", "Delete the last digit"),
        ),
        *(
            Binding(
                str(digit), f"digit({digit})", "Count", show=False, id=f"{topic}.digit-{digit}",
                key_display=None if digit else "0-9", tooltip="Set the count of the chosen line",
            )
            for digit in range(10)
        ),
    ]  # fmt: skip


class CountedList(LineList):
    """Lines with a count. Right and left change it: ``add`` is the screen's."""

    BINDINGS: ClassVar[list[BindingType]] = keys(
        "pieces",
        ("more", "right", "screen.add(1)", "", "Add one to the chosen line"),
        ("less", "left", "screen.add(-1)", "", "Remove one from the chosen line"),
    )


class CountingScreen(Screen[None]):
    """A screen with a `CountedList`. One number is one change, however many digits it has."""

    def __init__(self) -> None:
        super().__init__()
        self._typed: tuple[str, str] | None = None  # a piece and the digits of its count so far
        self._typed_anew = False  # whether they have changed anything yet

    @abstractmethod
    def target(self) -> tuple[str, int] | None:
        """The piece that a count is for, and its count; None: there is none."""

    @abstractmethod
    def put(self, piece: str, count: int, *, goes_on: bool) -> bool:
        """Set a count, undone together with the last change if it ``goes_on``, and show it.
        Whether it was another."""

    @abstractmethod
    def show_all(self) -> None:
        """Paint everything."""

    def too_many(self) -> None:
        """A digit more would be more than there can be."""

    def action_add(self, by: int) -> None:
        if (target := self.target()) is not None:
            piece, count = target
            self._typed = None
            self.put(piece, min(max(count + by, 0), MOST_PIECES), goes_on=False)

    def action_digit(self, digit: int) -> None:
        """A digit begins a count, or goes on with it. (A binding, for keys that are read otherwise
        overtake the arrows.)"""
        if (target := self.target()) is not None:
            piece, _ = target
            text = f"{self._digits(piece, '')}{digit}"
            if int(text) > MOST_PIECES:
                self.too_many()
            else:
                self._type(piece, text)

    def action_erase(self) -> None:
        if (target := self.target()) is not None:
            piece, count = target
            self._type(piece, self._digits(piece, str(count))[:-1])

    def on_option_list_option_selected(self) -> None:
        self._typed = None
        self.show_all()

    def on_option_list_option_highlighted(self) -> None:
        """Another line: a number that was being typed is complete."""
        if self._typed and self._typed[0] != self.query_one(CountedList).chosen:
            self._typed = None
            self.show_all()

    def _digits(self, piece: str, otherwise: str) -> str:
        return self._typed[1] if self._typed and self._typed[0] == piece else otherwise

    def _type(self, piece: str, text: str) -> None:
        goes_on = self._typed_anew and self._typed is not None and self._typed[0] == piece
        self._typed = (piece, text)
        changed = self.put(piece, int(text or "0"), goes_on=goes_on)
        self._typed_anew = goes_on or changed


class FiguresScreen(CountingScreen):
    """The figures that the player owns. With an army: what it needs, and what is missing."""

    CSS_PATH = "figures_screen.tcss"
    TOPIC: ClassVar[str] = "figures"
    EXTRA = "The list of your figures is"
    HELP = (
        "Choose a line with the arrows and type how many you own; + and - add and remove one. "
        "Every change is saved at once.\n\n"
        "Opened from an army, the screen shows what that army needs and what is missing. Free men "
        "need figures too."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *counting("figures"),
        *keys(
            "figures",
            ("short", "s", "only_short", "Missing", "Show only what is missing, or everything"),
            ("undo", "ctrl+z", "undo", "Undo", "Undo the last change"),
            ("back", "escape", "dismiss", "Back", "Back; everything is saved"),
        ),
    ]

    def __init__(self, army: Army | None = None) -> None:
        super().__init__()
        self._needs = figures(army) if army else {}
        self._for = army.listed.name if army else ""
        self._catalog = library.catalog()
        self._owned: dict[str, int] = {}
        self._past: list[tuple[str, int]] = []  # a piece and its count before
        self._only_short = False
        self._troubled = False
        self._read = False

    def compose(self) -> ComposeResult:
        with Vertical(id="figures-top"):
            yield Static("MY FIGURES", classes="title", markup=False)
            yield Static(id="figures-for", markup=False)
        yield Static(id="figures-head", classes="quiet", markup=False)
        yield CountedList(id="figures", classes="lines")
        yield Static(id="figures-sums", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self.query_one(CountedList).focus()
        self.run_worker(self._look())

    def on_resize(self) -> None:
        if self._read:
            self.call_after_refresh(self.show_all)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        able = {"undo": bool(self._past), "only_short": bool(self._needs)}
        return able.get(action, True) or None

    # What the keys do

    def target(self) -> tuple[str, int] | None:
        piece = self.query_one(CountedList).chosen
        return (piece, self._owned.get(piece, 0)) if piece else None

    def put(self, piece: str, count: int, *, goes_on: bool) -> bool:
        before = self._owned.get(piece, 0)
        if not goes_on and count != before:
            self._past.append((piece, before))
        self._own(piece, count)
        return count != before

    def action_undo(self) -> None:
        if self._past:
            piece, before = self._past.pop()
            self._typed = None
            self._own(piece, before)
            listed = self.query_one(CountedList)
            if piece in [option.id for option in listed.options]:
                listed.highlighted = listed.get_option_index(piece)  # the eye finds what changed

    def action_only_short(self) -> None:
        self._only_short = not self._only_short
        self.show_all()

    def _own(self, piece: str, count: int) -> None:
        self._owned[piece] = count
        self.run_worker(self._keep(piece, count), group="keep")
        self.show_all()

    async def _keep(self, piece: str, count: int) -> None:
        """Write a count; a failure is told once until one succeeds."""
        try:
            await self.skirmish.stored(lambda store: store.own(GAME, {piece: count}))
        except StoreError as error:
            if not self._troubled:
                self._troubled = True
                await self.skirmish.show_message("Not saved", str(error))
        else:
            self._troubled = False

    async def _look(self) -> None:
        try:
            self._owned = await self.skirmish.stored(lambda store: store.owned(GAME))
        except StoreError as error:
            await self.skirmish.show_message("The database cannot be used", str(error))
            return
        self._read = True
        self.show_all()

    # What is shown

    def show_all(self) -> None:
        width, short = self.size.width - 6, missing(self._needs, self._owned)
        self.query_one(CountedList).show(self._groups(short, width))
        self._tell(short, width)
        self.refresh_bindings()

    def _groups(self, short: dict[str, int], width: int) -> Iterator[Group]:
        wanted = (
            (piece, known)
            for piece, known in self._catalog.pieces.items()
            if piece in short or not self._only_short
        )
        for shelf, own in groupby(wanted, key=lambda one: _shelf(one[1])):
            lines = {piece: self._line(piece, known, width) for piece, known in own}
            yield Content.styled(SHELF_TITLES[shelf], DIM), lines

    def _line(self, piece: str, known: UnitType | Work, width: int) -> Content:
        own, needs = self._owned.get(piece, 0), self._needs.get(piece, 0)
        typing = self._typed is not None and self._typed[0] == piece
        letter = known.letter.upper() if isinstance(known, UnitType) else ""
        text = f"{letter:<2}{padded(known.name, 24)}{f'{own}_' if typing else own or '·':>6}"
        if not self._for:
            return Content.assemble((text, "bold" if own or typing else ""))
        short = needs - own
        state = (
            ("", "") if not needs else (f"{short} missing", BAD) if short > 0 else ("enough", "")
        )
        return Content.assemble(
            (f"{text}{needs or '·':>8}   ", "bold" if needs else DIM), state
        ).truncate(width)

    def _tell(self, short: dict[str, int], width: int) -> None:
        words = ("for ", (shortened(plain(self._for), width - 4), "bold")) if self._for else ("",)
        self.query_one("#figures-for", Static).update(Content.assemble(*words))
        needs = f"{'NEEDS':>8}" if self._for else ""
        self.query_one("#figures-head", Static).update(f"  {'':<24}{'OWN':>6}{needs}")
        self.query_one("#figures-sums", Static).update(self._sums(short))

    def _sums(self, short: dict[str, int]) -> Content:
        total = sum(self._owned.values())
        if not total:
            return Content(NONE_YET)
        own = f"You own {total} pieces. "
        if not self._for:
            return Content(own)
        if not short:
            return Content.assemble(own, ("You own everything this army needs.", "bold"))
        if len(short) <= FEW:
            return Content.assemble(own, (f"Missing: {named(short, self._catalog)}.", BAD))
        told = f"Missing: {sum(short.values())} pieces of {len(short)} kinds."
        return Content.assemble(own, (told, BAD))


def _shelf(known: UnitType | Work) -> Shelf:
    if isinstance(known, Work):
        return "works"
    return "guys" if known.kind == "guy" else known.kind
