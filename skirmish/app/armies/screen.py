"""The armies that are kept: open one, begin one, copy, rename, remove, compare, print."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import Resize
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish.app.armies import keys as army_keys
from skirmish.app.binding import key_in_force, key_name
from skirmish.app.foot import Foot
from skirmish.app.host import Screen

if TYPE_CHECKING:
    from skirmish.app.armies.deeds import ArmyDeeds, Done
    from skirmish.app.armies.keeping import KeptArmy
    from skirmish.app.armies.rows import Kept
    from skirmish.games.plastic.rules.army import Army

EMPTY = (
    "No armies yet. Press {key} to build one, from a template or from nothing. "
    "It is saved automatically."
)

MARKED = "Marked. Choose another army and press {key} to compare the two."


class ArmiesScreen(Screen[None]):
    """All armies, the newest change first."""

    CSS_PATH = "armies.tcss"
    TOPIC: ClassVar[str] = "armies"
    HELP = (
        "Choose an army with the arrows; Enter opens it. Copies, new names and removals can be "
        "undone one after the other.\n\n"
        "To compare two armies, mark one, choose the other and press Compare."
    )
    BINDINGS: ClassVar[list[BindingType]] = army_keys.ARMIES

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[Kept] = []
        self._marked: int | None = None
        self._opened: KeptArmy | None = None
        self._looked = False
        self._deeds: ArmyDeeds | None = None

    @property
    def deeds(self) -> ArmyDeeds:
        """What was done here and can be taken back."""
        if self._deeds is None:
            from skirmish.app.armies.deeds import ArmyDeeds

            self._deeds = ArmyDeeds(self.skirmish.stored)
        return self._deeds

    def compose(self) -> ComposeResult:
        """Title, list, what is to be known of the chosen army."""
        yield Static("ARMIES", id="armies-title", classes="title", markup=False)
        yield Static("", id="armies-head", classes="quiet", markup=False)
        yield OptionList(id="armies", markup=False)
        yield Static("", id="armies-none", markup=False)
        yield Static("", id="armies-told", markup=False)
        yield Foot()

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
        if action in ("copy", "rename", "remove", "print", "mark"):
            return bool(self._kept) or None
        if action == "compare":
            return len(self._kept) > 1 or None
        if action == "undo":
            return (self._deeds is not None and self._deeds.can_undo) or None
        return True

    # What the keys do

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the army."""
        kept = self._chosen()
        if kept is not None:
            self.run_worker(self._open(kept), exclusive=True)

    def on_option_list_option_highlighted(self) -> None:
        """Another army: tell about it."""
        self._tell()

    def action_new(self) -> None:
        """Ask what it begins from, then build it."""
        self.run_worker(self._new(), exclusive=True)

    def action_copy(self) -> None:
        """Another army like the chosen one."""
        army = self._readable("copied")
        if army is not None:
            taken = [other.record.name for other in self._kept]
            self._do(self.deeds.copy(army.listed, taken), "Not copied")

    def action_rename(self) -> None:
        """Another name for the chosen army."""
        kept = self._chosen()
        if kept is not None and self._readable("renamed") is not None:
            self.run_worker(self._rename(kept), exclusive=True)

    def action_remove(self) -> None:
        """Take the chosen army off the list."""
        kept = self._chosen()
        if kept is not None:
            self._do(self.deeds.remove(kept.record), "Not removed")

    def action_undo(self) -> None:
        """Take back what was done last."""
        if self.deeds.can_undo:
            self._do(self.deeds.undo(), "Not undone", undoing=True)

    def action_mark(self) -> None:
        """Mark the chosen army, or take the mark away."""
        number = self._chosen_number()
        self._marked = None if self._marked == number else number
        self._show(number)

    def action_compare(self) -> None:
        """The marked army and the chosen one; without a mark, this is the one to mark."""
        chosen, marked = self._chosen(), self._by_number(self._marked)
        if chosen is None:
            return
        if marked is None or marked is chosen:
            self._marked = chosen.record.id
            self._show(chosen.record.id)
            return
        one, other = self._readable("compared", marked), self._readable("compared", chosen)
        if one is not None and other is not None:
            from skirmish.app.armies.compare import ArmyCompareScreen

            self.app.push_screen(ArmyCompareScreen(one, other))

    def action_figures(self) -> None:
        """What is owned, beside what the chosen army needs."""
        from skirmish.app.armies.figures import FiguresScreen

        kept = self._chosen()
        self.app.push_screen(FiguresScreen(kept.army if kept else None))

    def action_print(self) -> None:
        """The roster of the chosen army."""
        army = self._readable("printed")
        if army is not None:
            from skirmish.app.printing import print_roster

            self.run_worker(print_roster(self.skirmish, army))

    # Going there

    async def _open(self, kept: Kept) -> None:
        army = self._readable("opened")
        if army is not None:
            await self._build(army, kept.record.id)

    async def _new(self) -> None:
        from skirmish import library
        from skirmish.app.armies.new import begin
        from skirmish.games.plastic.rules.army import muster

        listed = await begin(self.skirmish, [kept.record.name for kept in self._kept])
        if listed is not None:
            await self._build(muster(listed, library.catalog(), library.rulings()))

    async def _build(self, army: Army, number: int | None = None) -> None:
        from skirmish.app.armies.builder import ArmyBuilderScreen
        from skirmish.app.armies.keeping import KeptArmy

        self._opened = KeptArmy(self.skirmish.stored, army, number)
        await self.app.push_screen(ArmyBuilderScreen(self._opened))

    async def _rename(self, kept: Kept) -> None:
        from skirmish.app.armies.form import ask_name

        name = await ask_name(self.skirmish, kept.record.name)
        if name is not None:
            self._do(self.deeds.rename(kept.record.id, name), "Not renamed")

    # What is done

    def _do(self, deed: Awaitable[Done], failed: str, *, undoing: bool = False) -> None:
        """Do it, say so with the key that takes it back, and show the list anew."""
        self.run_worker(self._done(deed, failed, undoing), group="deeds")

    async def _done(self, deed: Awaitable[Done], failed: str, undoing: bool) -> None:
        from skirmish.store.errors import StoreError
        from skirmish.tabletop.reading import DataError

        try:
            done = await deed
        except (StoreError, DataError) as error:
            await self.skirmish.tell(failed, str(error))
            return
        back = "" if undoing else f" {self._key('undo', 'u')} undoes this."
        self.app.clear_notifications()  # one at a time: they lie over the list
        self.notify(done.says + back, timeout=6, markup=False)
        await self._look(done.number)

    # What is shown

    async def _look(self, chosen: int | None = None) -> None:
        """Read the list anew, the line of army ``chosen`` (else the present one) chosen."""
        from skirmish.games.plastic.army_file import GAME
        from skirmish.store.errors import StoreError

        try:
            records = await self.skirmish.stored(lambda store: store.armies())
        except StoreError as error:
            await self.skirmish.tell("The database cannot be used", str(error))
            return
        from skirmish.app.armies.rows import read

        ours = [record for record in records if record.game == GAME]
        before = self._chosen_number()
        self._kept = await asyncio.to_thread(lambda: [read(record) for record in ours])
        self._looked = True
        self._show(before if chosen is None else chosen)

    def _show(self, chosen: int | None) -> None:
        from skirmish.app.armies.rows import head, line

        listed = self.query_one("#armies", OptionList)
        at = listed.highlighted or 0
        listed.display = bool(self._kept)
        width = self.size.width - 5  # the list's padding and its scrollbar
        listed.set_options(
            Option(line(kept, width, kept.record.id == self._marked), id=str(kept.record.id))
            for kept in self._kept
        )
        none = "" if self._kept else EMPTY.format(key=self._key("new", "n"))
        self.query_one("#armies-none", Static).update(none)
        self.query_one("#armies-head", Static).update(head(width) if self._kept else "")
        if self._kept:
            numbers = [kept.record.id for kept in self._kept]
            at = numbers.index(chosen) if chosen in numbers else min(at, len(numbers) - 1)
            listed.highlighted = at
            listed.focus()
        self._tell()
        self.refresh_bindings()

    def _tell(self) -> None:
        from skirmish.app.armies.rows import told

        words = told(self._chosen())
        if self._marked is not None and self._marked == self._chosen_number():
            words = Content(MARKED.format(key=self._key("compare", "v")))
        self.query_one("#armies-told", Static).update(words)

    def _key(self, name: str, usual: str) -> str:
        return key_name(key_in_force(self.skirmish.settings.keys, f"armies.{name}", usual))

    def _chosen(self) -> Kept | None:
        at = self.query_one("#armies", OptionList).highlighted
        return self._kept[at] if at is not None and at < len(self._kept) else None

    def _chosen_number(self) -> int | None:
        chosen = self._chosen()
        return chosen.record.id if chosen else None

    def _by_number(self, number: int | None) -> Kept | None:
        return next((kept for kept in self._kept if kept.record.id == number), None)

    def _readable(self, done: str, kept: Kept | None = None) -> Army | None:
        """The army of ``kept``, else the chosen one; where it cannot be read, players are told
        why it cannot be ``done``."""
        kept = kept or self._chosen()
        if kept is not None and kept.army is None:
            self.run_worker(self.skirmish.tell(f"This army cannot be {done}", kept.trouble))
        return kept.army if kept else None
