"""A battle on its full screen: what its keys and the mouse do. Letters choose who fires and at
whom, then what would change the shot; Space draws. What letters mean is declared by the game
(`games.plastic.commands`); here are the arrows, which move three cursors, and the pages. How the
screen looks is in `board_screen`."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.screen import Screen

from skirmish import library, registry
from skirmish.app.battle import header
from skirmish.app.battle.board_screen import BattleBoardScreen
from skirmish.app.battle.draft_lines import option_keys, what_if_keys
from skirmish.app.battle.forces import SidePanel, rows_with_lines
from skirmish.app.battle.header import Tab
from skirmish.app.binding import KeyGroup
from skirmish.app.host import Host
from skirmish.app.play.ordering import NO_ROW
from skirmish.games.plastic.battle.names import row_side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.first_evening import FIRST_EVENING
from skirmish.player import AnyDraft
from skirmish.session import Session
from skirmish.tabletop.commands import chosen_rows, offered_rows
from skirmish.tabletop.slots import Choose, UnfitAnswer

CURSOR_KEYS = ("up", "down", "enter", "escape")
"""Keys that a cursor on the board or in the what-ifs takes."""


async def opened(app: Host, number: int) -> Screen[None]:
    """The screen of stored battle ``number``: one question at a time for a first evening, until it
    is decided, and for whoever chose so in the settings. Raises StoreError, RecordError."""
    session = await Session.resumed(registry.load("plastic"), app.stored, number)
    setup, outcome = session.state.setup, session.state.outcome
    # The battle for newcomers is known by its title.
    is_first_evening = setup.title == FIRST_EVENING and outcome is None
    if is_first_evening or app.settings.questions:
        return app.make_screen("questions", session)
    return BattleScreen(session)


class BattleScreen(BattleBoardScreen):
    """A battle in progress, which takes every order."""

    TOPIC: ClassVar[str] = header.TOPIC
    HELP = (
        "A shot: choose who fires, then the target, by their letters; then Space or Enter. Before "
        "that, the letters in the shot line change it: c in cover, h hull down, b from behind, "
        "n within 3\u00a0in, l a lone man, w the other weapon, o another shooter; in phases 3 and "
        "4 # says how many are in contact and fight.\n"
        "What if: the lines below the shot show what one change would do to its chance. Its letter "
        "makes the change; so do Down or Up to it, and Enter. Nothing is drawn by that.\n"
        "By arrows: Left or Right goes to the rows, Up and Down walk, Enter chooses. The mouse "
        "chooses rows, tabs, lines of the journal and every key written on the screen.\n"
        "A volley: 15rr8 and Space, fifteen r at a group of r with eight men in reach. "
        "8r2m2or8 is a mixed one: eight r, two m and two o at them, one after another. "
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
    BINDINGS: ClassVar[list[BindingType]] = header.BINDINGS

    def help_groups(self) -> list[KeyGroup]:
        """The keys of the battle in groups, those that can be pressed now first."""
        return header.help_groups(self.state, self.commands, self.draft_in_hand)

    def begin(self) -> None:
        self._leave_lists()
        self.row_cursor = None
        super().begin()

    def _leave_lists(self) -> None:
        """Take the cursors out of the what-ifs and the options."""
        self.what_if_cursor = None
        self.option_cursor = None

    # ------------------------------------------------------------------ keys and mouse

    async def press(self, key: str) -> None:
        """A key goes to the cursor that can use it, that on the board first, or else to the
        game."""
        draft = self.draft_in_hand
        if key in CURSOR_KEYS and self.row_cursor is not None:
            await self._walk_on_board(key)
            return
        if self.journal_cursor is None and draft is not None:
            if await self._walk_through_what_ifs(key, draft):
                return
            if await self._walk_through_options(key, draft):
                return
        self._leave_lists()
        # Digits leave the cursor where it is: they may be the count in front of its row, a volley.
        if key not in ("left", "right") and not key.isdigit():
            self.row_cursor = None
        await super().press(key)

    async def step_out(self) -> None:
        """Esc where nothing is begun: a question for a card or a number is left by undoing what led
        to it; nothing else is left."""
        is_choice = self.draft is not None and isinstance(self.draft.slot, Choose)
        if self.prompt is None or is_choice:
            self.show_state()
        else:
            await self.carry_out(self.session.undo())

    async def on_side_panel_picked(self, event: SidePanel.Picked) -> None:
        await self._take_row(event.row_key)

    # ------------------------------------------------------------------ the cursor in lists

    async def _walk_through_what_ifs(self, key: str, draft: AnyDraft) -> bool:
        """Up and Down go through the what-ifs of a shot, Enter makes the change under the cursor
        and Esc leaves them; False where the key is none of these or there is no what-if."""
        if key not in CURSOR_KEYS:
            return False
        keys = what_if_keys(draft)
        if not keys:
            return False
        if key in ("up", "down"):
            self.what_if_cursor = _next_place(self.what_if_cursor, len(keys), key)
            self._show_cursor()
            return True
        if self.what_if_cursor is None:  # Enter fires the shot as it stands, Esc drops it
            return False
        chosen = keys[self.what_if_cursor]
        self.what_if_cursor = None
        if key == "enter":
            await self._make_change(chosen, draft)
        else:
            self._show_cursor()
        return True

    async def _make_change(self, key: str, draft: AnyDraft) -> None:
        """Change the shot in hand, or the one that may be fired again."""
        slot = draft.slot
        if slot is not None and slot.proposed is not None and not draft.answers:
            draft = draft.answered(slot.proposed)  # fire again at the row that is proposed
        await self.take(draft.press(key))

    async def _walk_through_options(self, key: str, draft: AnyDraft) -> bool:
        """Up and Down go through the options of a list that a command shows, Enter takes the one
        under the cursor; False where the key is none of these or there is no list."""
        if key not in ("up", "down", "enter"):  # Esc leaves the command with its list
            return False
        keys = option_keys(draft)
        if not keys:
            return False
        place = None
        if self.option_cursor in keys:
            place = keys.index(self.option_cursor)
        if key != "enter":
            self.option_cursor = keys[_next_place(place, len(keys), key)]
            self._show_cursor()
            return True
        if place is None:
            return False
        self.option_cursor = None
        for sign in keys[place]:  # options of a long list have keys of several characters
            await super().press(sign)
        return True

    def _show_cursor(self) -> None:
        """Show where a cursor is now, without the last message."""
        self.note = ""
        self.show_state()

    # ------------------------------------------------------------------ the cursor on the board

    async def action_walk(self, key: str) -> None:
        self.journal_cursor = None
        await self._walk_on_board(key)

    async def _walk_on_board(self, key: str) -> None:
        """The cursor goes through the rows of both sides; Enter chooses the one under it, Esc takes
        the cursor off the board."""
        draft = self.draft_in_hand
        self.note = ""
        if key == "escape":
            self.row_cursor = None
            self.show_state()
        elif draft is None or not (offered_rows(draft) or chosen_rows(draft)):
            self.say(NO_ROW)
        elif key == "enter" and self.row_cursor is not None:
            row_key = self.row_cursor
            self.row_cursor = None
            if await self._take_row(row_key):
                self._walk_to_next_question()
        else:
            if key in ("left", "right"):
                self._walk_to_side(key, draft)
            else:
                self._walk_along_side(key, draft)
            self.show_state()

    def _walk_to_side(self, key: str, draft: AnyDraft) -> None:
        """Move the cursor to the side on the left or on the right; where it was on neither, to the
        side that is asked about, whichever the key was."""
        left, right = (side.id for side in self.state.setup.sides)
        wanted = left
        if key == "right":
            wanted = right
        if self.row_cursor is None:
            asked_side = _only_side_offered(draft)
            if asked_side is not None:
                wanted = asked_side
        elif row_side(self.row_cursor) == wanted:
            return
        self.row_cursor = self._first_row(wanted, draft)

    def _walk_along_side(self, key: str, draft: AnyDraft) -> None:
        """Move the cursor to the row above or below; after the last one comes the first."""
        if self.row_cursor is None:
            return
        side = row_side(self.row_cursor)
        keys = [row.key for row in rows_with_lines(self.state, side, offered_rows(draft))]
        # The row may have lost its line since, as when its contingent became a single line: then
        # the cursor goes on from the first row.
        place = 0
        if self.row_cursor in keys:
            place = keys.index(self.row_cursor)
        self.row_cursor = keys[_next_place(place, len(keys), key)]

    def _first_row(self, side: str, draft: AnyDraft) -> str | None:
        """The row selected before, or else the first that is on the table and, where who fires is
        chosen, can still fire; or else the first. None for a side of which no row has a line."""
        state: State = self.state
        rows_of_side = rows_with_lines(state, side, offered_rows(draft))
        for row in rows_of_side:
            if row.key in chosen_rows(draft):
                return row.key
        # On the other side a target is chosen: whether it could fire does not matter.
        is_target = side != state.firing_side
        for row in rows_of_side:
            can_be_named = is_target or row.ready_count > 0
            if row.here and can_be_named:
                return row.key
        if not rows_of_side:
            return None
        return rows_of_side[0].key

    async def _take_row(self, row_key: str) -> bool:
        """Answer with a row of the board; returns whether it is an answer."""
        try:
            draft = self.picked(row_key)
        except UnfitAnswer as unfit:
            self.say(str(unfit))
            return False
        await self.take(draft)
        return True

    def _walk_to_next_question(self) -> None:
        """Whoever chose a row by arrows chooses the next one by arrows, too: put the cursor on the
        side that is asked about then."""
        if self.draft is None or not isinstance(self.draft.slot, Choose):
            return
        side = _only_side_offered(self.draft)
        self.row_cursor = None
        if side is not None:
            self.row_cursor = self._first_row(side, self.draft)
        self.show_state()

    # ------------------------------------------------------------------ pages

    def action_turn_to(self, tab: Tab) -> None:
        """Open a page; the key of the one in front leads back to both sides."""
        self.row_cursor = None  # a cursor on another page would switch back to both sides
        if tab == self.tab_in_front:
            tab = "both_sides"
        self.tab = tab
        self.entries_when_turned = len(self.session.play.entries)
        self.show_state()

    def action_questions(self) -> None:
        questions = self.skirmish.make_screen("questions", self.session)
        self.app.push_screen(questions, self.discard_draft)

    def action_scenario(self) -> None:
        from skirmish.games.plastic.scenarios.pages import PageSource

        setup = self.state.setup
        if setup.scenario is None:
            self.say(
                "A battle of two armies has no scenario and no map. "
                f"{self.due_key} shows what is due."
            )
            return
        source = PageSource(
            setup.scenario,
            setup.catalog,
            library.rulings(),
            setup.rulings,  # as in this battle
            self.skirmish.measured,
            {},  # once it is fought, it does not matter which figures the player owns
        )
        self.skirmish.show("scenarios", source)

    def action_rulings(self) -> None:
        from skirmish.app.reference.rulings import RulingsScreen

        rulings = self.state.setup.rulings
        self.app.push_screen(RulingsScreen(rulings, self.scenario_number))


def _only_side_offered(draft: AnyDraft) -> str | None:
    """The side whose rows can be chosen now; None if those of both sides can be, or none."""
    sides = {row_side(row_key) for row_key in offered_rows(draft)}
    if len(sides) != 1:
        return None
    return sides.pop()


def _next_place(place: int | None, count: int, key: str) -> int:
    """Where a cursor goes by Up or Down in a list of ``count``; past an end it goes on at the
    other. Where it was nowhere, Down leads to the first, Up to the last."""
    if key == "up":
        if place is None:
            return count - 1
        return (place - 1) % count
    if place is None:
        return 0
    return (place + 1) % count
