"""The figures that the player owns, beside what an army needs of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from skirmish import library
from skirmish.app.armies.editing import CountedList, CountingScreen, FiguresSession, counting
from skirmish.app.binding import keys
from skirmish.app.host import Host
from skirmish.app.line_list import Group
from skirmish.app.page_view import DIM, TONES, padded, shortened
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.rules.advice import SHELVES
from skirmish.games.plastic.rules.army import Army, figures, missing, named
from skirmish.games.plastic.rules.catalog import UnitType, Work
from skirmish.store.errors import StoreError
from skirmish.tabletop.typed import plain

FEW = 6
"""Kinds that are still named one by one when they are missing."""
NONE_YET = "No figures entered yet. Choose a line and type how many you own."
BAD = TONES["bad"]


class FiguresScreen(CountingScreen[dict[str, int]]):
    """The figures that the player owns. With an army: what it needs, and what is missing."""

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

    def __init__(self, host: Host, army: Army | None = None) -> None:
        super().__init__(FiguresSession(host.stored, {}))
        self._needs = figures(army) if army else {}
        self._for = army.listed.name if army else ""
        self._catalog = library.catalog()
        self._only_short = False

    async def on_mount(self) -> None:
        try:
            owned = await self.skirmish.stored(lambda store: store.owned(GAME))
        except StoreError as error:
            await self.skirmish.show_message("The database cannot be used", str(error))
            return
        self.session = FiguresSession(self.skirmish.stored, owned)
        await super().on_mount()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        able = {"undo": bool(self.session.past), "only_short": bool(self._needs)}
        return able.get(action, True) or None

    # What the keys do

    def count(self, piece: str) -> int:
        return self.session.value.get(piece, 0)

    def put(self, piece: str, count: int) -> None:
        self.session.change({**self.session.value, piece: count})
        self.save()
        self.paint()

    def action_undo(self) -> None:
        before = self.session.value
        super().action_undo()
        self.save()
        self.paint()
        listed = self.query_one(CountedList)
        for piece in (option.id for option in listed.options):  # the eye finds what changed
            if piece and self.count(piece) != before.get(piece, 0):
                listed.highlighted = listed.get_option_index(piece)

    def action_only_short(self) -> None:
        self._only_short = not self._only_short
        self.paint()

    # What is shown

    @property
    def heading(self) -> Content:
        name = shortened(plain(self._for), self.app.size.width - 20)
        return Content.assemble("MY FIGURES", (f" for {name}" if self._for else "", "not bold"))

    def groups(self) -> Iterator[Group]:
        short, needs = missing(self._needs, self.session.value), "NEEDS" if self._for else ""
        wanted = (
            (piece, known)
            for piece, known in self._catalog.pieces.items()
            if piece in short or not self._only_short
        )
        for kind, own in groupby(wanted, key=lambda one: one[1].kind):
            lines = {piece: self._line(piece, known) for piece, known in own}
            yield Content.styled(f"{SHELVES[kind]:<26}{'OWN':>6}{needs:>8}", DIM), lines

    def _line(self, piece: str, known: UnitType | Work) -> Content:
        own, needs, typing = self.count(piece), self._needs.get(piece, 0), self.typed == piece
        letter = known.letter.upper() if isinstance(known, UnitType) else ""
        text = f"{letter:<2}{padded(known.name, 24)}{f'{own}_' if typing else own or '·':>6}"
        if not self._for:
            return Content.styled(text, "bold" if own or typing else "")
        short = f"{needs - own} missing" if needs > own else "enough" if needs else ""
        counts = (f"{text}{needs or '·':>8}   ", "bold" if needs else DIM)
        return Content.assemble(counts, (short, BAD if needs > own else ""))

    def meaning(self, id: str) -> Content:
        """Of all lines together."""
        short, total = missing(self._needs, self.session.value), sum(self.session.value.values())
        if not total:
            return Content(NONE_YET)
        own = f"You own {total} pieces. "
        if not short:
            enough = "You own everything this army needs." if self._for else ""
            return Content.assemble(own, (enough, "bold"))
        many = f"{sum(short.values())} pieces of {len(short)} kinds"
        names = named(short, self._catalog) if len(short) <= FEW else many
        return Content.assemble(own, (f"Missing: {names}.", BAD))
