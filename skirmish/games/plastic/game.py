"""WWII Plastic Skirmish as the program knows it. Each question of ``Game`` (``tabletop/game.py``)
is passed on to the module that answers it, with what the viewer may not see left out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any

import msgspec

from skirmish.games.plastic.army_file import from_body
from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.agenda import DrawAsk, RepeatAsk
from skirmish.games.plastic.battle.ending import still_over
from skirmish.games.plastic.battle.events import AnyEvent, DrawMade
from skirmish.games.plastic.battle.hindsight import would_have_changed
from skirmish.games.plastic.battle.known_pack import Knowledge
from skirmish.games.plastic.battle.lines import BattleLine, lines, whole_journal
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.orders import AnyOrder, Battle
from skirmish.games.plastic.battle.orders.firing import same_again
from skirmish.games.plastic.battle.orders.resolution import waiting_for
from skirmish.games.plastic.battle.orders.typed_draws import retyped
from skirmish.games.plastic.battle.progress import headline, victory_status
from skirmish.games.plastic.battle.record import (
    BattleCodec,
    BattleEntry,
    BattlePlay,
    check_entry,
    check_sides,
    codec_of,
    opening,
)
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import breaking_loss, side_strength
from skirmish.games.plastic.battle.victory_questions import VictoryStatus
from skirmish.games.plastic.battle.view import seen, seen_status, view
from skirmish.games.plastic.battle.voiding import dependents, judgments_of, why_not_void
from skirmish.games.plastic.board import (
    agreed_before_play,
    allowed_now,
    board,
    clock_lines,
    grouped_forces,
    victory,
)
from skirmish.games.plastic.commands import commands
from skirmish.games.plastic.commands.asked import prompt
from skirmish.games.plastic.commands.judging.command import judge_again, last_shot_in
from skirmish.games.plastic.commands.shots.command import TOPIC_OF_SHOTS
from skirmish.games.plastic.commands.whose import cuts_off, sides_of
from skirmish.games.plastic.due import coming, due
from skirmish.games.plastic.first_evening import hint
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.scenarios.pages import PageSource, whole
from skirmish.games.plastic.setup_form.form import BattleForm
from skirmish.games.plastic.side_messages import own_verdict, waiting_words
from skirmish.games.plastic.verdict import check_is_large, last_result, verdict
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.commands import Command, Draft
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.game import (
    PLAYERS,
    Anyway,
    Correction,
    DeckKnowledge,
    Game,
    JournalLine,
    PlayerSettings,
    Seed,
    StoredArmy,
    Verdict,
    Viewer,
)
from skirmish.tabletop.linked_games import GameLink
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import nonsense
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.wall import WallBoard

MOST_VOID = 10
"""How many more lines of the journal are read than are shown, in case some of the last are void."""


class PlasticGame(Battle, Game[State, AnyOrder, AnyEvent]):
    """WWII Plastic Skirmish. Its set-up ``form`` contains the numbers and the rulings."""

    id = "plastic"
    name = "WWII Plastic Skirmish"
    noun = "battle"
    order = AnyOrder
    event = AnyEvent

    def __init__(self, form: BattleForm) -> None:
        self.form = form
        self.knowledge: Knowledge = "full"
        """Whether odds may know which cards are gone."""

    @cached_property
    def codec(self) -> BattleCodec:
        return codec_of(self.form.book)

    # ------------------------------------------------------------------ set-up

    def equipped(self, armies: Iterable[StoredArmy], settings: PlayerSettings) -> PlasticGame:
        """The game with the stored ``armies`` and the player's settings; an army that cannot be
        read is left out with a warning."""
        readable: dict[str, Army] = {}
        warnings = []
        for army in armies:
            try:
                readable[army.id] = from_body(
                    army.body, self.form.catalog, self.form.book, army.name
                )
            except DataError as error:
                warnings.append(f"{error} The army is left out.")
        game = copy(self)
        game.warnings = tuple(warnings)
        game.form = msgspec.structs.replace(
            self.form,
            armies=readable,
            level=settings.level,
            chance=settings.chance,
            preferred_answers=self.form.book.preferred_answers(settings.rulings),
        )
        return game

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        return self.form.fields(answers)

    def follow(self, changed: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.form.follow(changed, answers)

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[AnyEvent]:
        try:
            return opening(self.form.setup(answers, seed)).events
        except ValueError as error:
            raise nonsense("setup", str(error)) from None

    def first_orders(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[AnyOrder]:
        return self.form.first_orders(answers, seed)

    def title(self, state: State) -> str:
        return state.setup.title

    def follow_up(self, state: State) -> AnyOrder | None:
        """A battle whose end was taken back goes on."""
        if state.outcome is None or still_over(state):
            return None
        return orders.PlayOn(anew=True)

    def links(self, state: State) -> tuple[GameLink, ...]:
        """The campaign to which a battle belongs."""
        campaign = state.setup.campaign
        if campaign is None:
            return ()
        # The campaign is found by this piece of JSON, which only its own stored opening contains.
        mark = f'"mark":"{campaign.mark}",'
        return (GameLink(kind="campaign", mark=mark, label=campaign.title, goes_on=True),)

    # ------------------------------------------------------------------ what can be done

    def with_deck_knowledge(self, deck_knowledge: DeckKnowledge) -> PlasticGame:
        """The game whose odds may know which cards are gone (``full``), or may not (``hidden``)."""
        if deck_knowledge == self.knowledge:
            return self
        game = copy(self)
        game.knowledge = deck_knowledge
        return game

    def commands(self, state: State) -> tuple[Command[AnyOrder], ...]:
        return tuple(commands(state, self.knowledge, self.form.weights))

    # A question whose answer needs nothing of the game is the function itself.
    prompt = staticmethod(prompt)
    sides_of = staticmethod(sides_of)

    def players(self, state: State) -> Mapping[str, str]:
        return {side.id: side.people for side in state.setup.sides}

    def anyway(self, state: State, order: AnyOrder) -> Anyway | None:
        overruling = order.orders_if_insisted(state)
        if not overruling:
            return None
        return Anyway(overruling, order.anyway)

    def correction(self, play: BattlePlay, order: AnyOrder) -> Correction[AnyOrder] | None:
        """For an order that puts typed draws right: back to the last volley, all of whose draws are
        then given at once."""
        if not isinstance(order, orders.Retype):
            return None
        draws: list[Draw] = []
        for entry in reversed(play.live):
            drawn = [event.draw for event in entry.events if isinstance(event, DrawMade)]
            # This entry came before those looked at already.
            draws = [*drawn, *draws]
            if isinstance(entry.order, orders.Volley):
                return Correction(entry.number, retyped(order, draws))
            # Cards typed one by one belong to the volley before them; anything else ends it.
            if not isinstance(entry.order, orders.Show):
                break
        text = "There is no volley now whose draws can be corrected."
        raise nonsense("no_draw", text, key_note="Tab judges a shot again.")

    def same_again(self, play: BattlePlay) -> AnyOrder | None:
        """The repeat shot that the game offers now; otherwise the last shot or volley with all its
        circumstances."""
        if isinstance(play.state.ask, RepeatAsk):
            return same_again(play.state)
        for entry in reversed(play.live):
            # A volley is a kind of ``Fire``.
            if isinstance(entry.order, orders.Fire):
                # The players overruled the advice against that shot, not yet that against this one.
                return msgspec.structs.replace(entry.order, insist=False)
        return None

    # ------------------------------------------------------------------ what is shown

    def side_name(self, state: State, side: str) -> str:
        return state.setup.the(side, "The")

    def colours(self, state: State) -> tuple[str, str]:
        first, second = state.setup.signs.values()
        return first.name, second.name

    def sides_asked(self, state: State) -> Collection[str]:
        if state.ask is None or state.outcome is not None:
            return ()
        return state.ask.sides(state.setup)

    cuts_off = staticmethod(cuts_off)

    def waiting(self, state: State, viewer: Viewer = PLAYERS) -> str:
        return waiting_words(state, viewer)

    def forces(self, state: State, viewer: Viewer = PLAYERS) -> Page:
        if viewer == PLAYERS:
            statuses = victory_status(state)
            return Page(self.title(state), tuple(grouped_forces(state, statuses)))
        statuses = seen_status(state, viewer)
        return Page(self.title(state), tuple(grouped_forces(view(state, viewer), statuses)))

    def page(self, state: State, viewer: Viewer = PLAYERS) -> Page:
        if viewer == PLAYERS:
            return board(state, victory_status(state))
        return board(view(state, viewer), seen_status(state, viewer))

    def seen(self, play: BattlePlay, viewer: Viewer) -> BattlePlay:
        if viewer == PLAYERS:
            return play
        return seen(play, viewer)

    headline = staticmethod(headline)

    def verdict(self, play: BattlePlay, viewer: Viewer = PLAYERS) -> Verdict | None:
        if viewer == PLAYERS:
            return verdict(play)
        return own_verdict(play, viewer)

    hint = staticmethod(hint)

    # Pages that are seldom read import their modules only when they are asked for, so that a battle
    # is open sooner.

    def wall(self, play: BattlePlay) -> WallBoard | None:
        from skirmish.games.plastic.wall import wall_board  # noqa: PLC0415

        return wall_board(play)

    def overview(self, play: BattlePlay) -> Page:
        from skirmish.games.plastic.report import state_page  # noqa: PLC0415

        return state_page(play)

    def summary(self, play: BattlePlay) -> Page:
        from skirmish.games.plastic.report import summary_page  # noqa: PLC0415

        return summary_page(play)

    def over(self, state: State) -> bool:
        return state.outcome is not None

    def turn(self, state: State) -> int:
        return state.clock.turn

    def clock(self, state: State, viewer: Viewer = PLAYERS) -> str:
        first_line, *_ = clock_lines(state)
        return first_line.text

    def situation(self, state: State, viewer: Viewer = PLAYERS) -> Page:
        return Page("", tuple(allowed_now(state)))

    def progress(
        self, state: State, statuses: Sequence[VictoryStatus] | None = None
    ) -> Iterator[Paragraph]:
        """Each side's goal and progress, without break points, which are shown elsewhere.
        ``statuses``: as a spectator may see them; None: as the players do."""
        if statuses is None:
            statuses = victory_status(state)
        goals = []
        for status in statuses:
            # A side without terms has no goal but to break its enemy. It is named only if it can no
            # longer win.
            if status.terms or not status.can_win:
                goals.append(msgspec.structs.replace(status, breaks=""))
        return victory(state, goals)

    def due(self, play: BattlePlay, viewer: Viewer = PLAYERS) -> Page:
        # What is due of the scenario's set-up names who is hidden, so only the players get it.
        if viewer == PLAYERS:
            return Page("", tuple(due(play)))
        return Page("", tuple(coming(play.state)))

    def rules(self, state: State | None = None) -> Page:
        if state is None:
            return Page(self.name)
        setup = state.setup
        if setup.scenario is None:
            terms = Paragraph(setup.victory, lead="Victory:")
            return Page(setup.title, (terms, *agreed_before_play(state)))
        source = PageSource(
            scenario=setup.scenario,
            catalog=setup.catalog,
            book=self.form.book,
            rulings=setup.rulings,
            measured=str,  # distances as they stand in the text
            owned={},
        )
        return whole(source)

    def due_and_progress(
        self, play: BattlePlay, statuses: Sequence[VictoryStatus] | None = None
    ) -> Page:
        """Everything due, and the victory status. ``statuses``: as a spectator may see them; then
        the page has nothing that names hidden units. None: the page is for the players."""
        state = play.state
        terms = Paragraph(state.setup.victory, lead="Victory:")
        if statuses is None:
            progress = victory(state, victory_status(state))
            blocks = (*progress, terms, *due(play), *agreed_before_play(state))
        else:
            blocks = (*victory(state, statuses), terms, *coming(state))
        return Page("What is due, and how it stands", blocks)

    def narrated(
        self, state: State | None, events: Iterable[AnyEvent], viewer: Viewer = PLAYERS
    ) -> list[str]:
        events = list(events)
        for event in events:
            state = self.evolve(state, event)
        if state is None:
            return []
        # Narrated from the state after the events, which knows the names of the pieces they added.
        line = narrate(events, state)
        if not line:
            return []
        return [line]

    def journal(
        self, play: BattlePlay, viewer: Viewer = PLAYERS, *, last: int = 0
    ) -> list[JournalLine]:
        """The valid lines as the viewer may read them; with ``last``, only so many; 0: all."""
        readable = self.seen(play, viewer)
        # To make all lines of a long battle takes time, and a screen shows only the last ones.
        at_most = None
        if last:
            at_most = last + MOST_VOID
        shown: list[JournalLine] = []
        for line in lines(readable, at_most):
            if line.text and not line.void:
                shown.append(line)
        if last:
            return shown[-last:]
        return shown

    def all_lines(self, play: BattlePlay) -> list[JournalLine]:
        return [line for line in whole_journal(play) if line.text]

    def why_not_void(self, play: BattlePlay, line: JournalLine) -> str:
        if not isinstance(line, BattleLine):
            return ""
        refusal = why_not_void(play, line)
        if refusal is None:
            return ""
        return refusal.message

    def judged_again(self, play: BattlePlay, line: JournalLine) -> Command[AnyOrder] | None:
        shot = last_shot_in(play, line.entry_numbers)
        if shot == 0:  # none of this line can be judged again
            return None
        return judge_again(play.state, shot, later=self.dependents(play, line))

    def voided_with(self, play: BattlePlay, line: JournalLine) -> list[JournalLine]:
        if not isinstance(line, BattleLine):
            return []
        return list(judgments_of(play, line))

    def would_have_changed(self, play: BattlePlay, line: JournalLine) -> list[int]:
        if isinstance(line, BattleLine):
            return [*would_have_changed(play, line)]
        return []

    def to_check(self, play: BattlePlay) -> list[int]:
        # The offer to fire again leaves nothing of the last order open, unlike any other question.
        unfinished = play.state.ask is not None and not isinstance(play.state.ask, RepeatAsk)
        if unfinished or play.ends_with_void:
            return []
        [last_line] = lines(play, 1)
        return [*would_have_changed(play, last_line)]

    def dependents(self, play: BattlePlay, line: JournalLine) -> list[int]:
        if not isinstance(line, BattleLine):
            return []
        return [dependent.number for dependent in dependents(play, line)]

    def facts(self, play: BattlePlay) -> dict[str, Any]:
        """The state for other programs: its keys and those of the sides are an interface."""
        from skirmish.games.plastic.summary import summary  # noqa: PLC0415

        state = play.state
        statuses = {status.side: status for status in victory_status(state)}
        refusal = None
        # Once the battle is over nothing is waited for, whatever question is still open.
        if state.outcome is None:
            refusal = waiting_for(state)
        waiting_text = None
        if refusal is not None:
            waiting_text = refusal.message
        return {
            "turn": state.clock.turn,
            "side": state.clock.side,
            "phase": state.clock.phase,
            "waiting": waiting_text,
            "sides": [
                _side_facts(state, side.id, statuses.get(side.id)) for side in state.setup.sides
            ],
            "summary": msgspec.to_builtins(summary(play)),
        }

    def check(self, state: State) -> None:
        check_sides(state)

    def with_imported_entry(self, play: BattlePlay | None, entry: BattleEntry) -> BattlePlay:
        """The play after one more stored entry. Its order is not decided again, since the rules may
        have changed since then: its events stay as they are, and are only checked."""
        if play is None:
            play = self.codec.play([entry])
            self.check_screens(play.state)  # refuses an opening that no screen could show
        else:
            self.codec.follow(play, entry)
        check_entry(play.state, entry)
        return play


def _side_facts(state: State, side: str, status: VictoryStatus | None) -> dict[str, Any]:
    """A side for other programs. ``status``: None for a side without a victory status."""
    source = state.sources[state.source_of(side)]
    cards_left = None
    if source.kind == "deck":
        cards_left = source.cards_left(DECK)
    standing, can_win = None, None
    if status is not None:
        standing = status.text
        can_win = status.can_win
    return {
        "id": side,
        "people": state.setup.side_by_id[side].people,
        "level": state.levels[side],
        "draws": source.kind,
        "cards_left": cards_left,
        "loss": state.loss.get(side, 0),
        "strength": side_strength(state, side),
        "break_at": breaking_loss(state, side),
        "standing": standing,
        "can_win": can_win,
        "rows": [_row_facts(row) for row in rows(state, side)],
    }


def _row_facts(row: Row) -> dict[str, Any]:
    """A row for other programs: how many of it are where."""
    return {
        "row": row.key,
        "letter": row.letter,
        "name": row.unit.name,
        "total": row.total,
        "alive": len(row.alive),
        "here": len(row.here),
        "aboard": len(row.aboard),
        "hidden": len(row.hidden),
        "waiting": len(row.waiting),
        "exited": row.exited,
        "ready": row.ready_count,
    }


def topics(play: BattlePlay, draft: Draft[AnyOrder] | None) -> Iterator[str]:
    """The topics of the rules look-up at this point of the battle, the nearest first."""
    state = play.state
    question = prompt(state)
    if state.outcome is not None:
        yield "ask outcome"
    if question is not None:
        yield question.topic
    if isinstance(state.ask, DrawAsk):
        yield "ask draw"
    if draft is not None:
        yield _topic_of_draft(draft)
    if isinstance(state.ask, RepeatAsk):
        yield "ask repeat"
    if state.checked is not None and check_is_large(play):
        yield f"check {state.checked.check}"
    if state.verdict is not None:
        yield f"verdict {last_result(state)}"
    yield f"phase {state.clock.phase}"


def _topic_of_draft(draft: Draft[AnyOrder]) -> str:
    """The topic of the rules for what is being put together."""
    topic = draft.command.topic
    if topic != TOPIC_OF_SHOTS:
        return topic
    # A shot is a volley once it is said how many fire, or how many they fire at.
    count, reach = draft.answers.get("count"), draft.answers.get("reach")
    if count is not None or reach is not None:
        return "mode volley"
    return topic
