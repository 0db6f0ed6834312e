"""The list of saved armies: open, create, copy, rename, delete, compare, print."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from msgspec.structs import replace
from textual import work
from textual.binding import BindingType
from textual.content import Content

from skirmish import library
from skirmish.app.armies import owned_figures
from skirmish.app.armies.builder import BAD, MARKS, ArmyBuilderScreen
from skirmish.app.armies.editing import ArmySession, FiguresScreen, term_entry, with_typed_value
from skirmish.app.binding import keys
from skirmish.app.host import UNUSABLE
from skirmish.app.line_list import Group, LineList, LineScreen
from skirmish.app.page_screen import PageScreen
from skirmish.app.page_view import DIM, KEY, STRONG, painted
from skirmish.app.text_rows import padded, shortened
from skirmish.games.plastic.army_file import GAME, as_body, renamed
from skirmish.games.plastic.army_page import army_page, compared
from skirmish.games.plastic.rules.advice import verdict
from skirmish.games.plastic.rules.army import Army, ArmyList, muster
from skirmish.store.records import ArmyRecord
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.store.database import Store

NO_ARMIES = "No armies yet. Press Enter or {key} to build one."
ABOUT_A_NEW_ARMY = "A new army begins from a template or from nothing, and is saved automatically."
MARKED = "Marked. Choose another army and press {key} to compare the two."
VERDICT_WIDTH = 16
"""Columns of the verdict on the limits."""
WIDTH_WITH_DATE = 100
"""Columns from which a line also shows the date of the last change."""
NAME_IN_SENTENCE = 40
"""The most columns of a name in a sentence."""
LIST_EDGES = 6
"""Columns of the edges of the list, and of its scroll bar."""


class ArmyCells(NamedTuple):
    """The cells of a line: nation, quality, points spent of those allowed, verdict on the
    limits."""

    nation: str
    quality: str
    spent: str
    verdict: str


HEADS = ArmyCells("NATION", "QUALITY", "SPENT", "LIMITS")


class SavedArmy(NamedTuple):
    """A line of the list with details in ``about``, which is the reason if the army cannot be
    read. ``style`` is that of the verdict."""

    record: ArmyRecord
    army: Army | None
    cells: ArmyCells
    style: str
    about: str


class ReadableArmy(NamedTuple):
    """A saved army that could be read."""

    record: ArmyRecord
    army: Army


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
        """By the ids of their lines, which are their numbers in the store."""
        self._marked = ""
        """The id of the line that is marked to be compared; empty: none is."""
        self._opened: ArmySession | None = None
        """The army in the builder, until the list is back."""
        self._undo: list[Deed] = []
        """What undoes the deeds, the last of them the last deed."""

    async def on_mount(self) -> None:
        await super().on_mount()
        self._read_in_background()

    def on_screen_resume(self) -> None:
        # Back from the builder: the army that was opened may have changed, or be new.
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
            is_possible = bool(self._undo)
        if is_possible:
            return True
        return None  # Textual shows the key in grey; False would hide it

    # ------------------------------------------------------------------ keys

    def on_option_list_option_selected(self) -> None:
        if not self._saved:
            self.action_new()
            return
        opened = self._readable("opened")
        if opened is not None:
            self._open_builder(opened.army, opened.record.id)

    def action_new(self) -> None:
        names = [saved.record.name for saved in self._saved.values()]
        liked = self.skirmish.settings.rulings  # the answers that the player prefers to defaults
        self.app.push_screen(NewArmyScreen(names, liked, self._open_builder))

    def action_copy(self) -> None:
        original = self._readable("copied")
        if original is not None:
            self._do(Deed("copy", original.record), "Not copied")

    @work(exclusive=True)
    async def action_rename(self) -> None:
        chosen = self._readable("renamed")
        if chosen is None:
            return
        name = await self.app.push_screen_wait(term_entry(chosen.army, "name", title="Rename army"))
        if name is not None and name.strip() != plain(chosen.record.name):
            self._do(Deed("name", chosen.record, name.strip()), "Not renamed")

    def action_remove(self) -> None:
        chosen = self._chosen
        if chosen is not None:
            self._do(Deed("remove", chosen.record), "Not removed")

    def action_undo(self) -> None:
        """Undo the last copy, rename or deletion; a failed undo can be repeated."""
        if self._undo:
            # Taken at once: a second press means the deed before it, however slow the disk is.
            self._do(self._undo.pop(), "Not undone", undoing=True)

    def action_mark(self) -> None:
        if self._marked == self.chosen:
            self._marked = ""
        else:
            self._marked = self.chosen
        self.paint()

    def action_compare(self) -> None:
        """Compare the marked army with the selected one; without a mark, mark the selected one."""
        chosen, marked = self._chosen, self._saved.get(self._marked)
        if marked is None or marked is chosen:
            self._marked = self.chosen
            self.paint()
            return
        left = self._readable("compared", marked)
        right = self._readable("compared")
        if left is not None and right is not None:
            self.app.push_screen(ArmyCompareScreen(left.army, right.army))

    def action_figures(self) -> None:
        army = None
        if self._chosen is not None:
            army = self._chosen.army
        self.app.push_screen(FiguresScreen(self.skirmish, army))

    def action_print(self) -> None:
        printed = self._readable("printed")
        if printed is not None:
            from skirmish.app.printing import print_document

            self.run_worker(print_document(self.skirmish, "roster", printed.army))

    def _open_builder(self, army: Army, record_id: int | None = None) -> None:
        """Build on a saved army, or on a new one, which has no id in the store yet."""
        self._opened = ArmySession(self.skirmish.stored, army, record_id)
        self.app.push_screen(ArmyBuilderScreen(self._opened))

    # ------------------------------------------------------------------ what is done

    @work(group="deeds")
    async def _do(self, deed: Deed, title_failed: str, *, undoing: bool = False) -> None:
        """Store a change to an army, say so, and list the armies anew."""
        outcome = None
        async with self.skirmish.reporting(title_failed):
            outcome = await self.skirmish.stored(lambda store: carry_out(store, deed, undoing))
        if outcome is None:
            if undoing:
                self._undo.append(deed)
            return
        message = outcome.message
        if not undoing:
            self._undo.append(outcome.back)
            message += f" {self.skirmish.key('armies.undo', 'u')} undoes this."
        self.app.clear_notifications()  # only the last message, since they cover the list
        self.notify(message, timeout=6, markup=False)
        await self._read_armies(outcome.chosen)

    # ------------------------------------------------------------------ what is shown

    @work(group="look", exclusive=True)
    async def _read_in_background(self, chosen: int | None = None) -> None:
        await self._read_armies(chosen)

    async def _read_armies(self, chosen: int | None = None) -> None:
        """List the stored armies anew, with the cursor on the one of the number ``chosen``."""
        async with self.skirmish.reporting(UNUSABLE):
            records = await self.skirmish.stored(lambda store: store.armies())
            ids_before = list(self._saved)
            line_before = 0
            if self.chosen in ids_before:
                line_before = ids_before.index(self.chosen)
            # In a thread: to read an army is also to find what breaks its limits.
            self._saved = await asyncio.to_thread(_saved_armies, records)
            self.armies_read = True
            # If the chosen army is gone, its place in the list stays chosen.
            ids = list(self._saved)
            id = str(chosen or self.chosen)
            if id not in ids and ids:
                id = ids[min(line_before, len(ids) - 1)]
            self.paint(id)

    def groups(self) -> Iterator[Group]:
        width = self.columns - LIST_EDGES
        rows = {}
        for id, saved in self._saved.items():
            record = saved.record
            changed = record.updated[:10]  # the day
            is_marked = id == self._marked
            rows[id] = army_line(
                width, record.name, saved.cells, changed, saved.style, mark=is_marked
            )
        yield Content.styled(army_line(width, "NAME", HEADS, "CHANGED").plain, DIM), rows
        if self.armies_read and not rows:
            key = self.skirmish.key("armies.new", "n")
            yield None, {"none": Content(NO_ARMIES.format(key=key))}

    def meaning(self, id: str) -> str:
        if id not in self._saved:
            return ABOUT_A_NEW_ARMY
        if id == self._marked:
            return MARKED.format(key=self.skirmish.key("armies.compare", "v"))
        return self._saved[id].about.partition("\n")[0]

    def details(self, id: str) -> Content:
        """What an army has and whether it is legal; what can be done with it if it is marked."""
        saved = self._saved.get(id)
        if saved is None or saved.army is None:
            return Content(self.meaning(id))
        page = army_page(saved.army, library.rulings())
        parts = [Content.styled(page.title, STRONG), painted(page, self.details_width)]
        if id == self._marked:
            parts.append(Content(self.meaning(id)))
        return Content("\n\n").join(parts)

    @property
    def _chosen(self) -> SavedArmy | None:
        """The army of the selected line; None in an empty list."""
        return self._saved.get(self.chosen)

    def _readable(self, participle: str, saved: SavedArmy | None = None) -> ReadableArmy | None:
        """The army of ``saved``, or else of the selected line. If it cannot be read, show that it
        cannot be ``opened`` or ``copied`` (the ``participle``), and why."""
        saved = saved or self._chosen
        if saved is None:
            return None
        if saved.army is None:
            title = f"This army cannot be {participle}"
            self.run_worker(self.skirmish.show_message(title, saved.about))
            return None
        return ReadableArmy(saved.record, saved.army)


# ---------------------------------------------------------------------- in the store


class Deed(NamedTuple):
    """A change to a saved army; ``name`` is its new name. The verb ``restore`` brings back what
    ``remove`` has taken from the list."""

    verb: Literal["copy", "name", "remove", "restore"]
    record: ArmyRecord
    name: str = ""


class DoneDeed(NamedTuple):
    """A change that was made: in words, the number of the army to select, if any, and the change
    that undoes this one."""

    message: str
    chosen: int | None
    back: Deed


def carry_out(store: Store, deed: Deed, undoing: bool) -> DoneDeed:
    """Make a change; ``undoing``: it undoes another, which the message then says. Raises StoreError
    or DataError without having changed anything."""
    match deed.verb:
        case "copy":
            return _copy(store, deed.record)
        case "name":
            return _rename(store, deed.record, deed.name, undoing)
        case "remove":
            return _remove(store, deed.record, undoing)
        case "restore":
            return _restore(store, deed.record)


def _read_again(store: Store, record: ArmyRecord) -> ReadableArmy:
    """A listed army as it is now, since it may have changed since then."""
    present = store.army(record.id)
    return ReadableArmy(present, library.stored_army(present.body, short_name(record.name)))


def _copy(store: Store, original: ArmyRecord) -> DoneDeed:
    """A copy under a name that no other army has."""
    army_list = _read_again(store, original).army.army_list
    copy = renamed(army_list, [army.name for army in store.armies()])
    record = store.add_army(GAME, copy.name, as_body(copy))
    return DoneDeed(f"Copied as {short_name(record.name)}.", record.id, Deed("remove", record))


def _rename(store: Store, named: ArmyRecord, name: str, undoing: bool) -> DoneDeed:
    """The army under another name. It is read again first, so that nothing of it is lost that was
    changed meanwhile."""
    record, army = _read_again(store, named)
    store.save_army(record.id, name, as_body(replace(army.army_list, name=name)))
    message = f"{short_name(named.name)} is now called {short_name(name)}."
    if undoing:
        message = f"It is called {short_name(name)} again."
    back = Deed("name", replace(record, name=name), record.name)
    return DoneDeed(message, record.id, back)


def _remove(store: Store, record: ArmyRecord, undoing: bool) -> DoneDeed:
    """The army off the list; the store keeps it."""
    store.remove("army", record.id)
    message = f"{short_name(record.name)} is removed from the list."
    if undoing:  # only a copy is undone by removing it
        message = f"The copy {short_name(record.name)} is removed."
    return DoneDeed(message, None, Deed("restore", record))


def _restore(store: Store, record: ArmyRecord) -> DoneDeed:
    """An army that was removed, back on the list."""
    store.bring_back("army", record.id)
    message = f"{short_name(record.name)} is back on the list."
    return DoneDeed(message, record.id, Deed("remove", record))


# ---------------------------------------------------------------------- in words


def _saved_armies(records: Iterable[ArmyRecord]) -> dict[str, SavedArmy]:
    """The armies of WWII Plastic Skirmish among all those stored, by their number."""
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
        unreadable = ArmyCells("", "", "", "cannot be read")
        return SavedArmy(record, None, unreadable, BAD, str(error))
    nation = quality = "–"
    if army.nation:
        nation = army.nation.name
    if army.quality:
        quality = army.quality.name
    state, words = verdict(army)
    cells = ArmyCells(nation, quality, f"{army.spent}/{army.budget}", words)
    _, style = MARKS[state]
    about = f"{_size(army)} {plain(army.army_list.note)}"
    return SavedArmy(record, army, cells, style, about)


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


def short_name(name: str) -> str:
    """A name for a sentence."""
    return shortened(plain(name), NAME_IN_SENTENCE)


def army_line(
    width: int, name: str, cells: ArmyCells, day: str, style: str = "", *, mark: bool = False
) -> Content:
    """An army in ``width`` columns: name, cells and, if there is room, the ``day`` of its last
    change. ``style`` is that of the verdict."""
    # As wide as the longest nation, quality and pair of points.
    terms = f"  {cells.nation:<9}{cells.quality:<8}{cells.spent:>11}  "
    changed = ""
    if width >= WIDTH_WITH_DATE:
        changed = f"  {day:<10}"
    sign = "  "
    if mark:
        sign = "► "
    room = max(width - 2 - len(terms) - VERDICT_WIDTH - len(changed), 8)
    return Content.assemble(
        (sign, KEY),
        (padded(plain(name), room), STRONG),
        terms,
        (f"{cells.verdict:<{VERDICT_WIDTH}}", style),
        (changed, DIM),
    )


# ---------------------------------------------------------------------- a new army

FROM_NOTHING = "empty"
"""The id of the line of the empty army; those of templates are numbers."""
TEMPLATES_WIDTH = 44
"""Columns of the list of templates with its edges."""
EMPTY_ARMY_PAGE = Page(
    "", (Paragraph("An empty army. Choose its points and nation, then buy what you like."),)
)


class TemplateList(LineList):
    """The lines of what an army can start from, with Enter under its own name in the footer."""

    BINDINGS: ClassVar[list[BindingType]] = keys(
        "templates", ("take", "enter", "select", "Choose", "Start from this army")
    )


class NewArmyScreen(LineScreen):
    """Choose what a new army starts from; calls ``begin`` with the army. ``used_names`` are those
    of the saved armies; an army from scratch gets the player's ``liked`` rulings. The name is asked
    for on top of this screen, so that letters typed ahead are not commands."""

    CSS_PATH: ClassVar[list[str | PurePath]] = [
        *LineScreen.CSS_PATH,
        Path(__file__).with_name("new_army.tcss"),
    ]
    heading = Content.assemble(
        "NEW ARMY   ", ("Start from a template, or from nothing.", f"not bold {DIM}")
    )
    TOPIC: ClassVar[str] = "templates"
    HELP = (
        "Choose with the arrows and press Enter. A template becomes an army of your own: change "
        "what you like, the template stays as it is."
    )
    LIST_WIDGET = TemplateList
    HAS_DETAILS = False
    """``new_army.tcss`` has them beside the list on any screen, not only on a large one."""
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "templates",
        ("back", "escape", "app.pop_screen", "Armies", "Back to the armies without a new one"),
    )

    def __init__(
        self,
        used_names: Collection[str],
        liked: Mapping[str, str],
        begin: Callable[[Army], object],
    ) -> None:
        super().__init__()
        self._used_names, self._begin = used_names, begin
        self._armies = {str(number): army for number, army in enumerate(library.templates())}
        self._armies[FROM_NOTHING] = empty_army(liked)

    def groups(self) -> Iterator[Group]:
        yield None, {FROM_NOTHING: Content.styled("Empty: build it yourself", STRONG)}
        templates = [id for id in self._armies if id != FROM_NOTHING]
        for nation, ids in groupby(templates, key=self._nation_of):
            lines = {}
            for id in ids:
                army_list = self._armies[id].army_list
                lines[id] = Content(f"  {plain(army_list.name):<25}{army_list.points:>4}")
            yield Content.styled(nation.upper(), DIM), lines

    def _nation_of(self, id: str) -> str:
        """The heading under which a template stands."""
        nation = self._armies[id].nation
        if nation is None:
            return "Any nation"
        return nation.name

    def meaning(self, id: str) -> Content:
        width = self.app.size.width - TEMPLATES_WIDTH
        if id == FROM_NOTHING:
            return painted(EMPTY_ARMY_PAGE, width)
        page = army_page(self._armies[id], library.rulings(), prices=False)
        return Content.styled(f"{page.title}\n\n", STRONG) + painted(page, width)

    def on_option_list_option_selected(self) -> None:
        army = self._armies[self.chosen]
        army = replace(army, army_list=renamed(army.army_list, self._used_names))

        def take(name: str | None) -> None:
            if name is not None:
                self.app.pop_screen()
                self._begin(replace(army, army_list=with_typed_value(army, "name", name)))

        self.app.push_screen(term_entry(army, "name", title="New army"), take)


def empty_army(liked: Mapping[str, str]) -> Army:
    """An empty army of the basic game, under those ``liked`` rulings that concern armies."""
    catalog, book = library.catalog(), library.rulings()
    rulings = {}
    for id, answer in book.liked(liked).items():
        if book.rulings[id].topic == "army":
            rulings[id] = answer
    army_list = ArmyList(name="New army", points=catalog.basic_game.points, rulings=rulings)
    return muster(army_list, catalog, book)


# ---------------------------------------------------------------------- two armies


class ArmyCompareScreen(PageScreen):
    """Two armies side by side: what they have, what they can do, what is different."""

    TOPIC: ClassVar[str] = "compare"
    EXTRA = "The comparison is"  # begins the message if this screen fails
    HELP = (
        "◂ 4: the left army has 4 more. 4 ▸: the right army has 4 more. Counts include free men; "
        "points are those paid. The arrows scroll."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "compare",
        ("differences", "d", "differences", "Differences",
         "Show only the differences, or everything"),
        ("swap", "x", "swap", "Swap", "Swap left and right"),
        ("print", "p", "print", "Print", "Print both rosters"),
    )  # fmt: skip

    def __init__(self, left: Army, right: Army) -> None:
        super().__init__(self._comparison)
        self._left, self._right = left, right
        self._only_differences = False
        self._owned: dict[str, int] = {}

    def _comparison(self) -> Page:
        return compared(
            self._left, self._right, only_differences=self._only_differences, owned=self._owned
        )

    def on_mount(self) -> None:
        self._read_owned()

    @work
    async def _read_owned(self) -> None:
        self._owned = await owned_figures(self.skirmish.stored)
        self.show_anew()

    def action_differences(self) -> None:
        self._only_differences = not self._only_differences
        self.show_anew()

    def action_swap(self) -> None:
        self._left, self._right = self._right, self._left
        self.show_anew()

    @work
    async def action_print(self) -> None:
        from skirmish.app.printing import print_document

        for army in (self._left, self._right):
            await print_document(self.skirmish, "roster", army)
