"""The battle: both sides, the clock, the shot in hand, the verdict, the journal.

Letters choose: who fires, at whom, then what can change the shot; Space draws. Every order is
kept by ``KeptBattle`` before anything of it is shown.
"""

from __future__ import annotations

from collections.abc import Awaitable
from string import ascii_lowercase
from typing import TYPE_CHECKING, ClassVar, cast

import msgspec
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Input

from skirmish.app.battle_panels import PoolPanel
from skirmish.app.battle_view import BattleView
from skirmish.app.choice import ChoiceScreen
from skirmish.app.draft import Draft, DraftError
from skirmish.app.kept_battle import KeptBattle
from skirmish.games.plastic.battle.events import CasualtyAsk, DrawAsk, OutcomeAsk, RepeatAsk
from skirmish.games.plastic.battle.orders import (
    AnyOrder,
    EndPhase,
    EndTurn,
    Finish,
    Fire,
    Give,
    Hold,
    Show,
)
from skirmish.games.plastic.battle.record import BattleEntry, RecordError
from skirmish.games.plastic.battle.rows import find, rows
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.store.errors import Outrun, StoreError
from skirmish.tabletop.chance import Draw, DrawError, parse_card, parse_roll
from skirmish.tabletop.refusal import Refused

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp


class BattleScreen(Screen[None]):
    """One battle being fought."""

    CSS_PATH = "battle.tcss"
    AUTO_FOCUS = None  # letters belong to the screen; only an awaited draw takes the keyboard
    HELP = (
        "A shot: the letter of who fires, the letter of the target, then Space. Before Space, the "
        "letters shown in the shot line change it: c in cover, h hull down, b from behind, "
        "n within 3 in, l a lone man, w the other weapon.\n"
        "After a hit that may be repeated, Space fires again at the same row. Where the defender "
        "chooses who dies, Enter takes the man proposed, a letter another.\n"
        "The mouse chooses rows as letters do. On a wide screen each row ends with its numbers: "
        "range, then the highest rank that kills guys / unarmored / armored models; + a kill gives "
        "another shot, * only in contact."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "draw", "Draw", tooltip="Fire: draw for the shot in hand"),
        Binding("enter", "accept", "Accept", show=False, tooltip="Take the man proposed"),
        Binding(
            "escape",
            "back",
            "Back",
            show=False,
            tooltip="One step back in the shot; lets a repeat go",
        ),
        Binding(
            "exclamation_mark",
            "insist",
            "!",
            key_display="!",
            show=False,
            tooltip="Fire although the rules advise against it",
        ),
        Binding("full_stop", "same", "Same", key_display=".", tooltip="The same shot once more"),
        Binding("greater_than_sign", "end_phase", "Phase", key_display=">", tooltip="Next phase"),
        Binding("E", "end_turn", "End turn", key_display="E", tooltip="End this player turn"),
        Binding("backspace", "undo", "Undo", key_display="⌫", tooltip="Take the last order back"),
        Binding("ctrl+y", "redo", "Redo", show=False, tooltip="Bring back what was undone"),
        Binding("P", "print", "Print", key_display="P", tooltip="Print its sheet or rosters"),
        Binding("F", "finish", "Finish", key_display="F", show=False, tooltip="Say who won"),
        Binding(
            "G",
            "rulings",
            "Rulings",
            key_display="G",
            show=False,
            tooltip="Gaps in the rules: the rulings of this battle",
        ),
        *(Binding(letter, f"letter('{letter}')", show=False) for letter in ascii_lowercase),
        Binding("pagedown", "page(4)", "More", show=False, tooltip="Further rows of both sides"),
        Binding("pageup", "page(-4)", "Less", show=False, tooltip="Rows before"),
        Binding("H", "home", "Home", key_display="H", tooltip="Home; the battle is kept"),
    ]

    def __init__(self, kept: KeptBattle) -> None:
        super().__init__()
        self.kept = kept
        self.draft = Draft.to_begin(kept.state)
        self._last_shot: Fire | None = self._find_last_shot()

    @property
    def skirmish(self) -> SkirmishApp:
        """The app."""
        return cast("SkirmishApp", self.app)

    def compose(self) -> ComposeResult:
        """The view and the keys."""
        yield BattleView(self.kept.state.setup)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Paint it."""
        self.show_state()
        if isinstance(self.kept.state.ask, OutcomeAsk):
            self.call_after_refresh(self.action_finish)

    def on_resize(self) -> None:
        """More room: more of the journal, larger letters."""
        if self.is_mounted:
            self.show_state()

    def show_state(self, note: str = "") -> None:
        """Everything anew from the state and the draft, with a word to the player if need be."""
        self.query_one(BattleView).show(self.kept.play, self.draft, note)

    # ------------------------------------------------------------------ keys and mouse

    async def action_letter(self, letter: str) -> None:
        """Small letters: rows and toggles. They are bindings like every other key, so that keys
        take effect in the order in which they are pressed."""
        state = self.kept.state
        if state.outcome:
            return
        if isinstance(state.ask, CasualtyAsk):
            await self._give_by_letter(state.ask, letter)
        elif state.ask is None or isinstance(state.ask, RepeatAsk):
            try:
                self.draft = self.draft.pressed(letter, state)
            except DraftError as error:
                self._say(str(error))
                return
            self.show_state()

    async def on_pool_panel_picked(self, event: PoolPanel.Picked) -> None:
        """A row was clicked."""
        state = self.kept.state
        row = find(state, event.row)
        if row is None or state.outcome:
            return
        if isinstance(state.ask, CasualtyAsk):
            await self._order(Give(row.key))
        elif state.ask is None or isinstance(state.ask, RepeatAsk):
            try:
                self.draft = self.draft.picked(row, state)
            except DraftError as error:
                self._say(str(error))
                return
            self.show_state()

    async def on_draw_input_taken_back(self) -> None:
        """The player has not drawn after all."""
        await self.action_undo()

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """A player's own card or roll."""
        ask = self.kept.state.ask
        if not isinstance(ask, DrawAsk):
            return
        try:
            draw = _typed(event.value, ask.die)
        except DrawError as error:
            event.input.clear()
            self._say(f"{error}.")
            return
        event.input.clear()
        await self._order(Show(draw))

    async def action_draw(self) -> None:
        """Fire the shot in hand."""
        ask = self.kept.state.ask
        if isinstance(ask, CasualtyAsk):
            await self._order(Give(ask.default))
            return
        order = self.draft.order
        if order is None:
            self._say("First the letter of who fires, then the letter of the target.")
            return
        await self._order(order)

    async def action_accept(self) -> None:
        """The man proposed dies."""
        ask = self.kept.state.ask
        if isinstance(ask, CasualtyAsk):
            await self._order(Give(ask.default))

    async def action_insist(self) -> None:
        """Fire against the advice of the rules; the journal says so."""
        order = self.draft.order
        if isinstance(order, Fire):
            await self._order(msgspec.structs.replace(order, insist=True))

    async def action_same(self) -> None:
        """The last shot once more, with everything that was said of it."""
        if isinstance(self.kept.state.ask, RepeatAsk):
            await self.action_draw()
        elif self._last_shot is None:
            self._say("There is no last shot yet.")
        else:
            await self._order(self._last_shot)

    async def action_back(self) -> None:
        """One step back; an open repeat shot is let go."""
        if isinstance(self.kept.state.ask, RepeatAsk) and not self.draft.named:
            await self._order(Hold())
        else:
            self.draft = self.draft.back()
            self.show_state()

    async def action_end_phase(self) -> None:
        """Next phase."""
        await self._order(EndPhase())

    async def action_end_turn(self) -> None:
        """The player turn is over."""
        await self._order(EndTurn())

    async def action_undo(self) -> None:
        """Take back the last order."""
        await self._carry_out(self.kept.undo())

    async def action_redo(self) -> None:
        """Bring it back."""
        await self._carry_out(self.kept.redo())

    def action_page(self, by: int) -> None:
        """Other rows, where not all of a side fit."""
        for panel in self.query(PoolPanel):
            panel.turn_page(by)
        self.show_state()

    def action_print(self) -> None:
        """The scenario sheet, or both rosters."""
        from skirmish.app.printing import print_battle

        self.run_worker(print_battle(self.skirmish, self.kept.state.setup))

    def action_rulings(self) -> None:
        """The rulings that this battle is played by."""
        from skirmish.app.rulings_screen import RulingsScreen

        setup = self.kept.state.setup
        number = setup.scenario.number if setup.scenario else None
        self.app.push_screen(RulingsScreen(setup.rulings, number))

    def action_home(self) -> None:
        """Back home; everything is kept."""
        self.dismiss()

    def action_finish(self) -> None:
        """Ask who won."""
        self.run_worker(self._finish(), exclusive=True, group="finish")

    # ------------------------------------------------------------------ orders

    async def _finish(self) -> None:
        setup = self.kept.state.setup
        if self.kept.state.outcome:
            self._say("It is over already; Backspace opens it again.")
            return
        choices = [(side.id, f"{side.people} win") for side in setup.sides]
        chosen = await self.app.push_screen_wait(
            ChoiceScreen("Who won?", setup.victory, [*choices, ("", "Nobody: a draw")])
        )
        if chosen is not None:
            await self._order(Finish(winner=chosen or None))

    async def _give_by_letter(self, ask: CasualtyAsk, letter: str) -> None:
        for row in rows(self.kept.state, ask.side):
            if row.letter == letter and row.key in ask.rows:
                await self._order(Give(row.key))
                return
        self._say(f"{letter} is none of those who may die; Enter takes the man proposed.")

    async def _order(self, order: AnyOrder) -> None:
        if isinstance(order, Fire):
            self._last_shot = msgspec.structs.replace(order, insist=False)
        await self._carry_out(self.kept.give(order))

    async def _carry_out(self, keeping: Awaitable[BattleEntry]) -> None:
        """Wait until it is kept, then show it. Keys pressed meanwhile wait their turn."""
        note = ""
        try:
            await keeping
        except Refused as refused:
            hint = "" if refused.refusal.firm else " ! fires anyway."
            self._say(refused.refusal.says + hint)
            return
        except Outrun as error:
            note = f"{error} This order was not carried out."
        except RecordError as error:
            self.dismiss()
            await self.skirmish.tell("Another program wrote what this one cannot read", str(error))
            return
        except StoreError as error:
            await self.skirmish.tell("This could not be kept, so it did not happen", str(error))
            return
        self.draft = Draft.to_begin(self.kept.state)
        self.show_state(note)
        if isinstance(self.kept.state.ask, OutcomeAsk):
            self.action_finish()

    def _find_last_shot(self) -> Fire | None:
        shots = (entry.order for entry in reversed(self.kept.play.live))
        last = next((order for order in shots if isinstance(order, Fire)), None)
        return last and msgspec.structs.replace(last, insist=False)

    def _say(self, sentence: str) -> None:
        """A word to the player, in the shot panel until the next key."""
        self.show_state(sentence)


def _typed(text: str, die: bool) -> Draw:
    """What a player typed for a draw; raises DrawError."""
    return parse_roll(text, DIE) if die else parse_card(text, DECK[-1].rank)
