"""The battle: both sides, the clock, the shot in hand, the verdict, the journal.

Letters choose: who fires, at whom, then what can change the shot; Space draws. What keys mean just
now is the business of a mode; every order is kept by ``BattleSession`` before anything is shown.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec
from textual.app import ComposeResult
from textual.binding import BindingType

from skirmish.app.battle.draft import Draft
from skirmish.app.battle.kept import BattleSession
from skirmish.app.battle.keys import TOPIC, bindings, grouped
from skirmish.app.battle.mode import Step
from skirmish.app.battle.openings import opened
from skirmish.app.battle.ordering import OrderingScreen, at_rest
from skirmish.app.battle.panels import PoolPanel
from skirmish.app.battle.prompt_again import Judging, Looking
from skirmish.app.battle.prompt_lists import all_of_the_wave
from skirmish.app.battle.prompt_rows import Walking
from skirmish.app.battle.prompt_waiting import Over
from skirmish.app.battle.tabs import Page
from skirmish.app.battle.view import BattleView
from skirmish.games.plastic.battle.agenda import CasualtyAsk, RepeatAsk
from skirmish.games.plastic.battle.names import row_side
from skirmish.games.plastic.battle.orders import (
    AnyOrder,
    CallTable,
    ClearWire,
    Fire,
    GroupMoved,
    PinTest,
    Volley,
)
from skirmish.games.plastic.battle.rows import find


class BattleScreen(OrderingScreen):
    """One battle being fought."""

    CSS_PATH = "battle.tcss"
    AUTO_FOCUS = None  # letters belong to the screen; only an awaited draw takes the keyboard
    TOPIC: ClassVar[str] = TOPIC
    HELP = (
        "A shot: choose who fires, then the target, by their letters; then Space or Enter. Before "
        "that, the letters in the shot line change it: c in cover, h hull down, b from behind, "
        "n within 3\u00a0in, l a lone man, w the other weapon, o another shooter.\n"
        "What if: the lines below the shot show what one change would do to its chance. Its letter "
        "makes the change; so do Down or Up to it, and Enter. Nothing is drawn by that.\n"
        "By arrows: Left or Right goes to the rows, Up and Down walk, Enter chooses. The mouse "
        "chooses rows, tabs, lines of the journal and every key written on the screen.\n"
        "A volley: 15rr8 and Space, fifteen r at a group of r with eight men in reach. "
        "With your own cards, = instead of Space counts it at once: 15rr8=5a1 and Enter, five "
        "hits, one of them an ace.\n"
        "Where a shot may be repeated, Space fires again at the same row. Where the defender "
        "chooses who dies, Enter accepts the man proposed and a letter chooses another.\n"
        "He was in cover after all: Tab c. The card was misread: Tab 7h Enter. "
        "A line three up was wrong: Up Up Up v Enter.\n"
        "F4 and F5 show all the numbers of one side; on a wide screen each row ends with them: "
        "range, then the highest rank that kills guys / armored / unarmored models; + a kill gives "
        "another shot, * only in contact. F6 is the journal, F7 what is due, F8 the map; the same "
        "key again comes back."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings()

    def __init__(self, kept: BattleSession) -> None:
        super().__init__(kept)
        self._last_shot: Fire | None = self._find_last_shot()

    def help_groups(self) -> list[tuple[str, list[str]]]:
        """How the help arranges the keys: what can be done now, then the rest."""
        return grouped(self.state)

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
        if await self._typed_ahead(key):
            return
        mode = self.mode.under if key == "tab" else self.mode
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
            return self.mode.under.press(key, self.kept.play)
        return all_of_the_wave(self.state)

    async def on_pool_panel_picked(self, event: PoolPanel.Picked) -> None:
        """A row was clicked."""
        row = find(self.state, event.row)
        if row is not None:
            await self._step(lambda: self.mode.under.picked(row, self.kept.play))

    async def action_walk(self, key: str) -> None:
        """Left and Right: rows are chosen by arrows and Enter, as well as by letters."""
        mode = at_rest(self.state) if isinstance(self.mode, Looking) else self.mode
        if mode.pointer is None:
            await self._step(lambda: Walking.opened(mode.under, self.state, key))
        else:
            await self.action_press(key)

    async def action_look(self, number: int) -> None:
        """The cursor on that line of the journal, which was clicked."""
        if self.mode.begun and not isinstance(self.mode, Looking):
            self._say("Finish this first, then look at the journal; Esc steps back.")
        else:
            await self._step(lambda: Looking(number=number))

    async def action_open(self, what: str) -> None:
        """A question that a capital or a sign opens; it is refused while an answer is awaited."""
        await self._step(lambda: opened(what, self.state))

    async def action_dig(self) -> None:
        """Dig in: at once where everybody digs alike, else it is asked who digs."""
        await self._step(lambda: opened("dig", self.state))

    async def action_moved(self) -> None:
        """A group has moved: its command draw."""
        await self.order(GroupMoved())

    async def action_pin(self) -> None:
        """A pin test by hand, of the side that is shot at."""
        await self.order(PinTest(self.state.setup.enemy_of(self.state.firing_side).id))

    async def action_wire(self) -> None:
        """A segment of wire goes."""
        await self.order(ClearWire(self.state.mover))

    async def action_same(self) -> None:
        """The last shot once more, with everything that was said of it."""
        if isinstance(self.state.ask, RepeatAsk):
            await self._step(lambda: Draft.to_begin(self.state).press("space", self.kept.play))
        elif self._last_shot is None:
            self._say("There is no shot to repeat yet.")
        else:
            await self.order(self._last_shot)

    async def action_tally(self) -> None:
        """A volley's hits in one count: of the volley drafted, which is fired first, else of the
        one that waits for its draws."""
        draft = self.mode.under
        if isinstance(draft, Draft):
            if not isinstance(draft.order, Volley):
                self._say("= counts the hits of a volley: how many fire, who, at whom, then =.")
                return
            side = row_side(draft.order.shooter)
            if not self.state.sources[self.state.source_of(side)].typed:
                self._say("The program draws for this side: Space.")
                return
            if not await self.order(draft.order):
                return
        await super().action_tally()

    async def action_call_table(self) -> None:
        """Draw on the scenario's table by hand."""
        await self.order(CallTable())

    def action_page(self, by: int) -> None:
        """Other rows, where not all of a side fit; older lines of the journal."""
        self.query_one(BattleView).turn_page(by)
        self.show_state()

    def action_turn_to(self, page: Page) -> None:
        """A page of the screen: both sides, one of them, the journal, what is due."""
        self.query_one(BattleView).turn_to(page)
        self.mode = self.mode.under  # arrows on a row of another page would call both sides back
        self.show_state()

    def action_questions(self) -> None:
        """One question at a time; what was drafted there or here is begun anew."""
        self.app.push_screen(self.skirmish.make("questions", self.kept), self._returned)

    def _returned(self, _: object) -> None:
        self.mode = at_rest(self.state)
        self._last_shot = self._find_last_shot()
        self.show_state()

    # ------------------------------------------------------------------ orders

    async def order(self, order: AnyOrder) -> bool:
        """Carry out an order; whether that could be done."""
        if isinstance(order, Fire):
            self._last_shot = msgspec.structs.replace(order, insist=False)
        return await super().order(order)

    def _find_last_shot(self) -> Fire | None:
        shots = (entry.order for entry in reversed(self.kept.play.live))
        last = next((order for order in shots if isinstance(order, Fire)), None)
        return last and msgspec.structs.replace(last, insist=False)
