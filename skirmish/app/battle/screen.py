"""A battle on its screen: both sides, the clock, the shot in hand, the verdict, the journal.

Letters choose: who fires, at whom, then what can change the shot; Space draws. What keys mean is
declared by the game (`games.plastic.commands`, `prompts`); here it is painted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content

from skirmish import library, registry
from skirmish.app.battle import header
from skirmish.app.battle.forces import Marks, PoolPanel, in_sight
from skirmish.app.battle.header import Part, Tab
from skirmish.app.fitting import fitted, rows_of
from skirmish.app.host import Host, Screen
from skirmish.app.page_view import DIM, KEY, block_lines, painted
from skirmish.app.play import looking
from skirmish.app.play.big_letters import high, huge, largest, low, painted_word
from skirmish.app.play.draft_view import changes, draft_lines
from skirmish.app.play.ordering import AnyDraft, OrderingScreen
from skirmish.app.play.questions import QuestionScreen
from skirmish.app.reference.rulings import InForce
from skirmish.app.session import AnySession, Session
from skirmish.extras import extra
from skirmish.games.plastic.battle.agenda import CasualtyAsk, InsideAsk
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.game import PlasticGame, topics
from skirmish.games.plastic.setup_fields import FIRST_EVENING
from skirmish.tabletop.game import Verdict
from skirmish.tabletop.page import Page, Paragraph, mapped
from skirmish.tabletop.slots import Choose, UnfitAnswer
from skirmish.tabletop.typed import plain

WIDE, TALL = 110, 34
"""Columns from which the rows show their numbers; rows from which letters are full blocks."""
THREE_COLUMNS, ASIDE, WIDEST_ASIDE = 150, 38, 64
"""Columns from which the journal has a column of its own; its columns, at least and at most."""
REASON = 29
"""Columns that the reason needs beside the word."""
HUGE_FROM = 48
"""Rows from which the word is written larger still."""
NEWS_LOW, NEWS_TALL = 3, 8
"""Rows of what is due, at most: where the screen is full, and where it is not."""
SHOT, LEAST = 3, 4
"""Rows of what is put together, where there is room, and of the sides, at least."""
ABOVE = 5
"""Rows of clock, tabs, who fires, keys, and the last line of the journal."""
_BY = re.compile(r" by the end of [^,;:]+? turn \d+")
"""The clock says it too, so it is the first thing to go where there is little room."""


class OfBattle(OrderingScreen):
    """What both screens of a battle lead to: its rules, its summary."""

    game: PlasticGame

    def asked_about(self) -> Iterator[str]:
        """Topics before those of the battle."""
        return iter(())

    @property
    def in_force(self) -> InForce:
        """The rulings that this battle is played by, for the reference."""
        setup = self.state.setup
        number = setup.scenario.number if setup.scenario else None
        return InForce(answers=setup.rulings, whose="as in this battle", scenario=number)

    @property
    def paragraph(self) -> str:
        """The rule that F1 opens: that of what was just refused, else of what is in front."""
        reference = library.reference()
        found, refusal, draft = None, self.refusal, self.draft
        if refusal is None and draft is not None and draft.begun and draft.ready:
            order = draft.confirmed().order(lambda: 1)
            refusal = self.game.why_not(self.state, order)
        if refusal is not None:
            found = reference.about(refusal.code, refusal.rule)
        looked_up = ["mode looking"] if self.looking is not None else []
        looked_up += [*self.asked_about(), *topics(self.session.play, self.draft)]
        found = found or reference.on(*looked_up)
        return found.id if found else ""

    def action_summary(self) -> None:
        from skirmish.app.battle.summary_screen import SummaryScreen

        self.app.push_screen(SummaryScreen(self.session))


class BattleScreen(OfBattle):
    """One battle being fought. ``tab`` is the page that is open, ``pointer`` the row and
    ``what_if`` the change that the arrows are on."""

    CSS_PATH = "battle.tcss"
    TOPIC: ClassVar[str] = header.TOPIC
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
    BINDINGS: ClassVar[list[BindingType]] = header.BINDINGS
    SCROLLS: ClassVar[bool] = False
    """Whether the journal can be scrolled while both sides are in sight."""

    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self._heights: dict[str, int] = {}
        self._said = 0
        self.tab: Tab = "both"
        self._turned = 0
        self.pointer: str | None = None
        self.what_if: int | None = None

    def help_groups(self) -> list[tuple[str, list[str]]]:
        """How the help arranges the keys: what can be done now, then the rest."""
        return header.help_groups(self.state, self.commands)

    # ------------------------------------------------------------------ on the screen

    def compose(self) -> ComposeResult:
        """From top to bottom; the journal's own column at the right."""
        for line in ("clock", "tabs", "who"):
            yield Part(line)
        with Horizontal(id="table"):
            with Vertical(id="middle"):
                with VerticalScroll(id="forces", can_focus=False), Horizontal(id="sides"):
                    for side in self.state.setup.sides:
                        yield PoolPanel(side.id)
                with VerticalScroll(id="due-room", can_focus=False):
                    yield Part("due")
                with VerticalScroll(id="shot-room", can_focus=False):
                    yield Part("shot")
                with Horizontal(id="verdict"):
                    yield Part("word")
                    yield Part("reason")
                yield Part("victory")
                yield Part("news")
                with VerticalScroll(id="journal-room", can_focus=False):
                    yield Part("journal")
            with VerticalScroll(id="aside-room", can_focus=False):
                yield Part("aside")
        yield Part("keys")

    def on_mount(self) -> None:
        """Paint it."""
        self.show_state()

    def on_resize(self) -> None:
        """More room: more of the journal, larger letters."""
        self.show_state()

    def told(self, text: str) -> str:
        """A text as this player reads it."""
        return self.skirmish.measured(plain(text))

    def show_state(self) -> None:
        """Everything anew from the game, the draft and the note."""
        if not self.is_mounted or not self.query("#keys"):
            return
        play, state = self.session.play, self.state
        columns, rows = self.app.size
        aside = min(max(ASIDE, columns - WIDE - 4), WIDEST_ASIDE) if columns >= THREE_COLUMNS else 0
        width, whole = columns - aside - 2, columns - 2
        tall = rows >= TALL
        tab = self._tab_in_front()
        mapped = self.key_map()
        self._write("clock", header.clock_line(state, whole))
        self._write("tabs", header.tab_line(state, tab, mapped, whole + 1))
        self._write("who", header.who_line(state, self.told, whole))
        self._show_forces(state, tab, width, wide=width >= WIDE - 2)
        self._show_shot(width, tall=tall)
        back = self.looking is not None or self._judges  # the old verdict would be read as the new
        self._show_verdict(None if back else self.game.verdict(play), width, rows)
        stands = self._victory(width)
        self._write("victory", stands)
        self.query_one("#victory").display = tab != "due"  # which says it in full
        self._heights["victory"] = stands.plain.count("\n") + 1 if tab != "due" else 0
        left = rows - ABOVE - sum(self._heights.values())
        news = self._show_due(tab, width, min(max(left, NEWS_LOW), NEWS_TALL))
        self._make_room(rows - ABOVE - news)
        self._show_journal(tab, aside, width, rows)
        self._write("keys", self.last_line(columns))

    def _make_room(self, rows: int) -> None:
        """Of so many rows: none of a side is hidden while a line below is empty, or is one of the
        journal but the last, or tells of the shot before."""
        heights = self._heights
        tight = sum(heights.values()) > rows
        shot = max(self._said, 2) if tight else SHOT
        if tight and self.draft is not None and self.draft.begun:
            self.query_one("#verdict").display = False
            heights["verdict"] = 0
        forces = min(heights["forces"], rows - shot - heights["verdict"] - heights["victory"])
        self.query_one("#shot-room").styles.min_height = min(shot, SHOT)
        self.query_one("#forces").styles.min_height = max(forces, LEAST) if tight else LEAST

    def key_map(self) -> Mapping[str, str]:
        """The keys that the player has mapped, by binding of the battle."""
        return self.skirmish.settings.keys

    def last_line(self, columns: int) -> Content:
        """The keys that are of use now."""
        draft = self.in_hand
        confirms = draft is not None and draft.command.verb == "draw" and draft.confirms
        return header.strip(self.state, self.commands, columns, self.key_map(), confirms=confirms)

    @property
    def _judges(self) -> bool:
        return self.draft is not None and self.draft.command.key == "tab"

    def _tab_in_front(self) -> Tab:
        """A question about rows, or an arrow on one, needs them in sight, unless the player has
        turned the page since it was asked."""
        state: State = self.state
        side = self.pointer.partition("/")[0] if self.pointer else None
        turned = self._turned == len(self.session.play.entries)
        if side is None and isinstance(state.ask, CasualtyAsk | InsideAsk) and not turned:
            side = state.ask.side
        if side is None or header.side_of(self.tab, state.setup) == side:
            return self.tab
        return "both"

    def _show_forces(self, state: State, tab: Tab, width: int, *, wide: bool) -> None:
        only = header.side_of(tab, state.setup)
        room = self.query_one("#forces", VerticalScroll)
        room.display = tab in ("both", "first", "second")
        draft = self.in_hand
        marks = Marks(pointer=self.pointer)
        if draft is not None and self.looking is None and state.outcome is None:
            marks = Marks(draft.offered, draft.chosen, self.pointer)
        heights, chosen = [1], None
        for panel in self.query(PoolPanel):
            panel.display = only in (None, panel.side)
            if panel.display:
                columns = width // 2 - 1 if only is None else width
                whole = only is not None
                at = panel.show(state, marks, self.told, columns, wide=wide, whole=whole)
                chosen = at if at is not None else chosen
                heights.append(str(panel.render()).count("\n") + 1)
        room.styles.max_height = max(heights)
        self._heights["forces"] = max(heights) if room.display else 0
        if chosen is not None:
            self.call_after_refresh(self._bring_into_view, room, chosen)

    def _bring_into_view(self, room: VerticalScroll, line: int) -> None:
        top, height = room.scroll_y, room.size.height
        if not top <= line < top + height:
            room.scroll_to(y=max(line - height + 1, 0), animate=False)

    def _show_shot(self, width: int, *, tall: bool) -> None:
        """What is in front; a word to the player."""
        rows = self.in_front(width, tall=tall)
        note = [Content.styled(self.told(self.note), "$error bold")] if self.note else []
        said = [row for row in rows if not _repeats(row.plain, self.told(self.note))]
        self._write("shot", Content("\n").join([*note, *said]))
        self._said = min(len(said) + len(note), 16 if tall else 7)
        self._heights["shot"] = max(self._said, SHOT)

    def in_front(self, width: int, *, tall: bool) -> list[Content]:
        """The journal's line under the cursor, else what is put together, in so many columns."""
        if self.looking is not None:
            page = looking.page(self.looking, self.game, self.session.play)
            return [painted(mapped(page, self.told), width)]
        if (draft := self.in_hand) is not None:
            return list(draft_lines(draft, width, self.told, tall=tall, what_if=self.what_if))
        over = "The battle is over. Backspace opens it again; Y is the summary, N a note."
        return [Content(over if self.state.outcome else "")]

    def _show_verdict(self, verdict: Verdict | None, width: int, rows: int) -> None:
        self.query_one("#verdict").display = verdict is not None
        self._heights["verdict"] = 0
        if verdict is None:
            return
        text = plain(verdict.text)
        sizes = [low] if rows < TALL else [huge, high, low] if rows >= HUGE_FROM else [high, low]
        picture = largest(text, width - 4 - REASON, sizes)
        self._write("word", painted_word(picture, verdict.tone))
        first, *more = map(self.told, verdict.reason.split("\n"))
        rest = "\n".join(more)
        why = "   F1 why" if first.isupper() and not self.game.over(self.state) else ""
        reason = Content.assemble((first, KEY), (why, DIM), f"\n{rest}" if rest else "")
        self._write("reason", reason)
        beside = max(width - 2 - max(map(len, picture.split("\n"))), REASON)
        self._heights["verdict"] = max(picture.count("\n") + 1, rows_of(reason, beside))

    def _victory(self, width: int) -> Content:
        """What each side needs and has, in a row if there is room."""
        terms = list(self.standing())
        whole = [_lead(one, self.told) for one in terms]
        brief = [_lead(Paragraph(_BY.sub("", one.text), one.lead, one.tone), self.told)
                 for one in terms]  # fmt: skip
        for lines in (whole, brief):
            together = Content("   ").join(lines)
            if together.cell_length <= width:
                return together
        return Content("\n").join(
            one if one.cell_length <= width else short
            for one, short in zip(whole, brief, strict=True)
        )

    def standing(self) -> Iterator[Paragraph]:
        """How victory stands, a line for each side that has terms."""
        return self.game.standing(self.state)

    def due_page(self) -> Page:
        """Everything that is due."""
        return self.game.outlook(self.session.play)

    def news(self) -> Page:
        """What is most pressing of it."""
        return self.game.due(self.session.play)

    def _show_due(self, tab: Tab, width: int, most: int) -> int:
        """A page of its own, else the most pressing of it; the rows that this takes."""
        due = self.query_one("#due-room")
        due.display = tab == "due"
        if tab == "due":
            page = extra("What is due is", self.due_page, _said)
            self._write("due", painted(mapped(page, self.told), width))
        news: list[Content] = []
        if self.looking is None and tab != "due":
            told = extra("What is due is", self.news, _said)
            news = [_lead(one, self.told) for one in told.blocks if isinstance(one, Paragraph)]
        content, used = fitted(news, width, most, _rest)
        self._write("news", content)
        self.query_one("#news").display = used > 0
        return used

    def _show_journal(self, tab: Tab, aside: int, width: int, rows: int) -> None:
        """Under everything else, or in a column of its own."""
        beside = self.query_one("#aside-room", VerticalScroll)
        beside.display = bool(aside) and tab != "journal"
        below = self.query_one("#journal-room", VerticalScroll)
        below.display = not beside.display
        beside.styles.width = aside
        part, room = ("aside", aside - 4) if beside.display else ("journal", width - 1)
        long = self.looking or tab == "journal" or self.SCROLLS
        many = looking.LOOKS_BACK if long else rows
        found = self.game.journal(self.session.play, last=many)
        lines: list[Content] = []
        cursor = last = 0
        for one in found:
            if one.number == 1:
                continue
            here = self.looking is not None and one.number == self.looking.number
            last = len(lines)
            cursor = last if here else cursor
            lines += header.journal_rows(one.number, self.told(one.words), room, here)
        self._write(part, Content("\n").join(lines))
        scroll = beside if beside.display else below
        if self.looking is not None:
            self.call_after_refresh(scroll.scroll_to, y=max(cursor - 2, 0), animate=False)
        else:  # to the end; where not even the last line fits, to its beginning
            self.call_after_refresh(scroll.scroll_to, y=last, animate=False)

    def _write(self, part: str, content: Content) -> None:
        self.query_one(f"#{part}", Part).say(content)

    # ------------------------------------------------------------------ keys and mouse

    async def press(self, key: str) -> None:
        """Arrows walk over rows and changes; everything else is the game's."""
        draft = self.in_hand
        if self.looking is None and draft is not None and key in ("up", "down", "enter", "escape"):
            keys = changes(draft) if self.pointer is None else []
            if keys and await self._wonder(key, keys, draft):
                return
        if self.pointer is not None and key in ("up", "down", "enter", "escape"):
            await self._walk(key)
            return
        self.what_if = None
        if key not in ("left", "right") and not key.isdigit():
            self.pointer = None
        await super().press(key)

    async def _wonder(self, key: str, keys: list[str], draft: AnyDraft) -> bool:
        """Whether a key was one for the changes below the shot."""
        at = self.what_if
        if key in ("up", "down"):
            first = len(keys) - 1 if key == "up" else 0
            step = -1 if key == "up" else 1
            self.what_if = first if at is None else (at + step) % len(keys)
        elif at is None:
            return False
        else:
            self.what_if = None
            if key == "enter":
                slot = draft.slot
                proposes = slot is not None and not draft.answers and slot.proposed is not None
                if slot is not None and proposes:  # the same target again
                    draft = draft.answered(slot.proposed)
                await self.take(draft.press(keys[at]))
                return True
        self.note = ""
        self.show_state()
        return True

    async def action_walk(self, key: str) -> None:
        """Left and Right: rows are chosen by arrows and Enter, as well as by letters."""
        self.looking = None
        await self._walk(key)

    async def _walk(self, key: str) -> None:
        state, draft, self.note = self.state, self.in_hand, ""
        sides = [side.id for side in state.setup.sides]
        if key == "escape":
            self.pointer = None
            self.show_state()
            return
        if draft is None or not (draft.offered or draft.chosen):
            self.say("There is no row to choose here. Esc steps back.")
            return
        if key == "enter":
            row, self.pointer = self.pointer, None
            await self._take_row(str(row), walking=True)
            return
        side = self.pointer.partition("/")[0] if self.pointer else None
        if key in ("left", "right"):
            wanted = sides[key == "right"]
            if side != wanted:
                asked = {row.partition("/")[0] for row in draft.offered}
                first = side is None and len(asked) == 1
                self.pointer = self._first_row(asked.pop() if first else wanted, draft)
        elif side is not None:
            keys = [row.key for row in in_sight(state, side)]
            at = keys.index(self.pointer) if self.pointer in keys else 0
            self.pointer = keys[(at + (-1 if key == "up" else 1)) % len(keys)]
        self.show_state()

    def _first_row(self, side: str, draft: AnyDraft) -> str | None:
        """The row chosen before, else the first that can still fire."""
        own = in_sight(self.state, side)
        chosen = [row.key for row in own if row.key in draft.chosen]
        firing = self.state.firing_side
        able = [row.key for row in own if row.here and (row.ready_count or side != firing)]
        return next(iter([*chosen, *able, *(row.key for row in own)]), None)

    async def _take_row(self, row: str, *, walking: bool = False) -> None:
        try:
            draft = self.picked(row)
        except UnfitAnswer as unfit:
            self.say(str(unfit))
            return
        await self.take(draft)
        if walking and self.draft is not None and isinstance(self.draft.slot, Choose):
            asked = {one.partition("/")[0] for one in self.draft.offered}
            self.pointer = self._first_row(asked.pop(), self.draft) if len(asked) == 1 else None
            self.show_state()

    async def on_pool_panel_picked(self, event: PoolPanel.Picked) -> None:
        """A row was clicked."""
        await self._take_row(event.row)

    async def step_out(self) -> None:
        """A card that is awaited is taken back; nothing else is left by Esc."""
        if self.prompt is not None and not isinstance(self.draft and self.draft.slot, Choose):
            await self.carry_out(self.session.undo())
        else:
            self.show_state()

    def begin(self) -> None:
        """Nothing is being put together, and the arrows are nowhere."""
        self.pointer = self.what_if = None
        super().begin()

    # ------------------------------------------------------------------ pages

    def action_turn_to(self, tab: Tab) -> None:
        """A page of the screen: both sides, one of them, the journal, what is due."""
        self.pointer = None  # arrows on a row of another page would call both sides back
        self.tab = "both" if tab == self._tab_in_front() else tab
        self._turned = len(self.session.play.entries)
        self.show_state()

    def action_page(self, by: int) -> None:
        """Other rows, where not all of a side fit; other lines of what is due or of the journal."""
        for room in ("#forces", "#due-room", "#aside-room", "#journal-room"):
            found = self.query_one(room, VerticalScroll)
            if found.display and found.max_scroll_y:
                found.scroll_relative(y=by, animate=False)
                return

    def action_questions(self) -> None:
        """One question at a time; what was drafted there or here is begun anew."""
        self.app.push_screen(self.skirmish.make("questions", self.session), self.begin_anew)

    def action_news(self) -> None:
        """All that is due, and how victory stands."""
        from skirmish.app.page_screen import PageScreen

        self.app.push_screen(PageScreen(lambda: self.game.outlook(self.session.play)))

    def action_scenario(self) -> None:
        """The map and the other pages of the scenario; two armies have none."""
        from skirmish.app.scenarios.pages import Source

        setup = self.state.setup
        if setup.scenario is None:
            self.action_news()
            return
        book, told = library.rulings(), self.skirmish.measured
        source = Source(setup.scenario, setup.catalog, book, setup.rulings, told, {})
        self.skirmish.show("scenarios", source)

    def action_rulings(self) -> None:
        """The rulings that this battle is played by."""
        from skirmish.app.reference.rulings import RulingsScreen

        setup = self.state.setup
        number = setup.scenario.number if setup.scenario else None
        self.app.push_screen(RulingsScreen(setup.rulings, number))


def _repeats(row: str, note: str) -> bool:
    """Whether a note says the same sentence again."""
    return len(row) > 9 and row.removeprefix("No. ") in note


def _lead(one: Paragraph, told: Any) -> Content:
    (line, *more) = block_lines(
        Paragraph(told(one.text), lead=told(one.lead), tone=one.tone), 10_000
    )
    return Content("\n").join([line, *more])


def _said(says: str) -> Page:
    return Page("", (Paragraph(says),))


def _rest(count: int) -> Content:
    return Content.assemble(("U", KEY), (f" {count} more {'line' if count == 1 else 'lines'}", DIM))


class BattleQuestions(QuestionScreen, OfBattle):
    """A battle, one question at a time."""

    CSS_PATH = "../play/questions.tcss"

    def asked_about(self) -> Iterator[str]:
        """What is asked, before what happened."""
        if self.draft is not None:
            yield self.draft.command.topic


async def opened(app: Host, number: int) -> Screen[None]:
    """The screen of stored battle ``number``; raises StoreError, RecordError."""
    session = await Session.resumed(registry.load("plastic"), app.stored, number)
    explained = session.state.setup.title == FIRST_EVENING and session.state.outcome is None
    if explained or app.settings.questions:
        return BattleQuestions(session)
    return BattleScreen(session)
