"""The list of saved armies: open, create, copy, rename, delete, compare, print."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
from skirmish.app.armies.editing import ArmySession, FiguresScreen, entry, written
from skirmish.app.binding import keys
from skirmish.app.host import UNUSABLE
from skirmish.app.line_list import Group, LineList, LineScreen
from skirmish.app.page_screen import PageScreen
from skirmish.app.page_view import DIM, KEY, STRONG, padded, painted, shortened
from skirmish.games.plastic.army_file import GAME, as_body, from_body, renamed
from skirmish.games.plastic.army_page import army_page, compared
from skirmish.games.plastic.rules.advice import verdict
from skirmish.games.plastic.rules.army import Army, ArmyList, muster
from skirmish.store.records import ArmyRecord
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.store.database import Store

EMPTY = "No armies yet. Press Enter or {key} to build one."
FIRST = "A new army begins from a template or from nothing, and is saved automatically."
MARKED = "Marked. Choose another army and press {key} to compare the two."
HEAD = ("NATION", "QUALITY", "SPENT", "LIMITS")
STATE = 16
"""Columns of the status of the limits."""
ROOMY = 100
"""Columns from which a line also shows the date of the last change."""
SHORT = 40
"""Columns of a name in a sentence."""


class SavedArmy(NamedTuple):
    """A line of the list with details in ``about``, which is the reason if the army cannot be
    read."""

    record: ArmyRecord
    army: Army | None
    cells: tuple[str, str, str, str]
    style: str
    about: str


class ArmiesScreen(LineScreen):
    """All armies, the most recently changed first."""

    heading = "ARMIES"
    TOPIC: ClassVar[str] = "armies"
    HELP = (
        "Choose an army with the arrows; Enter opens it. Copies, new names and removals can be "
        "undone one after the other.\n\n"
        "To compare two armies, mark one, choose the other and press Compare."
    )
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

    def __init__(self) -> None:
        super().__init__()
        self.looked = False
        self._saved: dict[str, SavedArmy] = {}
        self._marked = ""
        self._opened: ArmySession | None = None
        self._undo: list[Deed] = []

    async def on_mount(self) -> None:
        await super().on_mount()
        self._look_up()

    def on_screen_resume(self) -> None:
        if self._opened is not None and self.app.screen is self:
            army, self._opened = self._opened, None
            self._look_up(army.number)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("copy", "rename", "remove", "print", "mark"):
            return bool(self._saved) or None
        if action == "compare":
            return len(self._saved) > 1 or None
        return True if action != "undo" or self._undo else None

    # ------------------------------------------------------------------ keys

    def on_option_list_option_selected(self) -> None:
        if not self._saved:
            self.action_new()
        elif found := self._readable("opened"):
            record, army = found
            self._build(army, record.id)

    def action_new(self) -> None:
        names = [one.record.name for one in self._saved.values()]
        liked = self.skirmish.settings.rulings
        self.app.push_screen(NewArmyScreen(names, liked, self._build))

    def action_copy(self) -> None:
        if found := self._readable("copied"):
            self._do(Deed("copy", found[0]), "Not copied")

    @work(exclusive=True)
    async def action_rename(self) -> None:
        if found := self._readable("renamed"):
            record, army = found
            name = await self.app.push_screen_wait(entry(army, "name", title="Rename army"))
            if name is not None and name.strip() != plain(record.name):
                self._do(Deed("name", record, name.strip()), "Not renamed")

    def action_remove(self) -> None:
        if (chosen := self._chosen) is not None:
            self._do(Deed("remove", chosen.record), "Not removed")

    def action_undo(self) -> None:
        """Undo the last copy, rename or deletion; a failed undo can be repeated."""
        if self._undo:
            self._do(self._undo[-1], "Not undone", undoing=True)

    def action_mark(self) -> None:
        self._marked = "" if self._marked == self.chosen else self.chosen
        self.paint()

    def action_compare(self) -> None:
        """Compare the marked army with the selected one; without a mark, mark the selected one."""
        chosen, marked = self._chosen, self._saved.get(self._marked)
        if marked is None or marked is chosen:
            self._marked = self.chosen
            self.paint()
            return
        one, other = self._readable("compared", marked), self._readable("compared")
        if one and other:
            self.app.push_screen(ArmyCompareScreen(one[1], other[1]))

    def action_figures(self) -> None:
        army = self._chosen.army if self._chosen else None
        self.app.push_screen(FiguresScreen(self.skirmish, army))

    def action_print(self) -> None:
        if found := self._readable("printed"):
            from skirmish.app.printing import print_document

            self.run_worker(print_document(self.skirmish, "roster", found[1]))

    def _build(self, army: Army, number: int | None = None) -> None:
        self._opened = ArmySession(self.skirmish.stored, army, number)
        self.app.push_screen(ArmyBuilderScreen(self._opened))

    # ------------------------------------------------------------------ what is done

    @work(group="deeds")
    async def _do(self, deed: Deed, failed: str, *, undoing: bool = False) -> None:
        async with self.skirmish.reporting(failed):
            done = await self.skirmish.stored(lambda store: carry_out(store, deed, undoing))
            message, number, back = done
            if undoing:
                self._undo.pop()
            else:
                self._undo.append(back)
                message += f" {self.skirmish.key('armies.undo', 'u')} undoes this."
            self.app.clear_notifications()  # one at a time, since they cover the list
            self.notify(message, timeout=6, markup=False)
            await self._look(number)

    # ------------------------------------------------------------------ what is shown

    @work(group="look", exclusive=True)
    async def _look_up(self, chosen: int | None = None) -> None:
        await self._look(chosen)

    async def _look(self, chosen: int | None = None) -> None:
        async with self.skirmish.reporting(UNUSABLE):
            records = await self.skirmish.stored(lambda store: store.armies())
            ours = [record for record in records if record.game == GAME]
            before = [*self._saved]
            gone = before.index(self.chosen) if self.chosen in before else 0
            self._saved = await asyncio.to_thread(lambda: {str(one.id): read(one) for one in ours})
            self.looked = True
            numbers, at = [*self._saved], str(chosen or self.chosen)
            self.paint(at if at in numbers or not numbers else numbers[min(gone, len(numbers) - 1)])

    def groups(self) -> Iterator[Group]:
        width = self.size.width - 6
        rows = {}
        for id, (record, _, cells, style, _) in self._saved.items():
            mark = id == self._marked
            rows[id] = row(width, record.name, cells, record.updated[:10], style, mark=mark)
        yield Content.styled(row(width, "NAME", HEAD, "CHANGED").plain, DIM), rows
        if self.looked and not rows:
            key = self.skirmish.key("armies.new", "n")
            yield None, {"none": Content(EMPTY.format(key=key))}

    def meaning(self, id: str) -> str:
        if id not in self._saved:
            return FIRST
        if id == self._marked:
            return MARKED.format(key=self.skirmish.key("armies.compare", "v"))
        return self._saved[id].about.partition("\n")[0]

    @property
    def _chosen(self) -> SavedArmy | None:
        return self._saved.get(self.chosen)

    def _readable(
        self, done: str, saved: SavedArmy | None = None
    ) -> tuple[ArmyRecord, Army] | None:
        """The army of ``saved``, or else of the selected line. If it cannot be read, show why it
        cannot be ``done``."""
        saved = saved or self._chosen
        if saved is None:
            return None
        if saved.army is None:
            title = f"This army cannot be {done}"
            self.run_worker(self.skirmish.show_message(title, saved.about))
            return None
        return saved.record, saved.army


# ---------------------------------------------------------------------- in the store


class Deed(NamedTuple):
    """A change to a saved army; ``name`` is its new name."""

    verb: Literal["copy", "name", "remove", "restore"]
    record: ArmyRecord
    name: str = ""


def carry_out(store: Store, deed: Deed, undoing: bool) -> tuple[str, int | None, Deed]:
    """The result in words, the number of the army to select, if any, and the change that undoes
    this one. Raises StoreError or DataError without having changed anything."""
    old = short(deed.record.name)
    if deed.verb == "remove":
        store.remove("army", deed.record.id)
        message = f"The copy {old} is removed." if undoing else f"{old} is removed from the list."
        return message, None, Deed("restore", deed.record)
    if deed.verb == "restore":
        store.remove("army", deed.record.id, back=True)
        return f"{old} is back on the list.", deed.record.id, Deed("remove", deed.record)
    record = store.army(deed.record.id)  # it may have changed since
    listed = from_body(record.body, library.catalog(), library.rulings(), old).listed
    if deed.verb == "copy":
        listed = renamed(listed, [other.name for other in store.armies()])
        record = store.add_army(GAME, listed.name, as_body(listed))
        return f"Copied as {short(record.name)}.", record.id, Deed("remove", record)
    store.save_army(record.id, deed.name, as_body(replace(listed, name=deed.name)))
    now = short(deed.name)
    message = f"It is called {now} again." if undoing else f"{old} is now called {now}."
    return message, record.id, Deed("name", replace(record, name=deed.name), record.name)


# ---------------------------------------------------------------------- in words


def read(record: ArmyRecord) -> SavedArmy:
    try:
        army = from_body(record.body, library.catalog(), library.rulings(), short(record.name))
    except DataError as error:
        return SavedArmy(record, None, ("", "", "", "cannot be read"), BAD, str(error))
    nation, quality = (one.name if one else "–" for one in (army.nation, army.quality))
    state, text = verdict(army)
    cells = (nation, quality, f"{army.spent}/{army.budget}", text)
    men = sum(n for unit, n in army.fielded().items() if army.catalog.units[unit].is_guy)
    models = sum(army.fielded().values()) - men
    beaten = f", break point {army.break_at}" if army.pdg else ""
    guys = f"{men} guys, {models} {'model' if models == 1 else 'models'}"
    about = f"{guys}. Strength {army.pdg}{beaten}."
    note = plain(army.listed.note)
    return SavedArmy(record, army, cells, MARKS[state][1], f"{about} {note}")


def short(name: str) -> str:
    return shortened(plain(name), SHORT)


def row(
    width: int, name: str, cells: Sequence[str], day: str, style: str = "", *, mark: bool = False
) -> Content:
    """An army in ``width`` columns: nation, quality, points, status of its limits and, if there is
    room, the date of its last change."""
    nation, quality, spent, state = cells
    terms = f"  {nation:<9}{quality:<8}{spent:>11}  "
    changed = f"  {day:<10}" if width >= ROOMY else ""
    room = max(width - 2 - len(terms) - STATE - len(changed), 8)
    return Content.assemble(
        ("► " if mark else "  ", KEY),
        (padded(plain(name), room), STRONG),
        terms,
        (f"{state:<{STATE}}", style),
        (changed, DIM),
    )


# ---------------------------------------------------------------------- a new army

BARE = "empty"
TEMPLATES = 44
NOTHING = Page(
    "", (Paragraph("An empty army. Choose its points and nation, then buy what you like."),)
)


class TemplateList(LineList):
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "templates", ("take", "enter", "select", "Choose", "Start from this army")
    )


class NewArmyScreen(LineScreen):
    """Choose what a new army starts from; calls ``begin`` with the army and its name. ``taken`` are
    the names in use; an army from scratch gets the player's ``liked`` rulings. The name is asked
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
    KIND = TemplateList
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "templates",
        ("back", "escape", "app.pop_screen", "Armies", "Back to the armies without a new one"),
    )

    def __init__(
        self, taken: Collection[str], liked: Mapping[str, str], begin: Callable[[Army], object]
    ) -> None:
        super().__init__()
        self._taken, self._begin = taken, begin
        self._armies = {str(number): army for number, army in enumerate(library.templates())}
        self._armies[BARE] = empty_army(liked)

    def groups(self) -> Iterator[Group]:
        yield None, {BARE: Content.styled("Empty: build it yourself", STRONG)}
        templates = [item for item in self._armies.items() if item[0] != BARE]
        for nation, own in groupby(templates, key=lambda item: item[1].nation):
            lines = {
                id: Content(f"  {plain(army.listed.name):<25}{army.listed.points:>4}")
                for id, army in own
            }
            yield Content.styled(nation.name.upper() if nation else "ANY NATION", DIM), lines

    def meaning(self, id: str) -> Content:
        page = (
            NOTHING if id == BARE else army_page(self._armies[id], library.rulings(), prices=False)
        )
        named = Content.styled(f"{page.title}\n\n" if page.title else "", STRONG)
        return named + painted(page, self.app.size.width - TEMPLATES)

    def on_option_list_option_selected(self) -> None:
        army = self._armies[self.chosen]
        army = replace(army, listed=renamed(army.listed, self._taken))

        def take(name: str | None) -> None:
            if name is not None:
                self.app.pop_screen()
                self._begin(replace(army, listed=written(army, "name", 0, name)))

        self.app.push_screen(entry(army, "name", title="New army"), take)


def empty_army(liked: Mapping[str, str]) -> Army:
    """An empty army of the basic game, under those ``liked`` rulings that concern armies."""
    catalog, book = library.catalog(), library.rulings()
    answers = book.liked(liked).items()
    rulings = {id: answer for id, answer in answers if book.rulings[id].topic == "army"}
    listed = ArmyList(name="New army", points=catalog.basic_game.points, rulings=rulings)
    return muster(listed, catalog, book)


# ---------------------------------------------------------------------- two armies


class ArmyCompareScreen(PageScreen):
    TOPIC: ClassVar[str] = "compare"
    EXTRA = "The comparison is"
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

    def __init__(self, one: Army, other: Army) -> None:
        self._armies = (one, other)
        self._differences = False
        self._owned: dict[str, int] = {}
        super().__init__(
            lambda: compared(*self._armies, only_differences=self._differences, owned=self._owned)
        )

    def on_mount(self) -> None:
        self._look()

    @work
    async def _look(self) -> None:
        self._owned = await owned_figures(self.skirmish.stored)
        self.show_anew()

    def action_differences(self) -> None:
        self._differences = not self._differences
        self.show_anew()

    def action_swap(self) -> None:
        self._armies = (self._armies[1], self._armies[0])
        self.show_anew()

    @work
    async def action_print(self) -> None:
        from skirmish.app.printing import print_document

        for army in self._armies:
            await print_document(self.skirmish, "roster", army)
