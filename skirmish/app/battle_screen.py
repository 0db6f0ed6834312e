"""The battle: both sides, the clock, the shot in hand, the verdict, the journal.

Letters choose: who fires, at whom, then what can change the shot; Space draws. What keys mean just
now is the business of a mode; every order is kept by ``KeptBattle`` before anything is shown.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from time import monotonic
from typing import ClassVar

import msgspec
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input

from skirmish.app.battle_keys import bindings
from skirmish.app.battle_panels import DrawInput, PoolPanel
from skirmish.app.battle_rooms import BattleRooms
from skirmish.app.battle_view import BattleView
from skirmish.app.draft import Draft
from skirmish.app.held_key import HeldKey
from skirmish.app.kept_battle import KeptBattle
from skirmish.app.mode import BackTo, DraftError, Mode, Step, Void
from skirmish.app.openings import insisted, opened, overruling
from skirmish.app.prompt_again import Judging, Looking
from skirmish.app.prompt_answers import answering
from skirmish.app.prompt_lists import all_of_the_wave
from skirmish.app.prompt_waiting import Over
from skirmish.app.typed_draws import typed_draws
from skirmish.app.verdict_words import SHOWN
from skirmish.games.plastic.battle.agenda import CasualtyAsk, DrawAsk, OutcomeAsk, RepeatAsk
from skirmish.games.plastic.battle.orders import (
    AnyOrder,
    CallTable,
    ClearWire,
    EndPhase,
    EndTurn,
    Fire,
    GroupMoved,
    PinTest,
    Show,
)
from skirmish.games.plastic.battle.record import BattleEntry, RecordError
from skirmish.games.plastic.battle.rows import find
from skirmish.games.plastic.battle.state import State
from skirmish.store.errors import Outrun, StoreError
from skirmish.tabletop.chance import DrawError
from skirmish.tabletop.refusal import Refused


class BattleScreen(BattleRooms):
    """One battle being fought. ``held`` keeps a key that is held down from drawing twice."""

    CSS_PATH = "battle.tcss"
    AUTO_FOCUS = None  # letters belong to the screen; only an awaited draw takes the keyboard
    GUARD: ClassVar[float] = 0.3
    """Seconds for which a key that draws is dead after a verdict."""
    HELP = (
        "A shot: the letter of who fires, the letter of the target, then Space. Before Space, the "
        "letters shown in the shot line change it: c in cover, h hull down, b from behind, "
        "n within 3 in, l a lone man, w the other weapon.\n"
        "A volley: 15rr8 and Space, fifteen r at a group of r with eight men in reach.\n"
        "After a hit that may be repeated, Space fires again at the same row. Where the defender "
        "chooses who dies, Enter takes the man proposed, a letter another.\n"
        "He was in cover after all: Tab c. A line three up was wrong: Up Up Up v Enter.\n"
        "The mouse chooses rows as letters do. On a wide screen each row ends with its numbers: "
        "range, then the highest rank that kills guys / unarmored / armored models; + a kill gives "
        "another shot, * only in contact."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings()

    def __init__(self, kept: KeptBattle, now: Callable[[], float] = monotonic) -> None:
        super().__init__(kept)
        self.mode: Mode = at_rest(kept.state)
        self.held = HeldKey(self.GUARD, now)
        self._key = ""
        self._refused: AnyOrder | None = None
        self._last_shot: Fire | None = self._find_last_shot()

    def compose(self) -> ComposeResult:
        """The view; its last line are the keys."""
        yield BattleView(self.state.setup)

    def on_mount(self) -> None:
        """Paint it."""
        self.show_state()
        self._ask_who_won()

    def on_resize(self) -> None:
        """More room: more of the journal, larger letters."""
        if self.is_mounted:
            self.show_state()

    def show_state(self, note: str = "") -> None:
        """Everything anew from the state and the mode, with a word to the player if need be."""
        self.query_one(BattleView).show(self.kept.play, self.mode, note)

    # ------------------------------------------------------------------ keys and mouse

    async def action_press(self, key: str) -> None:
        """Letters, digits and the keys that step, accept and draw. They are bindings like every
        other key, so that keys take effect in the order in which they are pressed."""
        if not self._alive(key):
            return
        mode = self.mode
        resting = isinstance(mode, Draft) and not mode.begun
        over = isinstance(mode, Over) and key in ("tab", "up")  # what decided it may be judged anew
        if over or (resting and key in ("tab", "up", "enter")):
            await self._step(lambda: self._at_rest(key))
        elif key == "tab" and isinstance(self.state.ask, CasualtyAsk):
            await self._step(lambda: Judging.opened(self.state))
        else:
            await self._step(lambda: mode.press(key, self.kept.play))

    def _at_rest(self, key: str) -> Step:
        """Keys that begin something else where nothing is drafted."""
        if key == "tab":
            return Judging.opened(self.state)
        if key == "up":
            return Looking.opened(self.kept.play)
        if isinstance(self.state.ask, RepeatAsk):
            raise DraftError("Space fires again, a letter takes another target, Esc lets it go.")
        return all_of_the_wave(self.state)

    async def on_pool_panel_picked(self, event: PoolPanel.Picked) -> None:
        """A row was clicked."""
        row = find(self.state, event.row)
        if row is not None:
            await self._step(lambda: self.mode.picked(row, self.kept.play))

    async def action_open(self, what: str) -> None:
        """A question that a capital or a sign opens; it is refused while an answer is awaited."""
        await self._step(lambda: opened(what, self.state))

    async def action_dig(self) -> None:
        """Dig in: at once where everybody digs alike, else it is asked who digs."""
        if not self._alive("D"):
            return
        await self._step(lambda: opened("dig", self.state))

    async def action_moved(self) -> None:
        """A group has moved: its command draw."""
        if self._alive("M"):
            await self.order(GroupMoved())

    async def action_pin(self) -> None:
        """A pin test by hand, of the side that is shot at."""
        if self._alive("K"):
            await self.order(PinTest(self.state.setup.enemy_of(self.state.firing_side).id))

    async def action_wire(self) -> None:
        """A segment of wire goes."""
        await self.order(ClearWire(self.state.mover))

    async def action_insist(self) -> None:
        """What was just advised against; the journal says so."""
        draft = self.mode if isinstance(self.mode, Draft) else None
        order = self._refused or (draft.order if draft else None)
        for one in insisted(order, self.state):
            if not await self.order(one):
                return

    async def action_same(self) -> None:
        """The last shot once more, with everything that was said of it."""
        if not self._alive("full_stop"):
            return
        if isinstance(self.state.ask, RepeatAsk):
            await self._step(lambda: Draft.to_begin(self.state).press("space", self.kept.play))
        elif self._last_shot is None:
            self._say("There is no last shot yet.")
        else:
            await self.order(self._last_shot)

    async def action_call_table(self) -> None:
        """Draw on the scenario's table by hand."""
        await self.order(CallTable())

    async def action_end_phase(self) -> None:
        """Next phase."""
        if self._alive(">") and await self.order(EndPhase()):
            self.held.begin(">")

    async def action_end_turn(self) -> None:
        """The player turn is over."""
        if self._alive("E") and await self.order(EndTurn()):
            self.held.begin("E")

    async def action_undo(self) -> None:
        """One step back in what is begun; else the last order is taken back."""
        if self.mode.begun:
            await self.action_press("backspace")
        else:
            await self._carry_out(self.kept.undo())

    async def action_redo(self) -> None:
        """Bring it back."""
        await self._carry_out(self.kept.redo())

    def action_page(self, by: int) -> None:
        """Other rows, where not all of a side fit."""
        for panel in self.query(PoolPanel):
            panel.turn_page(by)
        self.show_state()

    # ------------------------------------------------------------------ a player's own draws

    async def on_draw_input_taken_back(self) -> None:
        """The player has not drawn after all."""
        await self._carry_out(self.kept.undo())

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """A player's own cards or rolls."""
        ask = self.state.ask
        if not isinstance(event.input, DrawInput) or not isinstance(ask, DrawAsk):
            return
        try:
            draws = typed_draws(event.value, ask.die)
        except DrawError as error:
            if len(event.value.split()) == 1:  # a whole line stays, to be put right
                event.input.clear()
            self._say(f"{error}.")
            return
        event.input.clear()
        self._key = "enter"
        await self.order(Show(draws))

    # ------------------------------------------------------------------ orders

    async def _step(self, step: Callable[[], Step]) -> None:
        """Go on to the next mode, or carry out what the step came to."""
        try:
            result = step()
        except DraftError as error:
            self._say(str(error))
            return
        match result:
            case Mode():
                self._rest(result)
            case None:
                self._rest(at_rest(self.state))
            case Void(numbers=numbers):
                await self._carry_out(self.kept.void(numbers))
            case BackTo(number=number):
                await self._carry_out(self.kept.back(number))
            case _:
                await self.order(result)

    def _rest(self, mode: Mode) -> None:
        self.mode = mode
        self._refused = None
        self.show_state()

    def _alive(self, key: str) -> bool:
        """Whether a key is pressed anew, and not held down since it showed a verdict."""
        self._key = key
        return not self.held.is_dead(key)

    async def order(self, order: AnyOrder) -> bool:
        """Carry out an order; whether that could be done."""
        if isinstance(order, Fire):
            self._last_shot = msgspec.structs.replace(order, insist=False)
        return await self._carry_out(self.kept.give(order), order)

    async def _carry_out(
        self, keeping: Awaitable[BattleEntry], order: AnyOrder | None = None
    ) -> bool:
        """Wait until it is kept, then show it; whether it was carried out. Keys pressed meanwhile
        wait their turn."""
        note = ""
        try:
            entry = await keeping
        except Refused as refused:
            advice = not refused.refusal.firm and order is not None
            self._refused = order if advice else None
            self._say(f"{refused.refusal.says} ! {overruling(order)}" if advice else str(refused))
            return False
        except Outrun as error:
            note = f"{error} This order was not carried out."
        except RecordError as error:
            self.dismiss()
            await self.skirmish.tell("Another program wrote what this one cannot read", str(error))
            return False
        except StoreError as error:
            await self.skirmish.tell("This could not be kept, so it did not happen", str(error))
            return False
        else:
            if any(isinstance(event, SHOWN) for event in entry.events):
                self.held.begin(self._key)
        self._refused = None
        self.mode = at_rest(self.state)
        self.show_state(note)
        self._ask_who_won()
        return not note

    def _ask_who_won(self) -> None:
        ask = self.state.ask
        if isinstance(ask, OutcomeAsk) and not ask.count and self.state.outcome is None:
            self.call_after_refresh(self.action_finish)

    def _find_last_shot(self) -> Fire | None:
        shots = (entry.order for entry in reversed(self.kept.play.live))
        last = next((order for order in shots if isinstance(order, Fire)), None)
        return last and msgspec.structs.replace(last, insist=False)

    def _say(self, sentence: str) -> None:
        """A word to the player, in the shot panel until the next key."""
        self.show_state(sentence)


def at_rest(state: State) -> Mode:
    """The mode of a state: the question that is open, else a shot to be drafted."""
    return answering(state) or Draft.to_begin(state)
