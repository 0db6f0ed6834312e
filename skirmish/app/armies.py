"""The armies that are kept: open one, begin one, copy, remove, print."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar, cast

import msgspec
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Resize
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp
    from skirmish.app.army_keeping import KeptArmy
    from skirmish.games.plastic.rules.advice import Tally
    from skirmish.games.plastic.rules.army import Army
    from skirmish.store.records import ArmyRecord

EMPTY = "No army yet. Press n to build one; it is kept by itself."
ROOMY = 100
"""Columns from which a line also tells when the army was changed."""


class Kept(msgspec.Struct, frozen=True):
    """A line of the list; ``army`` is None where it cannot be read (``trouble``: why)."""

    record: ArmyRecord
    army: Army | None
    counted: Tally | None
    trouble: str = ""


class ArmiesScreen(Screen[None]):
    """All armies, the newest change first."""

    CSS_PATH = "armies.tcss"
    HELP = "The arrows choose an army, Enter opens it. A number of broken limits is no obstacle."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new", "New", tooltip="Build a new army"),
        Binding("c", "copy", "Copy", tooltip="Copy the chosen army under another name"),
        Binding("delete", "remove", "Remove", tooltip="Take the chosen army off the list"),
        Binding("u", "restore", "Bring back", tooltip="Bring back what was removed last"),
        Binding("p", "print", "Print", tooltip="Print the roster of the chosen army"),
        Binding("escape", "app.pop_screen", "Home", tooltip="Back to the first screen"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[Kept] = []
        self._removed: list[ArmyRecord] = []
        self._opened: KeptArmy | None = None
        self._looked = False

    @property
    def skirmish(self) -> SkirmishApp:
        """The app."""
        return cast("SkirmishApp", self.app)

    def compose(self) -> ComposeResult:
        """Title, list, what happened."""
        yield Static("ARMIES", id="armies-title", classes="title", markup=False)
        yield Static("", id="armies-head", classes="quiet", markup=False)
        yield OptionList(id="armies", markup=False)
        yield Static("", id="armies-none", markup=False)
        yield Static("", id="armies-said", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Read the armies."""
        self.query_one("#armies").display = False
        self.run_worker(self._look(), group="look", exclusive=True)

    def on_screen_resume(self) -> None:
        """Back from the builder: its army may be another now."""
        if self._opened is not None:
            army, self._opened = self._opened, None
            self.run_worker(self._look(army.number), group="look", exclusive=True)

    def on_resize(self, event: Resize) -> None:
        """The columns follow the width."""
        if self._looked:
            self.call_after_refresh(self._show, self._chosen_number())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what has nothing to work on."""
        if action in ("copy", "remove", "print"):
            return bool(self._kept) or None
        if action == "restore":
            return bool(self._removed) or None
        return True

    async def _look(self, chosen: int | None = None) -> None:
        """Read the list anew, the line of army ``chosen`` (else the present one) chosen."""
        from skirmish.games.plastic.army_file import GAME
        from skirmish.store.errors import StoreError

        try:
            records = await self.skirmish.stored(lambda store: store.armies())
        except StoreError as error:
            await self.skirmish.tell("The database cannot be used", str(error))
            return
        ours = [record for record in records if record.game == GAME]
        before = self._chosen_number()
        self._kept = await asyncio.to_thread(lambda: [_read(record) for record in ours])
        self._looked = True
        self._show(before if chosen is None else chosen)

    def _show(self, chosen: int | None) -> None:
        listed = self.query_one("#armies", OptionList)
        at = listed.highlighted or 0
        listed.display = bool(self._kept)
        width = self.size.width - 5  # the list's padding and its scrollbar
        listed.set_options(
            Option(_line(kept, width), id=str(kept.record.id)) for kept in self._kept
        )
        self.query_one("#armies-none", Static).update("" if self._kept else EMPTY)
        self.query_one("#armies-head", Static).update(_head(width) if self._kept else "")
        if self._kept:
            numbers = [kept.record.id for kept in self._kept]
            at = numbers.index(chosen) if chosen in numbers else min(at, len(numbers) - 1)
            listed.highlighted = at
            listed.focus()
        self.refresh_bindings()

    def _chosen(self) -> Kept | None:
        at = self.query_one("#armies", OptionList).highlighted
        return self._kept[at] if at is not None and at < len(self._kept) else None

    def _chosen_number(self) -> int | None:
        chosen = self._chosen()
        return chosen.record.id if chosen else None

    def _say(self, text: str) -> None:
        self.query_one("#armies-said", Static).update(text)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the army."""
        kept = self._chosen()
        if kept is not None:
            self.run_worker(self._open(kept), exclusive=True)

    async def _open(self, kept: Kept) -> None:
        from skirmish.app.army_builder import ArmyBuilderScreen
        from skirmish.app.army_keeping import KeptArmy

        if kept.army is None:
            await self.skirmish.tell("This army cannot be opened", kept.trouble)
            return
        self._say("")
        self._opened = KeptArmy(self.skirmish.stored, kept.army, kept.record.id)
        await self.app.push_screen(ArmyBuilderScreen(self._opened))

    def action_new(self) -> None:
        """Ask for its terms, then build it."""
        self.run_worker(self._new(), exclusive=True)

    async def _new(self) -> None:
        from skirmish import library
        from skirmish.app.army_builder import ArmyBuilderScreen
        from skirmish.app.army_form import ArmyFormScreen
        from skirmish.app.army_keeping import KeptArmy, new_army

        catalog, book = library.catalog(), library.rulings()
        army = new_army(catalog, book, [kept.record.name for kept in self._kept])
        listed = await self.app.push_screen_wait(ArmyFormScreen(army, book))
        if listed is None:
            return
        self._say("")
        army = msgspec.structs.replace(army, listed=listed)
        self._opened = KeptArmy(self.skirmish.stored, army)
        await self.app.push_screen(ArmyBuilderScreen(self._opened))

    def action_copy(self) -> None:
        """Another army like the chosen one."""
        kept = self._chosen()
        if kept is not None:
            self.run_worker(self._copy(kept), exclusive=True)

    async def _copy(self, kept: Kept) -> None:
        from skirmish.games.plastic.army_file import GAME, as_body, renamed
        from skirmish.store.errors import StoreError

        if kept.army is None:
            await self.skirmish.tell("This army cannot be copied", kept.trouble)
            return
        listed = renamed(kept.army.listed, [other.record.name for other in self._kept])
        try:
            record = await self.skirmish.stored(
                lambda store: store.add_army(GAME, listed.name, as_body(listed))
            )
        except StoreError as error:
            await self.skirmish.tell("Not copied", str(error))
            return
        self._say(f"Copied as {_short(record.name)}.")
        await self._look(record.id)

    def action_remove(self) -> None:
        """Take the chosen army off the list."""
        kept = self._chosen()
        if kept is not None:
            self.run_worker(self._remove(kept.record), exclusive=True)

    async def _remove(self, record: ArmyRecord) -> None:
        from skirmish.store.errors import StoreError

        try:
            await self.skirmish.stored(lambda store: store.remove_army(record.id))
        except StoreError as error:
            await self.skirmish.tell("Not removed", str(error))
            return
        self._removed.append(record)
        self._say(f"{_short(record.name)} taken off the list. u brings it back.")
        await self._look()

    def action_restore(self) -> None:
        """Bring back what was taken off last."""
        if self._removed:
            self.run_worker(self._restore(self._removed[-1]), exclusive=True)

    async def _restore(self, record: ArmyRecord) -> None:
        from skirmish.store.errors import StoreError

        try:
            await self.skirmish.stored(lambda store: store.restore_army(record.id))
        except StoreError as error:
            await self.skirmish.tell("Not brought back", str(error))
            return
        self._removed.remove(record)
        self._say(f"{_short(record.name)} is back.")
        await self._look(record.id)

    def action_print(self) -> None:
        """The roster of the chosen army."""
        kept = self._chosen()
        if kept is not None:
            self.run_worker(self._print(kept))

    async def _print(self, kept: Kept) -> None:
        from skirmish.app.printing import print_roster

        if kept.army is None:
            await self.skirmish.tell("This army cannot be printed", kept.trouble)
            return
        await print_roster(self.skirmish, kept.army)


def _read(record: ArmyRecord) -> Kept:
    """A record with its army; one that cannot be read stays on the list and says why."""
    from skirmish import library
    from skirmish.games.plastic.army_file import from_body
    from skirmish.games.plastic.rules.advice import tally
    from skirmish.tabletop.reading import DataError

    try:
        army = from_body(record.body, library.catalog(), library.rulings(), _short(record.name))
    except DataError as error:
        return Kept(record, None, None, str(error))
    return Kept(record, army, tally(army))


def _short(name: str) -> str:
    from skirmish.tabletop.typed import plain

    shown = plain(name)
    return shown if len(shown) <= 40 else shown[:39] + "…"


def _head(width: int) -> str:
    when = "     CHANGED" if width >= ROOMY else ""
    name = "NAME".ljust(_name_width(width))
    return f"{name}{'NATION':<10}{'QUALITY':<9}{'SPENT':>11}  {'LIMITS':<17}{when}"


def _name_width(width: int) -> int:
    return width - 49 - (12 if width >= ROOMY else 0)


def _line(kept: Kept, width: int) -> Content:
    from skirmish.app.army_words import BAD, DIM, fitted, state_style, state_words

    name = (fitted(kept.record.name, _name_width(width) - 1) + " ", "bold")
    when = (f"  {kept.record.updated[:10]}", DIM) if width >= ROOMY else ""
    if kept.army is None or kept.counted is None:
        return Content.assemble(name, (f"{'':<30}  {'cannot be read':<17}", BAD), when)
    army = kept.army
    nation = army.nation.name if army.nation else "–"
    quality = army.quality.name if army.quality else "–"
    spent = f"{army.spent}/{army.budget}"
    state = (f"{state_words(kept.counted):<17}", state_style(kept.counted))
    return Content.assemble(name, f"{nation:<10}{quality:<9}{spent:>11}  ", state, when)
