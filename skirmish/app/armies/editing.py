"""Editing an army: its counts, by typed number or one step at a time, and its terms; the figures
one owns, and what units are worth. Every change is stored and can be undone."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar, Generic, Literal, NamedTuple, TypeVar

from msgspec.structs import replace
from textual import work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from skirmish import library
from skirmish.app.asking import TextEntry
from skirmish.app.binding import keys
from skirmish.app.host import UNUSABLE, Host
from skirmish.app.line_list import Group, LineList, LineScreen
from skirmish.app.page_screen import PageScreen
from skirmish.app.page_view import DIM, TONES, painted
from skirmish.app.reference.rulings import InForce
from skirmish.app.text_rows import padded, shortened
from skirmish.games.plastic.army_file import GAME, LONGEST_NAME, as_body, as_table
from skirmish.games.plastic.dealing.terrain import TERRAIN, terrain_of
from skirmish.games.plastic.odds.worth import WorthTable, worth, worth_page
from skirmish.games.plastic.rules.advice import SECTIONS
from skirmish.games.plastic.rules.army import (
    LONGEST_GROUP,
    LONGEST_NOTE,
    MOST_PIECES,
    MOST_POINTS,
    Army,
    ArmyList,
    counts_in_words,
    figures,
    missing,
)
from skirmish.games.plastic.rules.army_reading import read_army
from skirmish.games.plastic.rules.catalog import UnitType, Work
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.session import Stored
from skirmish.store.errors import StoreError
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.history import History
from skirmish.tabletop.page import Heading, Page, capital, table
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.store.database import Store

T = TypeVar("T")
FAR_BACK = 50
"""The most changes searched for the latest additions when an army is repaired."""
NOTHING_LOST = "Nothing on the screen is lost. The next change will try to save everything again."
"""Stands behind the reason why something could not be saved."""


class Editing(History[T]):
    """A ``value`` that changes in memory first and is stored by ``save``; a failed save is retried
    by the next one. ``new`` values are not in the store yet."""

    def __init__(self, stored: Stored, value: T, *, new: bool = False) -> None:
        super().__init__(value)
        self._stored = stored
        self._saved: T | None = value
        """The value that the store holds; None: none yet."""
        if new:
            self._saved = None

    @abstractmethod
    def write(self, store: Store, value: T) -> None:
        """Store the whole value; raises StoreError."""

    @property
    def unsaved(self) -> bool:
        """Whether the present value is not in the store."""
        # Identity is enough, since a value is replaced and never changed.
        return self._saved is not self.value

    async def save(self) -> None:
        """Store the present value. Raises StoreError."""
        value = self.value  # which may be changed again while it is being stored
        await self._stored(lambda store: self.write(store, value))
        self._saved = value


class ArmySession(Editing[ArmyList]):
    """One army; ``number`` is None until it is first stored."""

    def __init__(self, stored: Stored, army: Army, number: int | None = None) -> None:
        super().__init__(stored, army.army_list, new=number is None)
        self._army = army
        self.number = number

    @property
    def army(self) -> Army:
        """The army under its present list."""
        return replace(self._army, army_list=self.value)

    @property
    def added(self) -> list[dict[str, int]]:
        """The additions of the last change, of the last two changes, and so on: pieces by id.

        A repair tries to take these back first. Without them it might sell everything else to mend
        what a slip of the finger had added."""
        additions = []
        for before in reversed(self.past[-FAR_BACK:]):
            more_than_before: dict[str, int] = {}
            for piece, count in self.value.pieces.items():
                if count > before.count(piece):
                    more_than_before[piece] = count - before.count(piece)
            additions.append(more_than_before)
        return additions

    def write(self, store: Store, value: ArmyList) -> None:
        if self.number is None:
            self.number = store.add_army(GAME, value.name, as_body(value)).id
        else:
            store.save_army(self.number, value.name, as_body(value))


class FiguresSession(Editing[dict[str, int]]):
    """How many of each piece the player owns, by the id of the piece."""

    def write(self, store: Store, value: dict[str, int]) -> None:
        before = self._saved or {}
        changed: dict[str, int] = {}
        for piece in {**before, **value}:
            count = value.get(piece, 0)
            if count != before.get(piece, 0):
                changed[piece] = count
        store.own(GAME, changed)


# ------------------------------------------------------------------ the terms of an army

SteppedTerm = Literal["nation", "quality"]
"""The terms that a key steps through."""
TypedTerm = Literal["name", "points", "note", "group"]
"""The terms that are typed; ``group`` is the name of a group."""


class TermEntry(NamedTuple):
    """The text entry of a term: ``longest`` is the most characters it takes, ``hint`` says what is
    valid (else the reader of army files says what is wrong)."""

    title: str
    question: str
    longest: int
    hint: str = ""


ENTRIES: dict[TypedTerm, TermEntry] = {
    "name": TermEntry("Name", "What is this army called?", LONGEST_NAME, "Give the army a name."),
    "points": TermEntry(
        "Points",
        "How many points may it spend? Those for troop quality come on top.",
        len(str(MOST_POINTS)),
        f"Choose from 1 to {MOST_POINTS} points.",
    ),
    "note": TermEntry("Note", "What should its roster say about this army?", LONGEST_NOTE),
    "group": TermEntry(
        "Rename group", "What is this group called?", LONGEST_GROUP, "Give the group a name."
    ),
}


def term_entry(army: Army, term: TypedTerm, group_number: int = 0, title: str = "") -> TextEntry:
    """A text entry for a term of the army, or for the name of a group."""
    entry_words = ENTRIES[term]
    current = plain(_current(army, term, group_number))
    check = partial(with_typed_value, army, term, group_number=group_number)
    return TextEntry(
        title or entry_words.title,
        entry_words.question,
        current,
        check,
        longest=entry_words.longest,
    )


def _current(army: Army, term: TypedTerm, group_number: int) -> str:
    """The value of a term now, or the name of a group."""
    if term == "group":
        return army.army_list.groups[group_number].name
    return str(getattr(army.army_list, term))


def with_typed_value(army: Army, term: TypedTerm, text: str, group_number: int = 0) -> ArmyList:
    """The list with the typed value of a term, or of the name of a group; raises ValueError for an
    invalid one."""
    if text == plain(_current(army, term, group_number)):
        return army.army_list  # unchanged, whatever characters it has
    # Through the reader of army files, so that what is typed is judged as what is imported.
    army_file = as_table(army.army_list)
    value = text.strip()
    if term == "group":
        army_file["group"][group_number]["name"] = value
    elif term == "points" and value.isdecimal():
        army_file["points"] = int(value)
    else:
        army_file[term] = value
    try:
        return read_army(army_file, army.catalog, library.rulings(), "").army_list
    except DataError as error:
        raise ValueError(ENTRIES[term].hint or str(error)) from None


def with_next_value(army: Army, term: SteppedTerm) -> ArmyList:
    """The list with the next nation or quality; after the last one, with none."""
    values: list[str | None] = [None]
    if term == "nation":
        values += army.catalog.nations
    else:
        values += army.catalog.qualities
    place = values.index(getattr(army.army_list, term))
    following = values[(place + 1) % len(values)]
    return replace(army.army_list, **{term: following})


# ------------------------------------------------------------------ the screen


def counting_keys(topic: str) -> list[BindingType]:
    """The keys that change a count: plus and minus, digits, Backspace."""
    bindings = keys(
        topic,
        # The same keys without and with Shift, on many keyboards.
        ("more", "plus,equals_sign", "add(1)", "Count", "Add one"),
        ("less", "minus,underscore", "add(-1)", "", "Remove one"),
        ("erase", "backspace", "erase", "", "Delete the last digit"),
    )
    for digit in range(10):
        display = None
        if digit == 0:  # help explains all ten in one line, that of the first
            display = "0-9"
        binding = Binding(
            str(digit),
            f"digit({digit})",
            "Count",
            show=False,
            id=f"{topic}.digit-{digit}",
            key_display=display,
            tooltip="Set the count of the chosen line",
        )
        bindings.append(binding)
    return bindings


class CountedList(LineList):
    """Lines with counts that Left and Right change by calling ``add``."""

    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "pieces",
        ("more", "right", "screen.add(1)", "", "Add one to the chosen line"),
        ("less", "left", "screen.add(-1)", "", "Remove one from the chosen line"),
    )


class CountingScreen(LineScreen, Generic[T]):
    """Lines with counts. A typed number is one change, however many digits it has."""

    LIST_WIDGET = CountedList
    HAS_DETAILS = False

    def __init__(self, session: Editing[T]) -> None:
        super().__init__()
        self.session = session
        self.troubled = False
        """Whether the last write failed, and the player was told so."""
        self.typed_piece = ""
        """The id of the piece whose count is being typed; empty: none is."""
        self._digits = ""
        """What was typed of that count so far."""

    @abstractmethod
    def count(self, piece: str) -> int:
        """The current count of a piece, by its id."""

    @abstractmethod
    def put(self, piece: str, count: int) -> None:
        """Change the count of a piece."""

    def say(self, text: str, *, bad: bool = False) -> None:
        """Show the player a message, on screens that have a line for it."""

    def changed(self, message: str) -> None:
        """Store a change and show it; ``message`` is its effect, for screens that have a line for
        it."""
        self.save()
        self.paint()

    def change(self, value: T, message: str = "") -> None:
        """Take a new value, which can be undone; nothing is stored if it is the same."""
        if value != self.session.value:
            self.session.change(value)
            self.changed(message)
        else:
            self.paint()

    def end_number(self) -> None:
        """The next digit begins a number of its own."""
        self.typed_piece = self._digits = ""
        self.session.end_compound()

    def action_add(self, by: int) -> None:
        piece = self._piece_or_message()
        if piece:
            self.end_number()
            self.put(piece, min(max(self.count(piece) + by, 0), MOST_PIECES))

    def action_digit(self, digit: int) -> None:
        """Append a digit to the count. A binding, since keys handled in `on_key` would overtake the
        arrows."""
        piece = self._piece_or_message()
        if not piece:
            return
        text = str(digit)
        if self.typed_piece == piece:
            text = self._digits + text
        if int(text) > MOST_PIECES:
            self.say(f"An army has at most {MOST_PIECES} of one kind.", bad=True)
        else:
            self._put_typed(piece, text)

    def action_erase(self) -> None:
        piece = self._piece_or_message()
        if not piece:
            return
        text = str(self.count(piece))
        if self.typed_piece == piece:
            text = self._digits
        self._put_typed(piece, text[:-1])

    def action_undo(self) -> None:
        self.end_number()
        self.session.undo()
        self.changed(f"Undone. {self.skirmish.key('army.redo', 'ctrl+y')} redoes it.")

    def action_redo(self) -> None:
        self.end_number()
        self.session.redo()
        self.changed("Redone.")

    def on_option_list_option_selected(self) -> None:
        self.end_number()
        self.paint()

    def on_option_list_option_highlighted(self) -> None:
        """Moving to another line completes the count being typed."""
        if self.typed_piece not in ("", self.chosen):
            self.end_number()
            self.paint()
        super().on_option_list_option_highlighted()

    def _piece_or_message(self) -> str:
        """The piece of the chosen line; without one, ask for it and return an empty text."""
        if not self.chosen:
            self.say("Choose a row first: its letter, or the arrows.", bad=True)
        return self.chosen

    def _put_typed(self, piece: str, text: str) -> None:
        """Change the count of a piece to the digits typed so far; to 0 where all are deleted."""
        if self.typed_piece != piece:  # a number begins: its digits are undone together
            self.session.begin_compound()
        self.typed_piece, self._digits = piece, text
        self.put(piece, int(text or "0"))

    # ------------------------------------------------------------------ saving

    @work(group="keep")
    async def save(self) -> None:
        """Store everything; report a failure once and retry with the next change."""
        try:
            await self.session.save()
        except StoreError as error:
            if not self.troubled:
                self.troubled = True
                await self.skirmish.show_message("Not saved", f"{error} {NOTHING_LOST}")
        else:
            self.troubled = False
        if self.is_attached:
            self.query_one("#heading", Static).update(self.heading)


# ------------------------------------------------------------------ the player's own figures

NAME_COLUMNS = 24
"""Columns of the name of a piece."""
FEW_KINDS = 6
"""The most kinds of missing figures that are listed by name."""
NONE_YET = "No figures entered yet. Choose a line and type how many you own."
BAD = TONES["bad"]


class FiguresScreen(CountingScreen[dict[str, int]]):
    """The player's figures; with an army, what it needs and what is missing."""

    TOPIC: ClassVar[str] = "figures"
    EXTRA = "The list of your figures is"  # begins the message if this screen fails
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
            ("short", "s", "only_short", "Missing", "Show only what is missing, or everything"),
            ("undo", "ctrl+z", "undo", "Undo", "Undo the last change"),
            ("back", "escape", "dismiss", "Back", "Back; everything is saved"),
        ),
    ]
    WHY_NOT: ClassVar[Mapping[str, str]] = {
        "undo": "nothing has been changed",
        "only_short": "open it from an army",
    }

    def __init__(self, host: Host, army: Army | None = None) -> None:
        super().__init__(FiguresSession(host.stored, {}))  # until those stored are read
        self._needs: dict[str, int] = {}
        self._army_name = ""
        if army is not None:
            self._needs = figures(army)
            self._army_name = army.army_list.name
        self._catalog = library.catalog()
        self._only_short = False
        """Whether only the pieces are shown that are missing."""
        self._scenarios: Mapping[int, Scenario] = {}
        """By their numbers; empty until they are read, which only a large screen does."""

    async def on_mount(self) -> None:
        await super().on_mount()
        self._read_owned()

    @work(group="look")
    async def _read_owned(self) -> None:
        async with self.skirmish.reporting(UNUSABLE):
            owned = await self.skirmish.stored(lambda store: store.owned(GAME))
            self.session = FiguresSession(self.skirmish.stored, owned)
            self.paint()
        self._read_scenarios()

    @work(group="scenarios", exclusive=True)
    async def _read_scenarios(self) -> None:
        if self.with_details and not self._scenarios:
            self._scenarios = await asyncio.to_thread(library.scenarios)
            if self.is_attached:  # the screen may have been left meanwhile
                self.paint()

    def on_resize(self) -> None:
        super().on_resize()
        self._read_scenarios()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        is_possible = {"undo": bool(self.session.past), "only_short": bool(self._needs)}
        if is_possible.get(action, True):
            return True
        return None  # shown in grey; False would hide the key

    # What the keys do

    def count(self, piece: str) -> int:
        return self.session.value.get(piece, 0)

    def put(self, piece: str, count: int) -> None:
        self.change({**self.session.value, piece: count})

    def action_undo(self) -> None:
        before = self.session.value
        super().action_undo()
        # Select the line whose count is undone.
        counted = self.query_one(CountedList)
        for option in counted.options:
            piece = option.id
            if piece and self.count(piece) != before.get(piece, 0):
                counted.highlighted = counted.get_option_index(piece)

    def action_only_short(self) -> None:
        self._only_short = not self._only_short
        self.paint()

    # What is shown

    @property
    def heading(self) -> Content:
        if not self._army_name:
            return Content("MY FIGURES")
        name = shortened(plain(self._army_name), self.app.size.width - 20)
        return Content.assemble("MY FIGURES", (f" for {name}", "not bold"))

    def groups(self) -> Iterator[Group]:
        """The pieces by kind, in the order of the catalog."""
        needs = ""
        if self._army_name:
            needs = "NEEDS"
        pieces = list(self._catalog.pieces.values())
        if self._only_short:
            lacking = missing(self._needs, self.session.value)
            pieces = [piece for piece in pieces if piece.id in lacking]
        for kind, of_kind in groupby(pieces, key=attrgetter("kind")):
            lines = {piece.id: self._line(piece) for piece in of_kind}
            heading = f"{SECTIONS[kind]:<{NAME_COLUMNS}}{'OWN':>6}{needs:>8}"
            yield Content.styled(heading, DIM), lines
        # No army needs terrain; battles are dealt with it, and the workshop counts it.
        if not self._only_short:
            terrain = {kind: self._terrain_line(kind) for kind in TERRAIN}
            yield Content.styled(f"{'TERRAIN':<{NAME_COLUMNS}}{'OWN':>6}", DIM), terrain

    def _terrain_line(self, kind: str) -> Content:
        """Terrain with its count, in bold if the player has any."""
        line = Content(self._name_and_count(kind, capital(TERRAIN[kind].plural)))
        if self.count(kind) or self.typed_piece == kind:
            return line.stylize("bold")
        return line

    def _name_and_count(self, piece: str, name: str) -> str:
        """``Rifle Guy    12``; a count that is being typed ends with a cursor."""
        own = self.count(piece)
        count = str(own or "·")
        if self.typed_piece == piece:
            count = f"{own}_"
        return f"{padded(name, NAME_COLUMNS)}{count:>6}"

    def _line(self, piece: UnitType | Work) -> Content:
        """A piece with its count; beside an army with what that needs, and what is missing."""
        own = self.count(piece.id)
        needs = self._needs.get(piece.id, 0)
        text = self._name_and_count(piece.id, piece.name)
        if not self._army_name:
            if own or self.typed_piece == piece.id:
                return Content.styled(text, "bold")
            return Content(text)
        text += f"{needs or '·':>8}   "
        if needs > own:
            return Content.assemble((text, "bold"), (f"{needs - own} missing", BAD))
        if needs:
            return Content.assemble((text, "bold"), "enough")
        return Content.styled(text, DIM)

    def details(self, id: str) -> Content:
        """What stands beside the figures: which scenarios can be laid out with them, and what the
        others lack."""
        parts = [self.meaning(id)]
        if self._scenarios:
            parts.append(painted(self._scenarios_page(id), self.details_width))
        return Content("\n\n").join(parts)

    def _scenarios_page(self, piece: str) -> Page:
        """Each scenario with how many of the chosen ``piece`` it needs, and how many figures of all
        kinds are missing."""
        chosen = self._catalog.pieces.get(piece)
        rows = []
        for number, scenario in self._scenarios.items():
            needs = scenario.figures()
            lacking = sum(missing(needs, self.session.value).values())
            row = [str(number), scenario.title]
            if chosen is not None:
                row.append(str(needs.get(piece, 0) or "·"))
            rows.append((*row, str(lacking or "none")))
        titles = ["", "Scenario", "Figures missing"]
        if chosen is not None:
            titles.insert(2, chosen.name_for(0))  # its plural: "Rifle Guys"
        # All columns but that of the scenario's title are flush right.
        block = table(titles, rows, numbers=(0, *range(2, len(titles))))
        return Page("", (Heading("What the scenarios need"), block))

    def meaning(self, id: str) -> Content:
        """How many pieces there are in all, and what the army lacks, whatever line is chosen."""
        owned = self.session.value
        total = sum(owned.get(piece, 0) for piece in self._catalog.pieces)
        if not total and not terrain_of(owned):
            return Content(NONE_YET)
        own = f"You own {total} pieces. "
        lacking = missing(self._needs, self.session.value)
        if not lacking and not self._army_name:
            return Content(own)
        if not lacking:
            return Content.assemble(own, ("You own everything this army needs.", "bold"))
        if len(lacking) <= FEW_KINDS:
            names = counts_in_words(lacking, self._catalog)
        else:
            names = f"{sum(lacking.values())} pieces of {len(lacking)} kinds"
        return Content.assemble(own, (f"Missing: {names}.", BAD))


# ------------------------------------------------------------------ what each unit is worth


class WorthScreen(PageScreen):
    """What each unit kills for each point of its price, under the terms of an army."""

    TOPIC: ClassVar[str] = "worth"
    EXTRA = "These figures are"  # begins the message if this screen fails
    HELP = (
        "Points killed on average for each point of the unit's price, at each distance. 0 is "
        "in contact. The army's own units are marked. The nation's prices and the army's rulings "
        "count. The arrows scroll."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "worth", ("own", "a", "own", "Only ours", "Show only this army's units, or all")
    )
    paragraph = "worth"

    def __init__(self, army: Army) -> None:
        super().__init__(self._worth_page)
        self._army = army
        self._only_own = False

    @cached_property
    def _worth(self) -> WorthTable:
        return worth(self._army.catalog, self._army.rulings, self._army.nation)

    @property
    def in_force(self) -> InForce:
        """The rulings of the army, by which the reference answers here."""
        return InForce(answers=self._army.rulings, whose="as in this army")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "own":
            own = self._army.fielded()
            fires = any(line.unit.id in own for line in self._worth.lines)
            if not fires:
                return None  # shown in grey; False would hide the key
        return True

    def action_own(self) -> None:
        self._only_own = not self._only_own
        self.show_anew()

    def _worth_page(self) -> Page:
        """What the points buy, of all units or of those in the army."""
        own = self._army.fielded()
        worths = self._worth
        if self._only_own:
            lines = [line for line in worths.lines if line.unit.id in own]
            worths = replace(worths, lines=lines)
        return worth_page(worths, own)
