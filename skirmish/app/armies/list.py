"""The saved armies: open one, begin one, copy, rename, remove, compare, print."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from skirmish import library
from skirmish.app.armies.builder import ArmyBuilderScreen
from skirmish.app.armies.editing import ArmySession
from skirmish.app.armies.figures import FiguresScreen
from skirmish.app.armies.form import NewArmyScreen, name_entry
from skirmish.app.armies.pages import ArmyCompareScreen
from skirmish.app.armies.view import BAD, state_style
from skirmish.app.binding import keys
from skirmish.app.fitting import in_columns
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.line_list import LineList
from skirmish.app.page_view import DIM, KEY, STRONG
from skirmish.games.plastic.army_file import GAME, LONGEST_NAME, as_body, from_body, renamed
from skirmish.games.plastic.rules.advice import LimitTally, tally
from skirmish.games.plastic.rules.army import Army, ArmyList, muster
from skirmish.store.errors import StoreError
from skirmish.store.records import ArmyRecord
from skirmish.tabletop.reading import DataError
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.store.database import Store

EMPTY = (
    "No armies yet. Press {key} to build one, from a template or from nothing. "
    "It is saved automatically."
)
MARKED = "Marked. Choose another army and press {key} to compare the two."
HEAD = ("  NAME", "NATION", "QUALITY", "SPENT", "LIMITS", "CHANGED")
ROOMY = 100
"""Columns from which a line also tells when the army was changed."""
SHORT = 40
"""Signs of a name in a sentence."""


class SavedArmy(NamedTuple):
    """A line of the list; what cannot be read has only its ``trouble``."""

    record: ArmyRecord
    army: Army | None
    tally: LimitTally
    trouble: str = ""


class ArmiesScreen(Screen[None]):
    """All armies, the newest change first."""

    CSS_PATH = "armies.tcss"
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
        ("remove", "delete", "remove", "Drop", "Remove the chosen army from the list"),
        ("undo", "u,ctrl+z", "undo", "", "Undo the last copy, new name or removal"),
        ("mark", "space", "mark", "", "Mark the chosen army to compare it with another"),
        ("compare", "v", "compare", "Compare", "Compare two armies: mark one, choose the other"),
        ("figures", "o", "figures", "Owned", "Your own figures, and what this army needs"),
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

    def compose(self) -> ComposeResult:
        yield Static("ARMIES", id="armies-title", classes="title", markup=False)
        yield Static("", id="armies-head", classes="quiet", markup=False)
        yield LineList(id="armies", classes="lines")
        yield Static("", id="armies-none", markup=False)
        yield Static("", id="armies-about", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self.run_worker(self._look(), group="look", exclusive=True)

    def on_screen_resume(self) -> None:
        if self._opened is not None:
            army, self._opened = self._opened, None
            self.run_worker(self._look(army.number), group="look", exclusive=True)

    def on_resize(self) -> None:
        if self.looked:
            self.call_after_refresh(self._show)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("copy", "rename", "remove", "print", "mark"):
            return bool(self._saved) or None
        if action == "compare":
            return len(self._saved) > 1 or None
        return True if action != "undo" or self._undo else None

    # ------------------------------------------------------------------ keys

    def on_option_list_option_selected(self) -> None:
        chosen = self._chosen
        if chosen is not None and (army := self._readable(chosen, "opened")) is not None:
            self.run_worker(self._build(army, chosen.record.id), exclusive=True)

    def on_option_list_option_highlighted(self) -> None:
        self._describe()

    def action_new(self) -> None:
        self.run_worker(self._new(), exclusive=True)

    def action_copy(self) -> None:
        if (army := self._readable(self._chosen, "copied")) is not None:
            self._do(copied(army.listed, self._names), "Not copied")

    def action_rename(self) -> None:
        chosen = self._chosen
        if chosen is not None and self._readable(chosen, "renamed") is not None:
            self.run_worker(self._rename(chosen.record), exclusive=True)

    def action_remove(self) -> None:
        if (chosen := self._chosen) is not None:
            name = short(chosen.record.name)
            self._do(removed(chosen.record, f"{name} is removed from the list."), "Not removed")

    def action_undo(self) -> None:
        """Undo the last copy, new name or removal; one that fails can be tried again."""
        if self._undo:
            self._do(self._undo[-1], "Not undone", undoing=True)

    def action_mark(self) -> None:
        chosen = self.query_one(LineList).chosen
        self._marked = "" if self._marked == chosen else chosen
        self._show()

    def action_compare(self) -> None:
        """The marked army and the chosen one; without a mark, this is the one to mark."""
        chosen, marked = self._chosen, self._saved.get(self._marked)
        if marked is None or marked is chosen:
            self._marked = self.query_one(LineList).chosen
            self._show()
            return
        one, other = self._readable(marked, "compared"), self._readable(chosen, "compared")
        if one is not None and other is not None:
            self.app.push_screen(ArmyCompareScreen(one, other))

    def action_figures(self) -> None:
        army = self._chosen.army if self._chosen else None
        self.app.push_screen(FiguresScreen(self.skirmish, army))

    def action_print(self) -> None:
        if (army := self._readable(self._chosen, "printed")) is not None:
            from skirmish.app.printing import print_plastic

            self.run_worker(print_plastic(self.skirmish, "roster", army))

    async def _new(self) -> None:
        screen = NewArmyScreen(self._names, self.skirmish.settings.rulings)
        listed = await self.app.push_screen_wait(screen)
        if listed is not None:
            await self._build(muster(listed, library.catalog(), library.rulings()))

    async def _build(self, army: Army, number: int | None = None) -> None:
        self._opened = ArmySession(self.skirmish.stored, army, number)
        await self.app.push_screen(ArmyBuilderScreen(self._opened))

    async def _rename(self, record: ArmyRecord) -> None:
        entry = name_entry("army", "Rename army", record.name, LONGEST_NAME)
        name = await self.app.push_screen_wait(entry)
        if name is not None and name.strip() != plain(record.name):
            self._do(named(record.id, name.strip()), "Not renamed")

    # ------------------------------------------------------------------ what is done

    def _do(self, deed: Deed, failed: str, *, undoing: bool = False) -> None:
        """Do it, say so with the key that undoes it, and show the list anew."""
        self.run_worker(self._done(deed, failed, undoing), group="deeds")

    async def _done(self, deed: Deed, failed: str, undoing: bool) -> None:
        try:
            done: Done = await self.skirmish.stored(deed)
        except (StoreError, DataError) as error:
            await self.skirmish.show_message(failed, str(error))
            return
        key = ""
        if undoing:
            self._undo.pop()
        else:
            self._undo.append(done.back)
            key = f" {self.skirmish.key('armies.undo', 'u')} undoes this."
        self.app.clear_notifications()  # one at a time: they lie over the list
        self.notify(done.message + key, timeout=6, markup=False)
        await self._look(done.number)

    # ------------------------------------------------------------------ what is shown

    async def _look(self, chosen: int | None = None) -> None:
        try:
            records = await self.skirmish.stored(lambda store: store.armies())
        except StoreError as error:
            await self.skirmish.show_message("The database cannot be used", str(error))
            return
        ours = [record for record in records if record.game == GAME]
        self._saved = await asyncio.to_thread(lambda: {str(one.id): read(one) for one in ours})
        self.looked = True
        self._show("" if chosen is None else str(chosen))

    def _show(self, chosen: str = "") -> None:
        listed = self.query_one(LineList)
        head, *rows = lines(self._saved.values(), self.size.width - 5, self._marked)
        numbers = [*self._saved]
        if numbers and (chosen or listed.chosen) not in numbers:  # who stood there is gone
            chosen = numbers[min(listed.highlighted or 0, len(numbers) - 1)]
        listed.show([(None, dict(zip(numbers, rows, strict=True)))], chosen)
        listed.display = bool(numbers)
        none = "" if numbers else EMPTY.format(key=self.skirmish.key("armies.new", "n"))
        self.query_one("#armies-none", Static).update(none)
        self.query_one("#armies-head", Static).update(head if numbers else "")
        if numbers:
            self.set_focus(listed)  # at once: a key may be waiting for it
        self._describe()
        self.refresh_bindings()

    def _describe(self) -> None:
        text = description(self._chosen)
        if self._marked and self._marked == self.query_one(LineList).chosen:
            text = Content(MARKED.format(key=self.skirmish.key("armies.compare", "v")))
        self.query_one("#armies-about", Static).update(text)

    @property
    def _chosen(self) -> SavedArmy | None:
        return self._saved.get(self.query_one(LineList).chosen)

    @property
    def _names(self) -> list[str]:
        return [one.record.name for one in self._saved.values()]

    def _readable(self, saved: SavedArmy | None, done: str) -> Army | None:
        """Its army; where it cannot be read, players are told why it cannot be ``done``."""
        if saved is not None and saved.army is None:
            title = f"This army cannot be {done}"
            self.run_worker(self.skirmish.show_message(title, saved.trouble))
        return saved.army if saved else None


# ---------------------------------------------------------------------- in the store


class Done(NamedTuple):
    """What was done, as a sentence, the number of the army to choose now, if it is there, and what
    undoes it."""

    message: str
    number: int | None
    back: Deed


Deed: TypeAlias = "Callable[[Store], Done]"
"""Something done to an army in the store's thread; raises StoreError, and then nothing was done."""


def copied(listed: ArmyList, taken: Collection[str]) -> Deed:
    def deed(store: Store) -> Done:
        like = renamed(listed, taken)
        record = store.add_army(GAME, like.name, as_body(like))
        name = short(record.name)
        back = removed(record, f"The copy {name} is removed.")
        return Done(f"Copied as {name}.", record.id, back)

    return deed


def removed(record: ArmyRecord, message: str) -> Deed:
    def back(store: Store) -> Done:
        store.restore_army(record.id)
        return Done(f"{short(record.name)} is back on the list.", record.id, deed)

    def deed(store: Store) -> Done:
        store.remove_army(record.id)
        return Done(message, None, back)

    return deed


def named(number: int, name: str, again: bool = False) -> Deed:
    """The same army under another name; its men may have changed since. Raises DataError too."""

    def deed(store: Store) -> Done:
        record = store.army(number)
        before = short(record.name)
        army = from_body(record.body, library.catalog(), library.rulings(), before)
        store.save_army(number, name, as_body(replace(army.listed, name=name)))
        message = f"{before} is now called {short(name)}."
        if again:
            message = f"It is called {short(name)} again."
        return Done(message, number, named(number, record.name, again=True))

    return deed


# ---------------------------------------------------------------------- in words


def read(record: ArmyRecord) -> SavedArmy:
    """A record with its army; one that cannot be read stays on the list and says why."""
    try:
        army = from_body(record.body, library.catalog(), library.rulings(), short(record.name))
    except DataError as error:
        return SavedArmy(record, None, LimitTally(0, 0, 0), str(error))
    return SavedArmy(record, army, tally(army))


def short(name: str) -> str:
    shown = plain(name)
    return shown if len(shown) <= SHORT else shown[: SHORT - 1] + "…"


def lines(saved: Iterable[SavedArmy], width: int, marked: str) -> list[Content]:
    """The heads of the columns, then each army in ``width`` columns; number ``marked`` is to be
    compared."""
    rows: list[Sequence[str | Content]] = [HEAD]
    for record, army, counted, _ in saved:
        mark = ("► " if str(record.id) == marked else "  ", KEY)
        name = Content.assemble(mark, (plain(record.name), STRONG))
        cells: list[str | Content] = ["", "", "", Content.styled("cannot be read", BAD)]
        if army is not None:
            terms = (army.nation, army.quality)
            spent = f"{army.spent}/{army.budget}"
            state = Content.styled(counted.text, state_style(counted))
            cells = [*(one.name if one else "–" for one in terms), spent, state]
        rows.append((name, *cells, Content.styled(record.updated[:10], DIM)))
    shown = rows if width >= ROOMY else [row[:-1] for row in rows]
    return in_columns(shown, width, right=(3,))


def description(saved: SavedArmy | None) -> Content:
    if saved is None:
        return Content()
    if saved.army is None:
        return Content.styled(saved.trouble.partition("\n")[0], BAD)
    army = saved.army
    men = sum(n for unit, n in army.fielded().items() if army.catalog.units[unit].is_guy)
    models = sum(army.fielded().values()) - men
    beaten = f", break point {army.break_at}" if army.pdg else ""
    strength = f"{men} guys, {models} {'model' if models == 1 else 'models'}. "
    note = (plain(army.listed.note), DIM)
    return Content.assemble(f"{strength}PDG {army.pdg}{beaten}. ", note)
