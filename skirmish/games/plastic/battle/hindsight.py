"""What a shot judged again would have changed: the lines of the journal since then that would have
come out otherwise. They stand as they were played, and the players are asked to check them.

Each line is decided again by itself, on what really happened before it: only the shot is judged
otherwise. So a line is named for what it is about, and not because another one is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.agenda import CasualtyAsk
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.lines import BattleLine, lines
from skirmish.games.plastic.battle.orders import Battle, resolved, settled
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.rows import find_row, row_of
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import after_loss
from skirmish.tabletop.refusal import Refused

Outcome = list[tuple[Any, ...]]
"""What an order led to, for comparison only: for each event its kind and what players would notice
of it. It names rows and not men, since of the men of a row nobody knows who is who."""


def would_have_changed(play: BattlePlay, line: BattleLine) -> tuple[int, ...]:
    """The numbers of the lines between a shot and the line that judges it again (``line``) that
    would have come out otherwise if the shot had been judged so at once; none if ``line`` judges
    nothing again."""
    shots = line.judged_again
    if not shots:
        return ()
    all_lines = lines(play)
    first = _line_of(all_lines, shots)
    if first is None:
        return ()
    state = play.state_after(max(first.entry_numbers))
    if state is None:
        return ()
    between = []
    for later in all_lines:
        is_between = first.number < later.number < line.number
        # An earlier correction of the same shots is overtaken by this one.
        if is_between and not later.judged_again & shots:
            between.append(later)
    return _Hindsight(play, _corrected(state, line)).changed(between)


def _line_of(all_lines: Sequence[BattleLine], shots: set[int]) -> BattleLine | None:
    """The last line in which one of these shots was fired; None if there is none. The shots are
    judged again together, so only what came after the last of them can have been changed."""
    last = None
    for line in all_lines:
        ids = set()
        for event in line.events:
            if isinstance(event, happened.Aimed | happened.HitsCounted):
                ids.add(event.shot.id)
        is_judged_again = any(isinstance(event, happened.Recalled) for event in line.events)
        if ids & shots and not is_judged_again and not line.void:
            last = line
    return last


def _corrected(state: State, line: BattleLine) -> State:
    """The ``state`` right after the shot as it would be had the shot been judged at once as
    ``line`` judges it: the orders of the line are decided on the men who stood there then, with the
    same answers as far as they fit, else with those proposed."""
    after = state
    for entry in line.entries:
        assert entry.order is not None
        try:
            after = resolved(after, entry.order).state
        except Refused:
            after = _as_it_happened(after, entry)
    return replace(settled(after), **_what_is_open(state))


def _as_it_happened(state: State, entry: BattleEntry) -> State:
    """The state after the events of a correction whose order would have been refused at that time,
    such as one about a man who had not come yet."""
    for event in entry.events:
        state = event.apply(state)
    return state


def _what_is_open(state: State) -> dict[str, Any]:
    """The fields of a state that say what is to be done next; all others say how the battle stands.
    The corrected state keeps these: the players went on from them."""
    names = ("agenda", "ask", "hand", "hand_of", "outcome", "cut_off")
    return {name: getattr(state, name) for name in names}


class _Hindsight:
    """The battle from a corrected state on: what was really ordered since, carried out again on
    that state line by line."""

    def __init__(self, play: BattlePlay, state: State) -> None:
        self.play, self.state = play, state
        self.rules = Battle()

    def changed(self, between: Sequence[BattleLine]) -> tuple[int, ...]:
        """The numbers of those lines that would have come out otherwise."""
        line_of: dict[int, int] = {}
        for line in between:
            for entry in line.entries:
                line_of[entry.number] = line.number
        changed: dict[int, None] = {}  # a set that keeps the order
        for act in self.play.acts:
            number = line_of.get(act.number)
            if number is None:
                continue
            if act.number in self.play.struck:
                # Of a void line only the cards that the program drew stay drawn.
                self._go_on(self.rules.irreversible(act.events, self.state))
            elif not self._comes_out_alike(act):
                changed[number] = None
                self._go_on(act.events)
        return tuple(changed)

    def _comes_out_alike(self, act: BattleEntry) -> bool:
        """Whether the order leads to the same on the corrected state. If so, the state goes on to
        what the order leads to there: other men of the same row may have fallen."""
        assert act.order is not None, "only an order makes a line in between"
        if self.state.outcome is None and after_loss(self.state) is not None:
            return False  # the battle would have been over
        try:
            decided = resolved(self.state, act.order)
        except Refused:
            return False
        if _outcome(decided.events, decided.state) != _outcome(act.events, decided.state):
            return False
        self.state = decided.state
        return True

    def _go_on(self, events: Sequence[AnyEvent]) -> None:
        """Go on to the state after a line that stands as it happened, though it would have come out
        otherwise."""
        for event in events:
            to_apply = event
            if isinstance(event, happened.Lost):
                to_apply = replace(event, piece=self._still_up(event.piece))
            self.state = to_apply.apply(self.state)

    def _still_up(self, piece: str) -> str:
        """The piece that falls in place of this one: itself, or another of its row if it is down
        already on this state, since one man more has fallen."""
        if not self.state.knows(piece) or self.state.is_up(piece):
            return piece
        row = find_row(self.state, row_of(self.state, piece))
        if row is None or not row.here:
            return piece
        return row.here[0]


def _outcome(events: Sequence[AnyEvent], state: State) -> Outcome:
    """All that players would notice of these events; ``state`` knows the pieces."""
    outcome: Outcome = []
    for event in events:
        match event:
            case happened.Judged():
                shot = event.shot
                outcome.append(
                    ("shot", shot.weapon, shot.target, event.needs, event.hit, event.saved_by)
                )
            case happened.HitsCounted():
                outcome.append(("count", event.needs, event.hits))
            case happened.Lost():
                outcome.append(("lost", _row(state, event.piece), event.unit))
            case happened.Checked():
                outcome.append(("check", event.check, event.side, event.row, event.result))
            case happened.Ceased():
                outcome.append(("volley", event.fired, event.hits, event.unused))
            case happened.Asked():
                outcome.append(_asked(event))
            case happened.Finished():
                outcome.append(("over", event.winner))
            case happened.Exited():
                outcome.append(("left", len(event.pieces), event.value))
    return outcome


def _asked(event: happened.Asked) -> tuple[Any, ...]:
    """A question as players would notice it: of whom dies also among whom, and how many."""
    ask = event.ask
    if isinstance(ask, CasualtyAsk):
        return ("asked", type(ask).__name__, ask.rows, ask.count)
    return ("asked", type(ask).__name__)


def _row(state: State, piece: str) -> str:
    """The row of a piece; empty for one that has never come on this state."""
    if not state.knows(piece):
        return ""
    return row_of(state, piece)
