"""The game: Space lets the dice count and rolls the next ones, a card's rank changes a die, a digit
chooses. Every order is kept by ``KeptBeach`` before anything is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from skirmish.app.beach.kept import OUTRUN, KeptBeach
from skirmish.app.beach.keys import SIGNS, TOPIC, bindings
from skirmish.app.beach.place import place_of
from skirmish.app.beach.prompt import Draft, UnfitError, press
from skirmish.app.beach.view import BeachView
from skirmish.app.guard import Screen
from skirmish.games.beach_head.agenda import CardsAsk, DiceAsk, LotAsk
from skirmish.games.beach_head.orders import AnyOrder, Go
from skirmish.games.beach_head.policies_cards import uses
from skirmish.games.beach_head.record import BeachEntry
from skirmish.games.beach_head.state import State
from skirmish.store.errors import Outrun, StoreError
from skirmish.tabletop.record import RecordError
from skirmish.tabletop.refusal import Refused

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp
    from skirmish.games.beach_head.advice import Advice


class BeachScreen(Screen[None]):
    """One game of Beach Head. ``draft`` is what the player has begun to answer."""

    CSS_PATH = "beach.tcss"
    AUTO_FOCUS = None
    TOPIC: ClassVar[str] = TOPIC
    HELP = (
        "Space lets the roll count and makes the next one; it stops where you must choose. g goes "
        "on to the next choice, or to a German roll that a card could soften.\n"
        "A card is played on a roll, German rolls too, by its rank: a, 2 to 9, 0 for a ten, j, q, "
        "k. If it could go on different dice, type what the die shows.\n"
        "Choose targets and tanks by the digit beside them on the beach. Mark cards to exchange or "
        "to discard by rank, a King with a capital K; then press Space. At the end of a turn "
        "Space proposes which cards to discard.\n"
        "Type your own dice as digits and your own cards by rank; no Enter is needed.\n"
        "Undo brings the same dice back. Every step is saved as you make it."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings()

    def __init__(self, kept: KeptBeach) -> None:
        super().__init__()
        self.kept = kept
        self.draft = Draft()
        self._aside: Content | None = None
        self._advice: Advice | None = None

    @property
    def skirmish(self) -> SkirmishApp:
        """The app."""
        return cast("SkirmishApp", self.app)

    @property
    def state(self) -> State:
        """Where the game stands."""
        return self.kept.state

    def compose(self) -> ComposeResult:
        """The view; its last line are the keys."""
        yield BeachView()

    def on_mount(self) -> None:
        """Paint it."""
        self.show_state()
        self._look_up_place()

    def on_resize(self) -> None:
        """Larger gauges, more of the chronicle."""
        if self.is_mounted:
            self.show_state()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what means nothing now."""
        over = self.state.over
        match action:
            case "undo":
                return None if len(self.kept.play.acts) == 1 else True
            case "run_on" | "advice":
                return not over
            case "another" | "scores":
                return over
        return True

    def show_state(self, note: str = "") -> None:
        """Everything anew, with a word to the player if need be."""
        self.query_one(BeachView).show(
            self.kept.play,
            self.draft,
            note=note,
            aside=self._aside,
            advice=self._advice,
            mapped=self.skirmish.settings.keys,
        )
        self.refresh_bindings()

    # ------------------------------------------------------------------ keys

    async def action_press(self, key: str) -> bool:
        """Space, Enter, digits, letters of cards; whether that meant anything."""
        if key == "q" and self.state.deck is None:
            self.dismiss()
            return False
        try:
            step = press(key, self.state, self.draft)
        except UnfitError as error:
            self.draft = self.draft if error.draft is None else error.draft
            self.show_state(str(error))
            return False
        if not isinstance(step, Draft):
            return await self.order(step)
        self.draft = step
        self.show_state()
        return True

    async def on_paste(self, event: events.Paste) -> None:
        """Own dice or cards out of another program, sign by sign."""
        text = event.text[:100].lower().replace("10", "0" if self.state.deck else "10")
        for sign in text:
            if sign in SIGNS and not await self.action_press(sign):
                break

    async def action_run_on(self) -> None:
        """Go on to the next choice, or German roll that a card could soften."""
        if self.state.ask is not None:
            await self.action_press("space")
            return
        while await self._carry_out(self.kept.give(Go()), quietly=True):
            state = self.state
            german = state.now.side == "german"
            if state.over or state.ask is not None or (german and uses(state)):
                self.show_state()
                break

    async def action_step_back(self) -> None:
        """What was typed or marked last; else the last step, but not while dice or cards are typed
        in: one Backspace too many is soon pressed."""
        if self.draft.begun:
            self.draft = self.draft.back()
            self.show_state()
        elif isinstance(self.state.ask, DiceAsk | LotAsk | CardsAsk):
            self.show_state("There is nothing typed to take back. u undoes a step.")
        else:
            await self.action_undo()

    async def action_undo(self) -> None:
        """Take the last step back."""
        await self._carry_out(self.kept.undo())

    async def action_redo(self) -> None:
        """Bring it back."""
        await self._carry_out(self.kept.redo())

    def action_leave(self) -> None:
        """Let go of what was begun; else leave, with everything kept."""
        if self.draft.begun or self._advice is not None:
            self._begin_anew()
            self.show_state()
        else:
            self.dismiss()

    # ------------------------------------------------------------------ rooms

    def action_home(self) -> None:
        """Leave, for the first screen of all."""
        from skirmish.app.beach.home_screen import BeachHome

        self.dismiss()
        if isinstance(self.app.screen, BeachHome):
            self.app.screen.dismiss()

    async def action_journal(self) -> None:
        """The whole journal; where cards are typed it is a jack."""
        from skirmish.app.beach.journal_screen import BeachJournal

        if isinstance(self.state.ask, CardsAsk):
            await self.action_press("j")
        else:
            self.app.push_screen(BeachJournal(self.kept.play))

    def action_scores(self) -> None:
        """The high scores."""
        from skirmish.app.beach.scores_screen import ScoresScreen

        self.app.push_screen(ScoresScreen(self.kept.id))

    def action_print(self) -> None:
        """The play sheet, ticked as the game stands."""
        from skirmish.app.beach.printing import print_standing

        printing = print_standing(self.skirmish, self.kept.id, self.state)
        self.run_worker(printing, group="print")

    def action_another(self) -> None:
        """Another game, set up in the place of this one."""
        from skirmish.app.beach.setup_screen import BeachSetup

        self.app.switch_screen(BeachSetup())

    def open_rules(self) -> None:
        """The rules of this game, the phase that is played on top."""
        from skirmish.app.beach.rules_screen import BeachRules

        self.app.push_screen(BeachRules(self.state.setup, self.state.phase))

    # ------------------------------------------------------------------ orders

    async def order(self, order: AnyOrder) -> bool:
        """Carry out an order; whether that could be done."""
        return await self._carry_out(self.kept.give(order))

    async def _carry_out(self, keeping: Awaitable[BeachEntry], *, quietly: bool = False) -> bool:
        """Wait until it is kept, then show it, unless ``quietly``; whether it was carried out."""
        note = ""
        try:
            await keeping
        except Refused as refused:
            self.draft = Draft(marked=self.draft.marked)
            self.show_state(str(refused))
            return False
        except Outrun:
            note = OUTRUN
        except RecordError as error:
            self.dismiss()
            await self.skirmish.tell(
                "Another program wrote something that this one cannot read", str(error)
            )
            return False
        except StoreError as error:
            await self.skirmish.tell("This could not be saved, so it did not happen", str(error))
            return False
        self._begin_anew()
        if note or not quietly:
            self.show_state(note)
        self._look_up_place()
        return not note

    def _begin_anew(self) -> None:
        """Nothing typed, nothing told beside the game; no reckoning that nobody waits for."""
        self.workers.cancel_group(self, "advice")
        self.draft, self._aside, self._advice = Draft(), None, None

    # ------------------------------------------------------------------ advice

    def action_advice(self) -> None:
        """What the program would do here; it is told better and better while it is reckoned."""
        self.run_worker(self._advise(), group="advice", exclusive=True)

    async def _advise(self) -> None:
        state = self.state
        self.show_state("Playing it out ...")
        steps = await asyncio.to_thread(_advising, state)
        while (advice := await asyncio.to_thread(next, steps, None)) is not None:
            if self.state is not state or not self.is_attached:
                return
            self._advice = advice
            self.show_state()

    # ------------------------------------------------------------------ the end

    def _look_up_place(self) -> None:
        if self.state.over:
            self.run_worker(self._tell_place(), group="place", exclusive=True)

    async def _tell_place(self) -> None:
        """Which place this game has among the high scores, and how good it was."""
        state = self.state
        async for words in place_of(self.skirmish.stored, state, self.kept.id):
            if self.state is not state or not self.is_attached:
                return
            self._aside = words
            self.show_state()


def _advising(state: State) -> Iterator[Advice]:
    """The reckoning; NumPy loads here, in its thread."""
    from skirmish.games.beach_head.advice import advising

    return advising(state)
