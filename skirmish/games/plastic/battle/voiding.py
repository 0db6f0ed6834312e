"""Whether a line of the journal can be made void, and which later lines depend on it."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.lines import BattleLine, added_pieces, lines
from skirmish.games.plastic.battle.names import shot_name
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.tabletop.refusal import Refusal


def why_not_void(play: BattlePlay, line: BattleLine) -> Refusal | None:
    """Why a line cannot be made void; None if it can."""
    first = line.entries[0]
    if line.void:
        return Refusal("struck", "This line is already void.", firm=True)
    if first.kind == "open":
        return Refusal("opening", "The opening cannot be made void.", firm=True)
    if first.order is not None and first.order.why_never_void:
        return Refusal("clockwork", first.order.why_never_void, firm=True)
    why_needed = _why_needed(play, line)
    if why_needed:
        return Refusal("in_use", why_needed, firm=True)
    is_unfinished = play.state.ask is not None or bool(play.state.agenda)
    if is_unfinished and play.acts[-1].number in line.entry_numbers:
        text = "This is not finished yet; Backspace takes it back."
        return Refusal("unfinished", text, firm=True)
    return None


def _why_needed(play: BattlePlay, line: BattleLine) -> str:
    """Why a line must stay, in sentences: if it were void, a later one would be about pieces or
    shots that never were. Empty if no line needs it."""
    added = added_pieces(line.entries).keys()
    shots = line.shots
    if not added and not shots:
        return ""
    later_lines = list(_later(play, line))
    for later in later_lines:
        if added & _subjects(later):
            return (
                f"Line {later.number} is about units that this line added, so it stays. Make line "
                f"{later.number} void first, or take them off with -."
            )
    for later in later_lines:
        if shots & _settled_shots(later):
            return (
                f"Line {later.number} ended the phase or turn and removed who was hit here, so "
                "this line stays. Put the dead back with +, or go back to before line "
                f"{later.number}."
            )
    return ""


def dependents(play: BattlePlay, line: BattleLine) -> tuple[BattleLine, ...]:
    """Later lines about the same shots or pieces. If the line is made void they stand, but players
    should check them. Lines that become void with it (``judgments_of``) are left out."""
    subjects = _subjects(line)
    void_with_it = {judgment.number for judgment in judgments_of(play, line)}
    dependent = []
    for later in _later(play, line):
        if subjects & _subjects(later) and later.number not in void_with_it:
            dependent.append(later)
    return tuple(dependent)


def judgments_of(play: BattlePlay, line: BattleLine) -> tuple[BattleLine, ...]:
    """The later lines that judge shots of a line again. They become void with it."""
    shots = line.shots
    if not shots:
        return ()
    return tuple(later for later in _later(play, line) if shots & later.shots_judged_again)


def _settled_shots(line: BattleLine) -> set[int]:
    """The shots whose casualties a line removed as the program proposed them, when a phase or turn
    ended. Such a line cannot be made void."""
    order = line.entries[0].order
    # Orders that end a phase or turn are never void; the others of that kind remove no casualties.
    if order is None or not order.why_never_void:
        return set()
    shots = set()
    for event in line.events:
        if isinstance(event, happened.Lost) and event.credit is not None:
            shots.add(event.credit.shot)
    return shots


def _later(play: BattlePlay, line: BattleLine) -> Iterator[BattleLine]:
    """The lines after this one that are not void."""
    for later in lines(play):
        if later.number > line.number and not later.void:
            yield later


def _subjects(line: BattleLine) -> set[str]:
    """The pieces and shots (``shot 3``) that a line is about."""
    subjects = {shot_name(shot) for shot in line.shots_judged_again}
    for event in line.events:
        subjects |= event.subjects()
    return subjects
