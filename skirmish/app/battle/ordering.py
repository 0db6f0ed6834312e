"""What every screen on which a battle is fought does with a step: the next mode, or an order that
is kept before it is shown."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual import events

from skirmish.app.battle.draft import Draft
from skirmish.app.battle.held_key import HeldKey
from skirmish.app.battle.kept import BattleSession
from skirmish.app.battle.mode import NAMES, BackTo, DraftError, Mode, Step, Void
from skirmish.app.battle.openings import insisted, overruling
from skirmish.app.battle.panels import DrawInput
from skirmish.app.battle.paragraph import paragraph_of
from skirmish.app.battle.prompt_again import Tallying
from skirmish.app.battle.prompt_answers import answering
from skirmish.app.battle.prompt_waiting import Typing
from skirmish.app.battle.rooms import BattleRooms
from skirmish.app.battle.typed_draws import typed_draws
from skirmish.games.plastic.battle.agenda import DrawAsk, OutcomeAsk
from skirmish.games.plastic.battle.orders import AnyOrder, EndPhase, EndTurn, Show
from skirmish.games.plastic.battle.record import BattleEntry
from skirmish.games.plastic.battle.state import State
from skirmish.store.errors import Outrun, StoreError
from skirmish.tabletop.chance import DrawError
from skirmish.tabletop.journal import RecordError
from skirmish.tabletop.refusal import Refusal, Refused


class OrderingScreen(BattleRooms):
    """A screen with a mode. ``held`` keeps a key that is held down from drawing twice."""

    GUARD: ClassVar[float] = 0.1
    """Seconds within which a key that comes again is one held down."""

    def __init__(self, kept: BattleSession) -> None:
        super().__init__(kept)
        self.mode: Mode = at_rest(kept.state)
        self.held = HeldKey(self.GUARD)
        self._refused: AnyOrder | None = None
        self._refusal: Refusal | None = None

    @property
    def paragraph(self) -> str:
        """The rule that F1 opens: that of what is on the screen."""
        return paragraph_of(self.kept.play, self.mode, self._refusal)

    @abstractmethod
    def show_state(self, note: str = "") -> None:
        """Everything anew from the state and the mode, with a word to the player if need be."""

    def on_key(self, event: events.Key) -> None:
        """A key held down goes no further. What is typed into the field never comes here."""
        if self.focused is None and self.held.is_dead(event.key, event.time):
            event.stop()
            if self.held.caught:
                name = NAMES.get(event.key, event.character or event.key)
                self._say(f"{name} is held down: it counts twice at most. Let go, press it again.")

    # ------------------------------------------------------------------ orders of every such screen

    async def action_insist(self) -> None:
        """What was just advised against; the journal says so."""
        mode = self.mode.under
        draft = mode if isinstance(mode, Draft) else None
        order = self._refused or (draft.order if draft else None)
        for one in insisted(order, self.state):
            if isinstance(one, Show):
                self.query_one(DrawInput).clear()
            if not await self.order(one):
                return

    async def action_end_phase(self) -> None:
        """Next phase."""
        await self.order(EndPhase())

    async def action_end_turn(self) -> None:
        """The player turn is over."""
        await self.order(EndTurn())

    async def action_undo(self) -> None:
        """One step back in what is begun; else the last order is taken back."""
        if self.mode.begun:
            await self._step(lambda: self.mode.press("backspace", self.kept.play))
        else:
            await self._carry_out(self.kept.undo())

    async def action_redo(self) -> None:
        """Bring it back."""
        await self._carry_out(self.kept.redo())

    async def action_tally(self) -> None:
        """The hits of the volley that waits for its draws, in one count."""
        await self._step(lambda: Tallying.opened(self.state))

    # ------------------------------------------------------------------ a player's own draws

    async def on_draw_input_taken_back(self) -> None:
        """The player has not drawn after all."""
        await self._carry_out(self.kept.undo())

    async def action_take_draws(self) -> None:
        """A player's own cards or rolls, as they stand in the field. Keys that he typed ahead of
        what comes next are pressed there."""
        ask, field = self.state.ask, self.query_one(DrawInput)
        written = field.taken()
        if not isinstance(ask, DrawAsk) or (not written.strip() and await self._typed_nothing()):
            return
        try:
            given = await self.order(Show(typed_draws(written, ask.die)))
        except DrawError as error:
            given = False
            self._say(f"{error}.")
        if not given and len(written.split()) > 1:  # a whole line stays, to be put right
            field.insert(written, 0)
        ahead, field.ahead = field.ahead, ""
        for key in ahead if given else "":
            await self.run_action(f"press('{'space' if key == ' ' else key}')")

    async def _typed_ahead(self, key: str) -> bool:
        """Whether a key was meant for the field for a draw, pressed before that was there."""
        field = self.query_one(DrawInput)
        if not isinstance(self.mode.under, Typing) or field.disabled:
            return False
        character = " " if key == "space" else key
        if len(character) == 1 and field.check_consume_key(key, character):
            field.insert_text_at_cursor(character)
        elif key == "enter" and field.value:
            await self.action_take_draws()
        else:
            return False
        return True

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
            await keeping
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
            await self.skirmish.tell(
                "Another program has written something this one cannot read", str(error)
            )
            return False
        except StoreError as error:
            await self.skirmish.tell("This could not be saved, so it was not done", str(error))
            return False
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
