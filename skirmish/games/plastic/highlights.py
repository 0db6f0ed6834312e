"""The turning point and the highlights of a battle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import groupby

import msgspec

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.names import piece_side, row_unit
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.setup import Piece, Setup
from skirmish.games.plastic.battle.state import Clock, State
from skirmish.games.plastic.battle.victory import leader
from skirmish.games.plastic.rules.catalog import UnitType, a_unit, listed, plural
from skirmish.games.plastic.summary import Summary
from skirmish.tabletop.page import Block, Facts, Heading, Paragraph

_WORDS = 6
_ARRIVAL, _SURPRISE, _BREAKDOWN = 5, 4, 3
_CLOCKWORK = happened.Opened | happened.TurnEnded | happened.PhaseEnded | happened.ClockSet


class Highlight(msgspec.Struct, frozen=True):
    turn: int
    side: str
    text: str
    weight: int


class TurningPoint(msgspec.Struct, frozen=True):
    """The player turn since which one side has been ahead. ``first``: from the beginning; ``last``:
    only the end of the battle put it ahead."""

    turn: int
    mover: str
    side: str
    text: str
    first: bool = False
    last: bool = False


def turning_point(play: BattlePlay) -> TurningPoint | None:
    outcome = play.state.outcome
    turns = groupby(play.states, key=lambda state: (state.clock.turn, state.clock.side))
    ends = [[*states][-1] for _, states in turns]
    leads = [(state.clock, leader(state)) for state in ends]
    side = outcome.winner if outcome else leads[-1][1].side
    if side is None:
        return None
    if outcome and leads[-1][1].side != side:  # decided by the last draw, or by the players
        clock, last = leads[-1]
        return TurningPoint(clock.turn, clock.side, side, last.text, last=True)
    since = len(leads) - 1
    while since and leads[since - 1][1].side == side:
        since -= 1
    clock, then = leads[since]
    return TurningPoint(clock.turn, clock.side, side, then.text, first=since == 0)


def turning_words(state: State, point: TurningPoint) -> tuple[str, str]:
    people = {side.id: side.people for side in state.setup.sides}
    leader, over = people[point.side], state.outcome is not None
    if point.first:
        ahead = "were ahead" if over else "have been ahead"
        return "", f"{leader} {ahead} since the first turn, which ended with: {point.text}."
    if point.last:
        return "", f"It was open to the very end: {point.text}."
    when = f"Turn {point.turn}, {people[point.mover]} to move."
    ahead = "were ahead for good" if over else "have been ahead"
    return when, f"{leader} {ahead} from the end of it: {point.text}."


def weightiest(found: Sequence[Highlight], most: int) -> tuple[Highlight, ...]:
    """In chronological order; of equals the first."""
    best = sorted(range(len(found)), key=lambda at: (-found[at].weight, at))[:most]
    return tuple(found[at] for at in sorted(best))


def all_highlights(play: BattlePlay) -> list[Highlight]:
    state = play.state
    clock = Clock(1, state.first, 1)
    found: list[Highlight] = []
    for line in lines(play):
        moved = [event for event in line.events if isinstance(event, _CLOCKWORK)]
        if line.void:
            continue
        if moved:
            clock = getattr(moved[-1], "clock", clock)
        elif line.text and (weight := sum(map(_of_event, line.events))):
            text = retold(line.events, state)
            found.append(Highlight(clock.turn, clock.side, text, weight))
    return found


def _of_event(event: AnyEvent) -> int:
    match event:
        case happened.Lost(credit=credit):
            return event.worth if credit else 0
        case happened.Noted():
            return _WORDS
        case happened.Entered() | happened.Added():
            return _ARRIVAL
        case happened.Revealed() | happened.Unsealed() | happened.Toggled():
            return _SURPRISE
        case happened.Exited(value=value):
            return value
        case happened.Tested(broken=True):
            return _BREAKDOWN
    return 0


# ------------------------------------------------------------------ in sentences


_OF_A_SHOT = (
    happened.Aimed
    | happened.Asked
    | happened.Ceased
    | happened.Checked
    | happened.Drawn
    | happened.Held
    | happened.HitsCounted
    | happened.Judged
    | happened.Laid
    | happened.Lost
    | happened.Recalled
    | happened.Reread
    | happened.Tested
    | happened.Turned
    | happened.Unread
    | happened.Volleyed
)


def retold(events: Sequence[AnyEvent], state: State) -> str:
    """The events in sentences; ``state`` knows all pieces."""
    shots = happened.Judged | happened.HitsCounted | happened.Volleyed
    fired = any(isinstance(event, shots) for event in events)
    if not fired:
        return narrate(events, state)
    others = [event for event in events if not isinstance(event, _OF_A_SHOT)]
    return " ".join(filter(None, (*_shot(events, state), narrate(others, state))))


def _shot(events: Sequence[AnyEvent], state: State) -> Iterator[str]:
    """``Germans: Tank T1 fires its Cannon at a Cannon. The Poles lose Cannon C1.``"""
    back = {p for event in events if isinstance(event, happened.Recalled) for p in event.back}
    lost = [e.piece for e in events if isinstance(e, happened.Lost) and e.piece not in back]
    who, side, several = _shooters(events, state)
    own = [piece for piece in lost if piece_side(piece) == side]
    theirs = [piece for piece in lost if piece_side(piece) != side]
    yield f"{state.words.people(side)}: {who} at {_target(events, state)}."
    if theirs:
        yield f"{_the_side(theirs, state)} lose {_named(theirs, state)}."
    elif not own:
        yield "They miss." if several else "A miss."
    for event in events:
        if isinstance(event, happened.Tested) and event.broken:
            yield f"The {state.setup.catalog.weapons[event.shot.weapon].name} breaks down."
    if own:
        yield f"{_the_side(own, state)} lose {_named(own, state)}."


def _shooters(events: Sequence[AnyEvent], state: State) -> tuple[str, str, bool]:
    setup = state.setup
    volley = next((event for event in events if isinstance(event, happened.Volleyed)), None)
    if volley is not None:
        unit, several = setup.unit(row_unit(volley.shooter)), volley.count > 1
        who = unit.named(volley.count) if several else a_unit(unit.name, "A")
        return who + _fires({volley.weapon}, unit, several, setup), volley.side, several
    judged = [e for e in events if isinstance(e, happened.Judged | happened.HitsCounted)]
    judged.sort(key=lambda event: isinstance(event, happened.HitsCounted))
    pieces = [*dict.fromkeys(event.shot.piece for event in judged)]
    pieces += [p for e in judged if isinstance(e, happened.HitsCounted) for p in e.pieces[1:]]
    unit, several = setup.unit(state.piece(pieces[0]).unit), len(pieces) > 1
    fires = _fires({event.shot.weapon for event in judged}, unit, several, setup)
    return _named(pieces, state) + fires, piece_side(pieces[0]), several


def _fires(weapons: Set[str], unit: UnitType, several: bool, setup: Setup) -> str:
    """`` fires its Cannon``; without the weapon if the unit is named after it."""
    fires, its = (" fire", "their") if several else (" fires", "its")
    names = {setup.catalog.weapons[weapon].name for weapon in weapons}
    if len(names) > 1 or names <= {unit.short, plural(unit.short)}:
        return fires
    return f"{fires} {its} {names.pop()}"


def _target(events: Sequence[AnyEvent], state: State) -> str:
    rows: list[str] = []
    for event in events:
        if isinstance(event, happened.Volleyed):
            rows.append(event.target)
        elif isinstance(event, happened.Judged | happened.HitsCounted):
            rows.append(event.shot.target)
    units = dict.fromkeys(state.setup.unit(row_unit(row)) for row in rows)
    return listed([plural(u.name) if u.is_guy else a_unit(u.name) for u in units])


def _the_side(pieces: Sequence[str], state: State) -> str:
    return state.setup.the(piece_side(pieces[0]), "The")


def _named(pieces: Sequence[str], state: State) -> str:
    """``Truck K1 and 10 Rifle Guys``: single pieces with their codes, others by number."""
    kinds: dict[str, list[Piece]] = {}
    for piece in map(state.piece, pieces):
        kinds.setdefault(piece.unit, []).append(piece)
    return listed(
        [
            unit.named(len(some)) if len(some) > 1 else f"{unit.short} {some[0].code}"
            for unit, some in ((state.setup.unit(name), some) for name, some in kinds.items())
        ]
    )


# ------------------------------------------------------------------ on a page


def turning_blocks(
    state: State, point: TurningPoint | None, found: Summary | None = None
) -> Iterator[Block]:
    paragraphs: list[Paragraph] = []
    if point is not None:
        when, text = turning_words(state, point)
        paragraphs.append(Paragraph(text, when))
    elif state.outcome:
        paragraphs.append(Paragraph("Neither side took a lasting lead."))
    if found:
        worst = max(found.turns, key=lambda one: (sum(one.pdg.values()), -one.turn))
        if sum(worst.pdg.values()):
            each = ", ".join(f"{side.people} {worst.pdg[side.side]}" for side in found.sides)
            text = f"turn {worst.turn}. Strength lost: {each}."
            paragraphs.append(Paragraph(text, "Costliest turn:"))
    if paragraphs:
        yield Heading("Turning point")
        yield from paragraphs


def highlight_blocks(play: BattlePlay, found: Sequence[Highlight], most: int) -> Iterator[Block]:
    people = {side.id: side.people for side in play.state.setup.sides}
    rows = [
        (f"Turn {one.turn}, {people[one.side]} to move", one.text)
        for one in weightiest(found, most)
    ]
    if rows:
        yield Heading("Highlights", aside="from the journal")
        yield Facts(tuple(rows))
