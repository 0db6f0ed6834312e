"""When a shot is judged again: which later lines of the journal would have come out otherwise. They
stand as they were played, and the players are asked to check them.

Each line is decided again by itself, after what really happened before it; only the shot is judged
otherwise. So a line is named because the shot changes it, and never because another line is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.agenda import AnyAsk, CasualtyAsk
from skirmish.games.plastic.battle.ending import after_loss
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.lines import BattleLine, lines
from skirmish.games.plastic.battle.orders import Battle, resolved, settled
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.rows import find_row, row_of
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.refusal import Refused


class Noticed(NamedTuple):
    """What players would notice of an event, to be compared with another: its ``kind`` and what
    they see of it. It names rows and not men, since nobody can tell the men of a row apart."""

    kind: str
    details: tuple[object, ...]


def would_have_changed(play: BattlePlay, line: BattleLine) -> tuple[int, ...]:
    """The numbers of the lines between a shot and ``line``, which judges it again, that would have
    come out otherwise if the shot had been judged like that at once. Empty if ``line`` judges
    nothing again."""
    shots = line.shots_judged_again
    if not shots:
        return ()
    all_lines = lines(play)
    shot_line = _last_line_of(all_lines, shots)
    if shot_line is None:
        return ()
    state_after_shot = play.state_after(max(shot_line.entry_numbers))
    assert state_after_shot is not None, "these lines have only entries that were not undone"
    between = []
    for later in all_lines:
        is_between = shot_line.number < later.number < line.number
        # ``line`` replaces earlier corrections of the same shots.
        is_replaced = bool(later.shots_judged_again & shots)
        if is_between and not is_replaced:
            between.append(later)
    second_run = _SecondRun(play, _corrected(state_after_shot, line))
    return second_run.changed_lines(between)


def _last_line_of(all_lines: Sequence[BattleLine], shots: set[int]) -> BattleLine | None:
    """The last line in which one of these shots was fired; None if there is none. The shots are
    judged again together, so only what came after the last of them can have been changed."""
    last = None
    for line in all_lines:
        fired = set()
        for event in line.events:
            if isinstance(event, happened.Aimed | happened.HitsCounted):
                fired.add(event.shot.id)
        # A line that judges again has such events, too, but fires nothing.
        judges_again = any(isinstance(event, happened.Recalled) for event in line.events)
        if fired & shots and not judges_again and not line.void:
            last = line
    return last


def _corrected(state: State, line: BattleLine) -> State:
    """What ``state``, that right after the shot, would be if the shot had been judged at once as
    ``line`` judges it. The orders of the line are decided on the men who stood there then, with the
    same answers where they fit, otherwise with those that are proposed."""
    after = state
    for entry in line.entries:
        assert entry.order is not None, "only orders judge a shot again"
        try:
            after = resolved(after, entry.order).state
        except Refused:
            after = _as_it_happened(after, entry)
    # What is to be done next stays as it was: the players went on from there.
    return replace(
        settled(after),
        agenda=state.agenda,
        ask=state.ask,
        hand=state.hand,
        hand_of=state.hand_of,
        outcome=state.outcome,
        cut_off=state.cut_off,
    )


def _as_it_happened(state: State, entry: BattleEntry) -> State:
    """The state after the events of a correction whose order would have been refused at that time,
    such as one about a man who had not come yet."""
    for event in entry.events:
        state = event.apply(state)
    return state


class _SecondRun:
    """The battle once more from a corrected ``state``: what was really ordered since then is
    carried out again, order by order."""

    def __init__(self, play: BattlePlay, state: State) -> None:
        self._play = play
        self._state = state
        # The rules of the game: ``Battle`` holds no state, neither of this battle nor of another.
        self._rules = Battle()

    def changed_lines(self, between: Sequence[BattleLine]) -> tuple[int, ...]:
        """Run through these lines. Returns the numbers of those that come out otherwise."""
        line_of_entry: dict[int, int] = {}
        for line in between:
            for entry in line.entries:
                line_of_entry[entry.number] = line.number
        changed: list[int] = []
        # In the order in which they were given, and not line by line: between the entries of a shot
        # there may be one of another line, such as a note.
        for act in self._play.acts:
            line_number = line_of_entry.get(act.number)
            if line_number is None:
                continue
            if act.number in self._play.struck:
                # Of a void line only what cannot be taken back holds, such as cards that the
                # program drew.
                self._apply(self._rules.irreversible(act.events, self._state))
                continue
            state = self._state_if_alike(act)
            if state is not None:
                # As decided now, and not as it happened: other men of the same row may have fallen.
                self._state = state
                continue
            # The line stands as it happened, though it would have come out otherwise.
            self._apply(act.events)
            if line_number not in changed:
                changed.append(line_number)
        return tuple(changed)

    def _state_if_alike(self, act: BattleEntry) -> State | None:
        """The state after the order of an entry, if players would notice the same of it as they
        did; else None."""
        assert act.order is not None, "only an order makes a line in between"
        # With the correction the battle would have ended before this order.
        would_be_over = self._state.outcome is None and after_loss(self._state) is not None
        if would_be_over:
            return None
        try:
            decided = resolved(self._state, act.order)
        except Refused:
            return None
        if _noticed(decided.events, decided.state) != _noticed(act.events, decided.state):
            return None
        return decided.state

    def _apply(self, events: Sequence[AnyEvent]) -> None:
        """Move on to the state after these events."""
        for event in events:
            to_apply = event
            if isinstance(event, happened.Lost):
                to_apply = replace(event, piece=self._piece_to_fall(event.piece))
            self._state = to_apply.apply(self._state)

    def _piece_to_fall(self, piece: str) -> str:
        """The piece that falls in this run when this one falls: the same, or another of its row if
        it has fallen already, since one man more is lost all the same."""
        if not self._state.knows(piece) or self._state.is_in_play(piece):
            return piece
        row = find_row(self._state, row_of(self._state, piece))
        if row is None or not row.here:
            return piece
        return row.here[0]


def _noticed(events: Sequence[AnyEvent], state: State) -> list[Noticed]:
    """All that players would notice of these events. ``state`` knows the pieces in them."""
    noticed = []
    # Events of other kinds need no comparison: a line that comes out otherwise differs in at least
    # one of these. ``test_hindsight`` checks that on random battles, by the whole text of lines.
    for event in events:
        match event:
            case happened.Judged():
                shot = event.shot
                verdict = (shot.weapon, shot.target, event.needs, event.hit, event.saved_by)
                noticed.append(Noticed("shot", verdict))
            case happened.HitsCounted():
                noticed.append(Noticed("count", (event.needs, event.hits)))
            case happened.Lost():
                row = _row_if_known(state, event.piece)
                noticed.append(Noticed("lost", (row, event.unit)))
            case happened.Checked():
                check = (event.check, event.side, event.row, event.result)
                noticed.append(Noticed("check", check))
            case happened.Ceased():
                noticed.append(Noticed("volley", (event.fired, event.hits, event.unused)))
            case happened.Asked():
                noticed.append(Noticed("asked", _details_of_question(event.ask)))
            case happened.Finished():
                noticed.append(Noticed("over", (event.winner,)))
            case happened.Exited():
                noticed.append(Noticed("exited", (len(event.pieces), event.value)))
    return noticed


def _details_of_question(ask: AnyAsk) -> tuple[object, ...]:
    """The kind of a question; if it is who dies, also among whom and how many."""
    if isinstance(ask, CasualtyAsk):
        return (CasualtyAsk, ask.rows, ask.count)
    return (type(ask),)


def _row_if_known(state: State, piece: str) -> str:
    """The row of a piece; empty for one that has not joined in this state."""
    if not state.knows(piece):
        return ""
    return row_of(state, piece)
