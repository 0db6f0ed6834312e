"""The list of saved armies: open, create, copy, rename, remove, compare, print."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from msgspec.structs import replace
from textual import work
from textual.binding import BindingType
from textual.content import Content

from skirmish import library
from skirmish.app.armies.builder import ArmyBuilderScreen
from skirmish.app.armies.compare import ArmyCompareScreen
from skirmish.app.armies.editing import ArmySession
from skirmish.app.armies.new_army import NewArmyScreen
from skirmish.app.armies.own_figures import FiguresScreen
from skirmish.app.armies.status import BAD, MARKS
from skirmish.app.armies.terms import term_entry
from skirmish.app.binding import keys
from skirmish.app.host import UNUSABLE
from skirmish.app.line_list import LineGroup, LineScreen
from skirmish.app.page_view import painted
from skirmish.app.text_rows import padded, shortened
from skirmish.app.text_styles import DIM, KEY, STRONG
from skirmish.games.plastic.army_file import GAME, as_body, renamed
from skirmish.games.plastic.army_page import army_page
from skirmish.games.plastic.rules.advice import verdict
from skirmish.games.plastic.rules.army import Army
from skirmish.store import times
from skirmish.store.records import ArmyRecord
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.store.database import Store

NO_ARMIES = "No armies yet. Press Enter or {key} to build one."
ABOUT_A_NEW_ARMY = "A new army begins from a template or from nothing, and is saved automatically."
MARKED = "Marked. Choose another army and press {key} to compare the two."
VERDICT_WIDTH = 16
"""Columns of the verdict on the limits."""
DATE_WIDTH = len("2026-05-01")
"""Columns of the date of the last change."""
WIDTH_WITH_DATE = 100
"""Columns from which a line also shows the date of the last change."""
LEAST_NAME = 8
"""The fewest columns of a name in the list."""
NO_ARMY_LINE = "none"
"""The id of the line that stands in an empty list."""
LIST_EDGES = 6
"""Columns of the edges of the list, and of its scroll bar."""
NAME_IN_SENTENCE = 40
"""The most columns of a name in a sentence."""


class ArmyCells(NamedTuple):
    """The cells of a line: nation, quality, points spent of those allowed, verdict on the
    limits."""

    nation: str
    quality: str
    spent: str
    verdict: str


TITLES = ArmyCells("NATION", "QUALITY", "SPENT", "LIMITS")


class SavedArmy(NamedTuple):
    """A line of the list."""

    record: ArmyRecord
    army: Army | None
    """None if it cannot be read."""
    cells: ArmyCells
    verdict_style: str
    """The style of the verdict on the limits."""
    about: str
    """Its size and note; the reason if it cannot be read."""


class ReadableArmy(NamedTuple):
    """A saved army that could be read."""

    record: ArmyRecord
    army: Army


class ArmyChange(NamedTuple):
    """A change to a saved army, which can be undone. ``restore`` puts an army back on the list from
    which ``remove`` has taken it."""

    verb: Literal["copy", "rename", "remove", "restore"]
    record: ArmyRecord
    """The army as the list shows it."""
    new_name: str = ""
    """What ``rename`` calls it."""


class DoneChange(NamedTuple):
    """A change that was made."""

    message: str
    """What it did, in a sentence."""
    to_select: int | None
    """The number in the store of the army to select; None: the selection stays where it is."""
    undoing: ArmyChange
    """The change that undoes this one; not used of a change that was itself an undo."""


class ArmiesScreen(LineScreen):
    """All armies, the most recently changed first."""

    heading = "ARMIES"
    TOPIC: ClassVar[str] = "armies"
    HELP = (
        "Choose an army with the arrows; Enter opens it. Copies, new names and removals can be "
        "undone one after the other.\n\n"
        "To compare two armies, mark one, choose the other and press Compare."
    )
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "armies",
        ("new", "n", "new", "New", "Build a new army, from a template or from nothing"),
        ("copy", "c", "copy", "Copy", "Copy the chosen army under another name"),
        ("rename", "r", "rename", "Name", "Rename the chosen army"),
        ("remove", "delete", "remove", "Remove", "Remove the chosen army from the list"),
        ("undo", "u,ctrl+z", "undo", "", "Undo the last copy, new name or removal"),
        ("mark", "space", "mark", "", "Mark the chosen army to compare it with another"),
        ("compare", "v", "compare", "Compare", "Compare two armies: mark one, choose the other"),
        ("figures", "o", "figures", "Own", "Your own figures, and what this army needs"),
        ("print", "p", "print", "Print", "Print the roster of the chosen army"),
        ("back", "escape", "app.pop_screen", "Home", "Back to the home screen"),
    )
    WHY_NOT: ClassVar[Mapping[str, str]] = {
        "copy": "there is no army yet",
        "rename": "there is no army yet",
        "remove": "there is no army yet",
        "print": "there is no army yet",
        "mark": "there is no army yet",
        "compare": "it takes two armies",
        "undo": "nothing has been changed here",
    }

    def __init__(self) -> None:
        super().__init__()
        self.armies_read = False
        """Whether the armies have been read: until then an empty list means nothing."""
        self._saved: dict[str, SavedArmy] = {}
        """The listed armies by the ids of their lines, which are their numbers in the store."""
        self._marked_id = ""
        """The id of the line that is marked to be compared; empty: none is."""
        self._opened: ArmySession | None = None
        """The army in the builder, until the list is back."""
        self._undoing: list[ArmyChange] = []
        """The changes that undo those made here; the last one undoes the last change."""

    async def on_mount(self) -> None:
        await super().on_mount()
        self._read_in_background()

    def on_screen_resume(self) -> None:
        # Back from the builder: the army that was opened may have changed, or be new. Where several
        # screens close one after the other, this one is resumed without being in front.
        if self._opened is not None and self.app.screen is self:
            number = self._opened.number
            self._opened = None
            self._read_in_background(number)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        is_possible = True
        if action in ("copy", "rename", "remove", "print", "mark"):
            is_possible = bool(self._saved)
        elif action == "compare":
            is_possible = len(self._saved) > 1
        elif action == "undo":
            is_possible = bool(self._undoing)
        if is_possible:
            return True
        return None  # Textual shows the key in grey; False would hide it

    # ------------------------------------------------------------------ keys

    def on_option_list_option_selected(self) -> None:
        if not self._saved:
            self.action_new()
            return
        opened = self._chosen_if_readable("opened")
        if opened is not None:
            self._open_builder(opened.army, opened.record.id)

    def action_new(self) -> None:
        names = [saved.record.name for saved in self._saved.values()]
        preferred_rulings = self.skirmish.settings.rulings
        self.app.push_screen(NewArmyScreen(names, preferred_rulings, self._open_builder))

    def action_copy(self) -> None:
        original = self._chosen_if_readable("copied")
        if original is not None:
            self._change(ArmyChange("copy", original.record), "Not copied")

    @work(exclusive=True)
    async def action_rename(self) -> None:
        chosen = self._chosen_if_readable("renamed")
        if chosen is None:
            return
        name = await self.app.push_screen_wait(term_entry(chosen.army, "name", title="Rename army"))
        if name is not None and name.strip() != plain(chosen.record.name):
            self._change(ArmyChange("rename", chosen.record, name.strip()), "Not renamed")

    def action_remove(self) -> None:
        chosen = self._chosen_army
        if chosen is not None:
            self._change(ArmyChange("remove", chosen.record), "Not removed")

    def action_undo(self) -> None:
        """Undo the last copy, new name or removal; an undo that failed can be repeated."""
        if self._undoing:
            # Taken off at once: a second press means the change before, however slow the disk is.
            self._change(self._undoing.pop(), "Not undone", undoes=True)

    def action_mark(self) -> None:
        if self._marked_id == self.chosen:
            self._marked_id = ""
        else:
            self._marked_id = self.chosen
        self.paint()

    def action_compare(self) -> None:
        """Compare the marked army with the selected one; without a mark, mark the selected one."""
        chosen, marked = self._chosen_army, self._saved.get(self._marked_id)
        if marked is None or marked is chosen:
            self._marked_id = self.chosen
            self.paint()
            return
        # The army that was marked first stands on the left.
        left = self._if_readable(marked, "compared")
        right = self._chosen_if_readable("compared")
        if left is not None and right is not None:
            self.app.push_screen(ArmyCompareScreen(left.army, right.army))

    def action_figures(self) -> None:
        army = None
        if self._chosen_army is not None:
            army = self._chosen_army.army
        self.app.push_screen(FiguresScreen(self.skirmish, army))

    def action_print(self) -> None:
        printed = self._chosen_if_readable("printed")
        if printed is not None:
            from skirmish.app.printing import print_document

            self.run_worker(print_document(self.skirmish, "roster", printed.army))

    def _open_builder(self, army: Army, record_id: int | None = None) -> None:
        """Build on a saved army, or on a new one, which has no id in the store yet."""
        self._opened = ArmySession(self.skirmish.stored, army, record_id)
        self.app.push_screen(ArmyBuilderScreen(self._opened))

    # ------------------------------------------------------------------ changes

    @work(group="changes")
    async def _change(
        self, change: ArmyChange, title_if_it_fails: str, *, undoes: bool = False
    ) -> None:
        """Store a change to an army, say so, and list the armies anew."""
        done = None
        async with self.skirmish.reporting(title_if_it_fails):
            job = partial(carry_out, change=change, undoes=undoes)
            done = await self.skirmish.stored(job)
        if done is None:  # it has failed, and the player has read why
            if undoes:
                self._undoing.append(change)
            return
        message = done.message
        if not undoes:
            self._undoing.append(done.undoing)
            message += f" {self.skirmish.key('armies.undo', 'u')} undoes this."
        self.app.clear_notifications()  # only the last message, since they cover the list
        self.notify(message, timeout=6, markup=False)
        await self._read_armies(done.to_select)

    # ------------------------------------------------------------------ the list

    # The next key waits for a worker of this group (``OPENS`` in ``turns.py``): it may choose a
    # line.
    @work(group="look", exclusive=True)
    async def _read_in_background(self, to_select: int | None = None) -> None:
        await self._read_armies(to_select)

    async def _read_armies(self, to_select: int | None = None) -> None:
        """List the stored armies anew. ``to_select`` is the number in the store of the army to
        select; None: the selection stays where it is."""
        async with self.skirmish.reporting(UNUSABLE):
            records = await self.skirmish.stored(lambda store: store.armies())
            ids_before = list(self._saved)
            # In a thread: to read an army is also to find what breaks its limits.
            self._saved = await asyncio.to_thread(_saved_armies, records)
            self.armies_read = True
            id_to_select = self.chosen
            if to_select is not None:
                id_to_select = str(to_select)
            self.paint(self._id_or_its_neighbour(id_to_select, ids_before))

    def _id_or_its_neighbour(self, id: str, ids_before: list[str]) -> str:
        """The id itself if it is still in the list; else that of the line which stands now where
        the cursor was."""
        ids = list(self._saved)
        if id in ids or not ids:
            return id
        line_before = 0
        if self.chosen in ids_before:
            line_before = ids_before.index(self.chosen)
        return ids[min(line_before, len(ids) - 1)]

    def groups(self) -> Iterator[LineGroup]:
        width = self.columns - LIST_EDGES
        rows = {}
        for id, saved in self._saved.items():
            record = saved.record
            rows[id] = army_line(
                width,
                record.name,
                saved.cells,
                changed=times.date(record.updated),
                verdict_style=saved.verdict_style,
                is_marked=id == self._marked_id,
            )
        titles = army_line(width, "NAME", TITLES, changed="CHANGED").plain
        yield LineGroup(Content.styled(titles, DIM), rows)
        if self.armies_read and not rows:
            key = self.skirmish.key("armies.new", "n")
            yield LineGroup(None, {NO_ARMY_LINE: Content(NO_ARMIES.format(key=key))})

    def meaning(self, id: str) -> str:
        if id not in self._saved:
            return ABOUT_A_NEW_ARMY
        if id == self._marked_id:
            return MARKED.format(key=self.skirmish.key("armies.compare", "v"))
        # The reason why an army cannot be read may have several lines, of which one has room.
        first_line, _, _ = self._saved[id].about.partition("\n")
        return first_line

    def details(self, id: str) -> Content:
        """What an army has and whether it is legal; what can be done with it if it is marked."""
        saved = self._saved.get(id)
        if saved is None or saved.army is None:
            return Content(self.meaning(id))
        page = army_page(saved.army, library.rulings())
        parts = [Content.styled(page.title, STRONG), painted(page, self.details_width)]
        if id == self._marked_id:
            parts.append(Content(self.meaning(id)))
        return Content("\n\n").join(parts)

    @property
    def _chosen_army(self) -> SavedArmy | None:
        """The army of the selected line; None in an empty list."""
        return self._saved.get(self.chosen)

    def _chosen_if_readable(self, participle: str) -> ReadableArmy | None:
        """The army of the selected line, if it can be read; else say that it cannot be ``opened``
        or ``copied`` (the ``participle``), and why."""
        if self._chosen_army is None:
            return None
        return self._if_readable(self._chosen_army, participle)

    def _if_readable(self, saved: SavedArmy, participle: str) -> ReadableArmy | None:
        """As ``_chosen_if_readable``, for any line of the list."""
        if saved.army is None:
            title = f"This army cannot be {participle}"
            self.run_worker(self.skirmish.show_message(title, saved.about))
            return None
        return ReadableArmy(saved.record, saved.army)


# ---------------------------------------------------------------------- changes in the store


def carry_out(store: Store, change: ArmyChange, *, undoes: bool) -> DoneChange:
    """Make a change; where it ``undoes`` another, the message says so. Raises StoreError or
    DataError without having changed anything."""
    match change.verb:
        case "copy":
            return _copy(store, change.record)
        case "rename":
            return _rename(store, change.record, change.new_name, undoes=undoes)
        case "remove":
            return _remove(store, change.record, undoes=undoes)
        case "restore":
            return _restore(store, change.record)


def _read_again(store: Store, record: ArmyRecord) -> ReadableArmy:
    """An army of the list as it is stored now: another window may have changed it."""
    present = store.army(record.id)
    return ReadableArmy(present, library.stored_army(present.body, short_name(record.name)))


def _copy(store: Store, original: ArmyRecord) -> DoneChange:
    """Store a copy under a name that no other army has."""
    army_list = _read_again(store, original).army.army_list
    copy = renamed(army_list, [army.name for army in store.armies()])
    record = store.add_army(GAME, copy.name, as_body(copy))
    message = f"Copied as {short_name(record.name)}."
    return DoneChange(message, to_select=record.id, undoing=ArmyChange("remove", record))


def _rename(store: Store, listed: ArmyRecord, name: str, *, undoes: bool) -> DoneChange:
    """Store an army under another name. It is read again first, so that no change that was made
    meanwhile is lost."""
    record, army = _read_again(store, listed)
    store.save_army(record.id, name, as_body(replace(army.army_list, name=name)))
    message = f"{short_name(listed.name)} is now called {short_name(name)}."
    if undoes:
        message = f"It is called {short_name(name)} again."
    renamed_record = replace(record, name=name)
    undoing = ArmyChange("rename", renamed_record, new_name=record.name)
    return DoneChange(message, to_select=record.id, undoing=undoing)


def _remove(store: Store, record: ArmyRecord, *, undoes: bool) -> DoneChange:
    """Take an army off the list. It stays in the store, so that it can be put back."""
    store.remove("army", record.id)
    message = f"{short_name(record.name)} is removed from the list."
    if undoes:  # only a copy is undone by removing it
        message = f"The copy {short_name(record.name)} is removed."
    return DoneChange(message, to_select=None, undoing=ArmyChange("restore", record))


def _restore(store: Store, record: ArmyRecord) -> DoneChange:
    """Put an army that was removed back on the list."""
    store.bring_back("army", record.id)
    message = f"{short_name(record.name)} is back on the list."
    return DoneChange(message, to_select=record.id, undoing=ArmyChange("remove", record))


# ---------------------------------------------------------------------- the lines


def _saved_armies(records: Iterable[ArmyRecord]) -> dict[str, SavedArmy]:
    """The armies of WWII Plastic Skirmish among all those stored, by the ids of their lines."""
    armies = {}
    for record in records:
        if record.game == GAME:
            armies[str(record.id)] = saved_army(record)
    return armies


def saved_army(record: ArmyRecord) -> SavedArmy:
    """The line of a stored army; one that cannot be read says so, and why."""
    try:
        army = library.stored_army(record.body, short_name(record.name))
    except DataError as error:
        unreadable = ArmyCells(nation="", quality="", spent="", verdict="cannot be read")
        return SavedArmy(record, army=None, cells=unreadable, verdict_style=BAD, about=str(error))
    nation = quality = "–"
    if army.nation:
        nation = army.nation.name
    if army.quality:
        quality = army.quality.name
    state, limits = verdict(army)
    cells = ArmyCells(nation, quality, f"{army.spent}/{army.budget}", limits)
    about = f"{_size(army)} {plain(army.army_list.note)}"
    return SavedArmy(record, army, cells, MARKS[state].style, about)


def _size(army: Army) -> str:
    """``24 guys, 2 models. Strength 34, break point 17.``"""
    guys = models = 0
    for unit, count in army.fielded().items():
        if army.catalog.units[unit].is_guy:
            guys += count
        else:
            models += count
    noun = "models"
    if models == 1:
        noun = "model"
    break_point = ""
    if army.strength:
        break_point = f", break point {army.break_at}"
    return f"{guys} guys, {models} {noun}. Strength {army.strength}{break_point}."


def army_line(
    width: int,
    name: str,
    cells: ArmyCells,
    *,
    changed: str,
    verdict_style: str = "",
    is_marked: bool = False,
) -> Content:
    """An army in ``width`` columns: its name, behind an arrow if the army is marked to be compared,
    its cells and, if there is room, when it was ``changed``."""
    # These columns are as wide as the longest nation, quality and pair of points.
    terms = f"  {cells.nation:<9}{cells.quality:<8}{cells.spent:>11}  "
    date_cell = ""
    if width >= WIDTH_WITH_DATE:
        date_cell = f"  {changed:<{DATE_WIDTH}}"
    mark = "  "
    if is_marked:
        mark = "► "
    left_for_name = width - len(mark) - len(terms) - VERDICT_WIDTH - len(date_cell)
    name_width = max(left_for_name, LEAST_NAME)
    return Content.assemble(
        (mark, KEY),
        (padded(plain(name), name_width), STRONG),
        terms,
        (f"{cells.verdict:<{VERDICT_WIDTH}}", verdict_style),
        (date_cell, DIM),
    )


def short_name(name: str) -> str:
    """A name that a player typed, short enough for a sentence."""
    return shortened(plain(name), NAME_IN_SENTENCE)
