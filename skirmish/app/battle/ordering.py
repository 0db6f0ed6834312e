"""What every screen on which a battle is fought does with a step: the next mode, or an order that
is kept before it is shown."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import ClassVar

from textual.widgets import Input

from skirmish.app.battle.draft import Draft
from skirmish.app.battle.held_key import HeldKey
from skirmish.app.battle.kept import KeptBattle
from skirmish.app.battle.mode import BackTo, DraftError, Mode, Step, Void
from skirmish.app.battle.openings import insisted, overruling
from skirmish.app.battle.panels import DrawInput
from skirmish.app.battle.paragraph import paragraph_of
from skirmish.app.battle.prompt_answers import answering
from skirmish.app.battle.rooms import BattleRooms
from skirmish.app.battle.typed_draws import typed_draws
from skirmish.app.battle.verdict_words import SHOWN
from skirmish.games.plastic.battle.agenda import DrawAsk, OutcomeAsk
from skirmish.games.plastic.battle.orders import AnyOrder, EndPhase, EndTurn, Show
from skirmish.games.plastic.battle.record import BattleEntry, RecordError
from skirmish.games.plastic.battle.state import State
from skirmish.store.errors import Outrun, StoreError
from skirmish.tabletop.chance import DrawError
from skirmish.tabletop.refusal import Refusal, Refused


class OrderingScreen(BattleRooms):
    """A screen with a mode. ``held`` keeps a key that is held down from drawing twice; ``now``
    tells the time in seconds."""

    GUARD: ClassVar[float] = 0.3
    """Seconds for which a key that draws is dead after a verdict."""

    def __init__(self, kept: KeptBattle, now: Callable[[], float] = monotonic) -> None:
        super().__init__(kept)
        self.mode: Mode = at_rest(kept.state)
        self.held = HeldKey(self.GUARD, now)
        self._key = ""
        self._refused: AnyOrder | None = None
        self._refusal: Refusal | None = None

    @property
    def paragraph(self) -> str:
        """The rule that F1 opens: that of what is on the screen."""
        return paragraph_of(self.kept.play, self.mode, self._refusal)

    @abstractmethod
    def show_state(self, note: str = "") -> None:
        """Everything anew from the state and the mode, with a word to the player if need be."""

    # ------------------------------------------------------------------ orders of every such screen

    async def action_insist(self) -> None:
        """What was just advised against; the journal says so."""
        mode = self.mode.under
        draft = mode if isinstance(mode, Draft) else None
        order = self._refused or (draft.order if draft else None)
        for one in insisted(order, self.state):
            if not await self.order(one):
                return

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
            self._alive("backspace")
            await self._step(lambda: self.mode.press("backspace", self.kept.play))
        else:
            await self._carry_out(self.kept.undo())

    async def action_redo(self) -> None:
        """Bring it back."""
        await self._carry_out(self.kept.redo())

    # ------------------------------------------------------------------ a player's own draws

    async def on_draw_input_taken_back(self) -> None:
        """The player has not drawn after all."""
        await self._carry_out(self.kept.undo())

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """A player's own cards or rolls."""
        ask = self.state.ask
        if not isinstance(event.input, DrawInput) or not isinstance(ask, DrawAsk):
            return
        if not event.value.strip() and await self._typed_nothing():
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

    async def _typed_nothing(self) -> bool:
        """Whether Enter in an empty field was something else than a draw. (A handler of its own
        would be called besides this one.)"""
        return False

    # ------------------------------------------------------------------ steps

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
        self._refused = self._refusal = None
        self.show_state()

    def _alive(self, key: str) -> bool:
        """Whether a key is pressed anew, and not held down since it showed a verdict."""
        self._key = key
        return not self.held.is_dead(key)

    async def order(self, order: AnyOrder) -> bool:
        """Carry out an order; whether that could be done."""
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
            self._refusal = refused.refusal
            self.mode = self.mode.refused()
            self._say(self._advised(refused, order) if advice else str(refused))
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
        self._refused = self._refusal = None
        self.mode = at_rest(self.state)
        self.show_state(note)
        self._ask_who_won()
        return not note

    def _ask_who_won(self) -> None:
        ask = self.state.ask
        if isinstance(ask, OutcomeAsk) and not ask.count and self.state.outcome is None:
            self.call_after_refresh(self.action_finish)

    def _advised(self, refused: Refused, order: AnyOrder | None) -> str:
        """What is said where the players may insist."""
        return f"{refused.refusal.says} ! {overruling(order)}"

    def _say(self, sentence: str) -> None:
        """A word to the player until the next key."""
        self.show_state(sentence)


def at_rest(state: State) -> Mode:
    """The mode of a state: the question that is open, else a shot to be drafted."""
    return answering(state) or Draft.to_begin(state)
