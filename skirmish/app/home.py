"""Home: the latest battles, and one key for each thing that can be done."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish import registry
from skirmish.app.home_menu import COLUMNS, TOPIC, bindings, menu_column, menu_key
from skirmish.app.host import Screen
from skirmish.registry import BATTLE
from skirmish.store.moments import minute

if TYPE_CHECKING:
    from collections.abc import Callable

    from skirmish.store.desk import Store
    from skirmish.store.records import BattleRecord

CONTINUE = "CONTINUE"
FIRST = Option(
    Content.assemble(
        ("Your first evening\n", "bold"),
        "A small battle of two ready armies, explained as you play.",
    ),
    id="first-evening",
)
"""Offered as long as there is no battle."""
SHOWN = 50
"""How many battles the list holds; older ones stay in the database."""
AROUND = 6
"""Columns of a line that the number, the gaps and the scroll bar take."""
WHEN = 16
"""Columns of a date with its time."""


class HomeScreen(Screen[None]):
    """The first screen. The menu is static text, keys and all: it is there with the first paint,
    and no footer has to be built before a key is taken."""

    TOPIC: ClassVar[str] = TOPIC
    HELP = (
        "Choose a battle with the arrows and press Enter to continue it. A letter opens everything "
        "else; the mouse does both. Each battle shows its turn and who is ahead: by what the "
        "victory terms count or, where that is counted only at the end, by losses."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(),
        Binding(
            "delete",
            "remove",
            "Remove",
            show=False,
            tooltip="Remove the chosen battle from the list",
            id="home.remove",
        ),
        Binding(
            "u",
            "bring_back",
            "Bring back",
            show=False,
            tooltip="Bring back the removed battle",
            id="home.bring_back",
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._removed: BattleRecord | None = None
        self._battles: list[BattleRecord] = []
        self._looked = False

    def compose(self) -> ComposeResult:
        """Title, menu, battles."""
        keys = self.skirmish.settings.keys
        with Vertical(id="home"):
            with Vertical(id="start"):
                yield Static("SKIRMISH", id="name", markup=False)
                yield Static(
                    "WWII Plastic Skirmish at the table's edge", classes="quiet", markup=False
                )
                with Horizontal(id="menu"):
                    for number in range(COLUMNS):
                        yield Static(menu_column(number, keys), classes="menu", markup=False)
            with Vertical(id="past"):
                yield Static(CONTINUE, classes="section", markup=False)
                yield OptionList(id="battles", classes="lines", markup=False)
                yield Static("", id="none", classes="quiet", markup=False)
        yield Static(self._keys, id="home-keys", markup=False)

    def on_mount(self) -> None:
        """Look for battles once the menu is on the screen."""
        self.call_after_refresh(self.run_worker, self._first_look, group="look", exclusive=True)

    def on_resize(self) -> None:
        """Lines are cut to the new width."""
        if self._battles:
            self._show(self._battles)

    def on_screen_resume(self) -> None:
        """Back from elsewhere: a battle may stand otherwise now, a key may be another."""
        if self._looked:
            for number, column in enumerate(self.query(".menu").results(Static)):
                column.update(menu_column(number, self.skirmish.settings.keys))
            self.run_worker(self._look(), group="look", exclusive=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What is about a battle needs one."""
        if action in ("follow", "remove"):
            return True if self._battles else None
        return True if action != "bring_back" or self._removed else None

    async def _first_look(self) -> None:
        """The quick query first; then the store, which may have to make or mend the file."""
        from skirmish.store.glance import recent_battles

        glanced = await asyncio.to_thread(recent_battles, self.skirmish.where, SHOWN)
        if glanced is not None:
            self._show(glanced)
        self._looked = True
        if glanced is None:
            await self._look()
        else:  # the list is there already; the ORM need not load in the way of the first keys
            self.set_timer(1.0, self._look_quietly)

    def _look_quietly(self) -> None:
        self.run_worker(self._look(quiet=True), group="look", exclusive=True)

    async def _look(self, quiet: bool = False) -> None:
        from skirmish.store.errors import StoreError

        try:
            battles = await self.skirmish.stored(lambda store: store.battles(SHOWN))
        except StoreError as error:
            self._show([])
            self.query_one("#battles").display = False
            self.query_one("#none", Static).update(f"The database cannot be used. {error}")
            return
        if not quiet or battles != self._battles:
            self._show(battles)

    def _show(self, battles: list[BattleRecord]) -> None:
        if not self.query("#battles"):
            return  # closed while the store was at work
        self._battles, self._looked = battles, True
        listed = self.query_one("#battles", OptionList)
        chosen = listed.highlighted
        width = self.query_one("#past").content_size.width - AROUND
        listed.clear_options()
        listed.add_options([_option(battle, width) for battle in battles] or [FIRST])
        listed.highlighted = min(chosen or 0, max(0, len(battles) - 1))
        if self.app.screen is self:
            listed.focus()
        listed.display = True
        new = menu_key("new_battle", self.skirmish.settings.keys)
        hint = "" if battles else f"Or press {new} for any other battle. It is saved automatically."
        self.query_one("#none", Static).update(hint)
        self.query_one(".section", Static).update(CONTINUE if battles else "START HERE")
        self.query_one("#home-keys", Static).update(self._keys)
        self.refresh_bindings()

    @property
    def _keys(self) -> Content:
        """The keys that are of use now."""
        mapped, back = self.skirmish.settings.keys, bool(self._removed)
        keys = [("Enter", "Continue" if self._battles or not self._looked else "Start")]
        keys += [(menu_key("remove", mapped), "Remove")] if self._battles else []
        keys += [(menu_key("bring_back", mapped), "Bring back")] if back else []
        keys += [("?", "Keys"), ("Ctrl+P", "Commands"), (menu_key("quit", mapped), "Quit")]
        return Content("   ").join(
            Content.assemble((key, "$accent bold"), f" {word}") for key, word in keys
        )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Continue the battle, or begin the first."""
        if event.option_id == FIRST.id:
            from skirmish.app.play.setup import begin
            from skirmish.games.plastic.setup_fields import BATTLE
            from skirmish.games.plastic.setup_fields import FIRST as FIRST_BATTLE

            game = registry.load("plastic")
            first = begin(self.skirmish, game, {BATTLE: FIRST_BATTLE})
            self.run_worker(first, group="resume", exclusive=True)
            return
        from skirmish.app.resuming import resume

        chosen = next((one for one in self._battles if str(one.id) == event.option_id), None)
        if chosen is not None:
            self.run_worker(resume(self.skirmish, chosen), group="resume", exclusive=True)

    # ------------------------------------------------------------------ the menu

    def action_new_battle(self) -> None:
        """Choose what to fight."""
        self.skirmish.show("scenarios")

    def action_scenarios(self) -> None:
        """The scenarios."""
        self.skirmish.show("scenarios")

    def action_armies(self) -> None:
        """The armies."""
        self.skirmish.show("armies")

    def action_beach(self) -> None:
        """Beach Head: a new game, or one to go on with."""
        self.skirmish.show("games", "beach_head")

    def action_games(self) -> None:
        """The other games."""
        self.skirmish.show("games")

    def action_print(self) -> None:
        """Choose what to print."""
        from skirmish.app.print_choice import choose_what_to_print

        self.run_worker(choose_what_to_print(self.skirmish, self._chosen()), group="print")

    def action_follow(self) -> None:
        """The chosen battle, read only."""
        chosen = self._chosen()
        if chosen and chosen.game != BATTLE.id:
            self.skirmish.show("follow game", chosen.game, chosen.id)
        elif chosen:
            self.skirmish.show("follow", chosen.id)
        else:
            self.notify("There is no battle to follow yet.", markup=False)

    def action_rulings(self) -> None:
        """The gaps in the rules, and how the player has them filled as a rule."""
        self.skirmish.show("rulings")

    def action_settings(self) -> None:
        """The settings."""
        self.skirmish.show("settings")

    # ------------------------------------------------------------------ the list

    def _chosen(self) -> BattleRecord | None:
        chosen = self.query_one("#battles", OptionList).highlighted
        return None if chosen is None or not self._battles else self._battles[chosen]

    async def action_remove(self) -> None:
        """Remove the chosen battle from the list; it can be brought back."""
        battle = self._chosen()
        if battle and await self._done(lambda store: store.remove_battle(battle.id)):
            self._removed = battle
            back = menu_key("bring_back", self.skirmish.settings.keys)
            self.notify(
                f"{battle.title} is removed from the list. {back} undoes this.", markup=False
            )
            await self._look()

    async def action_bring_back(self) -> None:
        """Bring back what was taken off last."""
        battle = self._removed
        if battle and await self._done(lambda store: store.restore_battle(battle.id)):
            self._removed = None
            self.notify(f"{battle.title} is back on the list.", markup=False)
            await self._look()

    async def _done(self, job: Callable[[Store], None]) -> bool:
        """Whether the store could do it; if not, the player is told."""
        from skirmish.store.errors import StoreError

        try:
            await self.skirmish.stored(job)
        except StoreError as error:
            await self.skirmish.tell("Not done", str(error))
            return False
        return True


def _option(battle: BattleRecord, width: int) -> Option:
    """A battle in two lines: number, title and date; turn, and who is ahead."""
    title = Content(battle.title).truncate(max(width - WHEN - 2, 10), ellipsis=True, pad=True)
    stands = Content("\n     ").join(Content(battle.headline).wrap(max(width, 10)))
    return Option(
        Content.assemble(
            (f"{battle.id:>3}  ", "bold"),
            title.stylize("bold"),
            (f"  {minute(battle.updated)}\n", "$foreground 65%"),
            "     ",
            stands.stylize("$foreground 80%"),
        ),
        id=str(battle.id),
    )
