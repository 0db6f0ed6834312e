"""The figures that a player owns; with an army, what it needs and what is missing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import BindingType
from textual.content import Content

from skirmish import library
from skirmish.app.armies.counting import CountedList, CountingScreen, counting_keys
from skirmish.app.armies.editing import Editing
from skirmish.app.binding import keys
from skirmish.app.host import UNUSABLE, Host
from skirmish.app.line_list import LineGroup
from skirmish.app.page_view import painted
from skirmish.app.text_rows import padded, shortened
from skirmish.app.text_styles import DIM, TONES
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.dealing.terrain import TERRAIN, terrain_of
from skirmish.games.plastic.rules.advice import SECTIONS
from skirmish.games.plastic.rules.army import Army, counts_in_words, figures, missing
from skirmish.games.plastic.rules.catalog import UnitType, Work
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop.page import Heading, Page, capital, table
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.store.database import Store

NAME_COLUMNS = 24
"""Columns of the name of a piece."""
BESIDE_ARMY_NAME = 20
"""Columns of the heading that are not for the name of the army."""
FEW_KINDS = 6
"""The most kinds of missing figures that are listed by name."""
NONE_YET = "No figures entered yet. Choose a line and type how many you own."
BAD = TONES["bad"]


class FiguresSession(Editing[dict[str, int]]):
    """How many of each piece the player owns, by the id of the piece."""

    def write(self, store: Store, value: dict[str, int]) -> None:
        """Store the counts that differ from those that the store holds."""
        # None only for a ``new`` value, which the counts never are: at first they are all 0.
        before = self._saved or {}
        changed: dict[str, int] = {}
        # A piece that is no longer counted is stored as 0.
        pieces_of_both = {**before, **value}
        for piece_id in pieces_of_both:
            count = value.get(piece_id, 0)
            if count != before.get(piece_id, 0):
                changed[piece_id] = count
        store.set_owned(GAME, changed)


class FiguresScreen(CountingScreen[dict[str, int]]):
    """The figures that the player owns, a line for each kind; an ``army`` is compared with them."""

    TOPIC: ClassVar[str] = "figures"
    FAILURE = "The list of your figures is not available"
    HAS_DETAILS = True
    HELP = (
        "Choose a line with the arrows and type how many you own; + and - add and remove one. "
        "Every change is saved at once. Terrain stands at the end: battles are dealt with what you "
        "own, and the workshop counts it.\n\n"
        "Opened from an army, the screen shows what that army needs and what is missing. Free men "
        "need figures too."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *counting_keys("figures"),
        *keys(
            "figures",
            ("short", "s", "only_missing", "Missing", "Show only what is missing, or everything"),
            ("undo", "ctrl+z", "undo", "Undo", "Undo the last change"),
            ("back", "escape", "dismiss", "Back", "Back; everything is saved"),
        ),
    ]
    WHY_NOT: ClassVar[Mapping[str, str]] = {
        "undo": "nothing has been changed",
        "only_missing": "open it from an army",
    }

    def __init__(self, host: Host, army: Army | None = None) -> None:
        super().__init__(FiguresSession(host.stored, {}))  # ``_read_owned`` replaces it
        self._needs: dict[str, int] = {}
        """The figures that the army needs, by the ids of the pieces; empty without an army."""
        self._army_name = ""
        """Empty without an army."""
        if army is not None:
            self._needs = figures(army)
            self._army_name = army.army_list.name
        self._catalog = library.catalog()
        self._only_missing = False
        """Whether only missing pieces are shown."""
        self._scenarios: Mapping[int, Scenario] = {}
        """The scenarios by their numbers; empty until they are read, which only the details of a
        large screen need."""

    async def on_mount(self) -> None:
        await super().on_mount()
        self._read_owned()

    @work(group="look")
    async def _read_owned(self) -> None:
        """Read the stored figures and show them, then the scenarios."""
        async with self.skirmish.reporting(UNUSABLE):
            owned = await self.skirmish.stored(lambda store: store.owned(GAME))
            self.session = FiguresSession(self.skirmish.stored, owned)
            self.paint()
        self._read_scenarios()

    @work(group="scenarios", exclusive=True)
    async def _read_scenarios(self) -> None:
        """Read the scenarios once, in a thread, since that takes long."""
        if self.shows_details and not self._scenarios:
            self._scenarios = await asyncio.to_thread(library.scenarios)
            if self.is_attached:  # the screen may have been left meanwhile
                self.paint()

    def on_resize(self) -> None:
        super().on_resize()
        self._read_scenarios()  # the screen may have details only now

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        is_possible = {"undo": bool(self.session.past), "only_missing": bool(self._needs)}
        if is_possible.get(action, True):
            return True
        return None  # shown in grey; False would hide the key

    # What the keys do

    def count(self, piece: str) -> int:
        return self.session.value.get(piece, 0)

    def set_count(self, piece: str, count: int) -> None:
        self.change({**self.session.value, piece: count})

    def action_undo(self) -> None:
        """Undo the last change, and select the line whose count it was."""
        before = self.session.value
        super().action_undo()
        line_list = self.query_one(CountedList)
        for option in line_list.options:
            line_id = option.id
            assert line_id is not None  # a LineList gives every line an id; headings count nothing
            if self.count(line_id) != before.get(line_id, 0):
                line_list.highlighted = line_list.get_option_index(line_id)

    def action_only_missing(self) -> None:
        self._only_missing = not self._only_missing
        self.paint()

    # What is shown

    @property
    def heading(self) -> Content:
        if not self._army_name:
            return Content("MY FIGURES")
        name = shortened(plain(self._army_name), self.app.size.width - BESIDE_ARMY_NAME)
        return Content.assemble("MY FIGURES", (f" for {name}", "not bold"))

    def groups(self) -> Iterator[LineGroup]:
        """The pieces by kind, in the order of the catalog."""
        needs_title = ""
        if self._army_name:
            needs_title = "NEEDS"
        pieces = list(self._catalog.pieces.values())
        if self._only_missing:
            lacking = missing(self._needs, self.session.value)
            pieces = [piece for piece in pieces if piece.id in lacking]
        # In the catalog all pieces of a kind stand together.
        for kind, pieces_of_kind in groupby(pieces, key=attrgetter("kind")):
            lines = {piece.id: self._piece_line(piece) for piece in pieces_of_kind}
            heading = f"{SECTIONS[kind]:<{NAME_COLUMNS}}{'OWN':>6}{needs_title:>8}"
            yield LineGroup(Content.styled(heading, DIM), lines)
        if not self._only_missing:  # no army needs terrain, so none of it is missing
            terrain = {kind: self._terrain_line(kind) for kind in TERRAIN}
            yield LineGroup(Content.styled(f"{'TERRAIN':<{NAME_COLUMNS}}{'OWN':>6}", DIM), terrain)

    def _terrain_line(self, kind: str) -> Content:
        """A kind of terrain with its count, in bold if the player has any."""
        line = Content(self._name_and_count(kind, capital(TERRAIN[kind].plural)))
        if self.count(kind) or self.typed_piece == kind:
            return line.stylize("bold")
        return line

    def _name_and_count(self, piece_id: str, name: str) -> str:
        """``Rifle Guy    12``; a dot for none. An underscore is the cursor behind a count that is
        being typed."""
        own = self.count(piece_id)
        count = _count_or_dot(own)
        if self.typed_piece == piece_id:
            count = f"{own}_"
        return f"{padded(name, NAME_COLUMNS)}{count:>6}"

    def _piece_line(self, piece: UnitType | Work) -> Content:
        """A piece with its count; for an army also how many it needs, and how many are missing."""
        own = self.count(piece.id)
        text = self._name_and_count(piece.id, piece.name)
        if not self._army_name:
            if own or self.typed_piece == piece.id:
                return Content.styled(text, "bold")
            return Content(text)
        needs = self._needs.get(piece.id, 0)
        text += f"{_count_or_dot(needs):>8}   "
        if needs > own:
            return Content.assemble((text, "bold"), (f"{needs - own} missing", BAD))
        if needs:
            return Content.assemble((text, "bold"), "enough")
        return Content.styled(text, DIM)

    def details(self, id: str) -> Content:
        """The sentence of ``meaning``, and which scenarios can be laid out with the figures."""
        parts = [self.meaning(id)]
        if self._scenarios:
            parts.append(painted(self._scenarios_page(id), self.details_width))
        return Content("\n\n").join(parts)

    def _scenarios_page(self, line_id: str) -> Page:
        """Each scenario with how many of the chosen piece it needs, if the chosen line is not one
        of terrain, and how many figures of all kinds are missing."""
        chosen = self._catalog.pieces.get(line_id)
        rows = []
        for number, scenario in self._scenarios.items():
            needs = scenario.figures()
            lacking = sum(missing(needs, self.session.value).values())
            row = [str(number), scenario.title]
            if chosen is not None:
                row.append(_count_or_dot(needs.get(chosen.id, 0)))
            rows.append((*row, str(lacking or "none")))
        titles = ["", "Scenario", "Figures missing"]
        if chosen is not None:
            titles.insert(2, chosen.name_for(0))  # its plural: "Rifle Guys"
        title_column = 1
        flush_right = [index for index in range(len(titles)) if index != title_column]
        block = table(titles, rows, numbers=flush_right)
        return Page("", (Heading("What the scenarios need"), block))

    def meaning(self, id: str) -> Content:
        """How many pieces the player owns, and which of the army's are missing. It is the same for
        every line."""
        owned = self.session.value
        # Terrain is not counted with the figures.
        total = sum(owned.get(piece, 0) for piece in self._catalog.pieces)
        if not total and not terrain_of(owned):
            return Content(NONE_YET)
        own = f"You own {total} pieces. "
        if not self._army_name:
            return Content(own)
        lacking = missing(self._needs, owned)
        if not lacking:
            return Content.assemble(own, ("You own everything this army needs.", "bold"))
        if len(lacking) <= FEW_KINDS:
            names = counts_in_words(lacking, self._catalog)
        else:
            names = f"{sum(lacking.values())} pieces of {len(lacking)} kinds"
        return Content.assemble(own, (f"Missing: {names}.", BAD))


def _count_or_dot(count: int) -> str:
    """A count as it is shown in a column; a dot for none."""
    if count == 0:
        return "·"
    return str(count)
