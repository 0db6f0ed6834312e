"""Who dies: the man aimed at, whom the defender gives, the model that was meant, all inside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda
from skirmish.games.plastic.battle.agenda import Agenda
from skirmish.games.plastic.battle.names import piece_side, row_named, weapon_slot
from skirmish.games.plastic.battle.orders.resolution import Order, Resolution
from skirmish.games.plastic.battle.rows import (
    Row,
    fights_as,
    find,
    guys,
    inside_is_unknown,
    riders_possible,
)
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.checks import why_not_aboard
from skirmish.tabletop.refusal import Refused, nonsense


class Give(Order, frozen=True, tag="give"):
    """A man of each row named dies; further ones as proposed."""

    when = "answer"
    in_journal = "goes on"

    rows: tuple[str, ...] = ()

    def carry_out(self, run: Resolution) -> None:
        nobody = nonsense("no_casualty", "There is no casualty to choose.")
        ask, task, then = run.answered(agenda.CasualtyAsk, agenda.ToBury, nobody)
        hits = _in_turn(task)
        if len(self.rows) > ask.count:
            raise nonsense("too_many", f"Only {ask.count} die; {len(self.rows)} were named.")
        counts = Counter(self.rows)
        candidates = [row for row in (find(run.state, key) for key in ask.rows) if row is not None]
        room = {row.key: len(row.in_sight) for row in candidates}
        for key, count in counts.items():
            if key not in room:
                text = "Choose from the rows shown: they are the group in sight."
                raise nonsense("not_one_of_these", text)
            if count > room[key]:
                name = next(row.unit.name for row in candidates if row.key == key)
                text = f"Only {room[key]} of the {name} row are there, not {count}."
                raise nonsense("too_many", text)
        dead = [*self.rows, *propose(candidates, ask.aimed_at, ask.count - len(self.rows), counts)]
        for key in dead:
            hit, *rest = hits
            row, hits = find(run.state, key), rest
            if row is not None and run.state.outcome is None:
                run.lose(row.in_sight[0], hit.shot, hit.draw, _bury(rest, then))
        run.go_on()


class Point(Order, frozen=True, tag="point"):
    when = "answer"
    in_journal = "goes on"

    piece: str

    def carry_out(self, run: Resolution) -> None:
        nothing = nonsense("no_piece", "There is no model to choose.")
        ask, task, then = run.answered(agenda.PieceAsk, agenda.ToBury, nothing)
        if self.piece not in ask.pieces or not run.state.is_up(self.piece):
            raise nonsense("not_one_of_these", "Choose one of the models shown.")
        hit, *rest = _in_turn(task)
        run.lose(self.piece, hit.shot, hit.draw, _bury(rest, then))
        run.go_on()


class Inside(Order, frozen=True, tag="inside"):
    when = "answer"
    in_journal = "goes on"

    riders: dict[str, int] = msgspec.field(default_factory=dict)

    def carry_out(self, run: Resolution) -> None:
        nothing = nonsense("no_carrier", "No carrier has been lost.")
        ask, task, then = run.answered(agenda.InsideAsk, agenda.ToSink, nothing)
        unit = run.state.unit(ask.carrier)
        dead: list[str] = []
        for key, count in self.riders.items():
            row = find(run.state, key)
            if row is None or row.side != ask.side:
                raise nonsense("not_one_of_these", "Choose from the side that lost the carrier.")
            dead += row.take(row.on_foot, count, "there", least=0)
        known = [fights_as(run.state, run.state.unit(piece)) for piece in dead]
        if refusal := why_not_aboard(unit, known, run.state.setup.rulings):
            raise Refused(replace(refusal, firm=True))
        if dead:
            run.lose_aboard(dead, task, then)
        else:
            run.hold(then)
        run.go_on()


def _in_turn(task: agenda.ToBury) -> list[agenda.Hit]:
    return sorted(task.hits, key=lambda hit: not hit.exact)


def _bury(hits: Sequence[agenda.Hit], then: Agenda) -> Agenda:
    return (agenda.ToBury(hits=tuple(hits)), *then) if hits else then


def bury(run: Resolution, task: agenda.ToBury, then: Agenda) -> None:
    """Exact hits first; for the others the defender may choose."""
    hit, *rest = _in_turn(task)
    after = _bury(rest, then)
    target = find(run.state, hit.shot.target)
    there = target.in_sight if target else ()
    if target is None or (not there and (not target.unit.is_guy or _loner(run.state, target))):
        run.hold(after)  # gone meanwhile: the hit finds nobody
        return
    if not target.unit.is_guy:
        if _same_in_all_that_matters(run.state, there):
            run.lose(there[0], hit.shot, hit.draw, after)
        else:
            run.ask(agenda.PieceAsk(side=target.side, row=target.key, pieces=there))
        return
    others = [row for row in _others(run.state, target) if row.key != target.key]
    if there and (hit.exact or not others):
        run.lose(there[0], hit.shot, hit.draw, after)
    elif not there and not others:
        run.hold(then)
    else:
        candidates = [target, *others] if there else others
        run.ask(
            agenda.CasualtyAsk(
                side=target.side,
                rows=tuple(row.key for row in candidates),
                proposed=propose(candidates, target.key, len(task.hits), {}),
                aimed_at=target.key,
            )
        )


def ask_inside(run: Resolution, task: agenda.ToSink, then: Agenda) -> None:
    side = piece_side(task.carrier)
    if riders_possible(run.state, side):
        run.ask(agenda.InsideAsk(side=side, carrier=task.carrier))
    else:
        run.hold(then)


def propose(
    candidates: Sequence[Row], aimed_at: str, count: int, taken: Mapping[str, int]
) -> tuple[str, ...]:
    """Of the row aimed at first, then the cheapest, those of its contingent first."""
    name = row_named(aimed_at)
    home = name.contingent if name else ""

    def first(row: Row) -> tuple[bool, bool, int]:
        return row.key != aimed_at, row.contingent.id != home, row.unit.price

    order = sorted(candidates, key=first)
    names = [row.key for row in order for _ in range(len(row.in_sight) - taken.get(row.key, 0))]
    return tuple(names[:count])


def _others(state: State, target: Row) -> list[Row]:
    """Rows from which the defender may give another man instead, his own contingent first."""
    if _loner(state, target):
        return []
    here = [
        row
        for row in guys(state, target.side)
        if not _loner(state, row) and not set(row.on_foot) <= set(row.hidden)
    ]
    return sorted(here, key=lambda row: row.contingent != target.contingent)


def _loner(state: State, row: Row) -> bool:
    """A sniper touches no other man of his side ("Sniper Guys")."""
    return "sniper" in fights_as(state, row.unit).tags


def _same_in_all_that_matters(state: State, pieces: Sequence[str]) -> bool:
    cargo: dict[str, list[str]] = {}
    for rider, carrier in state.aboard.items():
        if state.is_up(rider):
            cargo.setdefault(carrier, []).append(state.unit_of(rider))
    unrecorded = set(pieces) - state.recorded
    if unrecorded and not inside_is_unknown(state, next(iter(unrecorded))):
        unrecorded = set()
    conditions = {
        (
            tuple(sorted(cargo.get(piece, ()))),
            piece in state.unserved,
            piece in unrecorded,
            tuple(weapon_slot(piece, slot) in state.disarmed for slot in range(2)),
        )
        for piece in pieces
    }
    return len(conditions) == 1
