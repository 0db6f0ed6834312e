"""Who dies: the man aimed at, whom the defender gives, the model that was meant, all inside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda
from skirmish.games.plastic.battle.names import piece_side, row_named, weapon_slot
from skirmish.games.plastic.battle.orders.resolution import Order, Resolution
from skirmish.games.plastic.battle.rows import (
    Row,
    fights_as,
    find,
    inside_is_unknown,
    riders_possible,
    rows,
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
        if len(self.rows) > ask.count:
            raise nonsense("too_many", f"Only {ask.count} die; {len(self.rows)} were named.")
        counts = Counter(self.rows)
        candidates = [row for row in (find(run.state, key) for key in ask.rows) if row is not None]
        room = {row.key: len(row.in_sight) for row in candidates}
        for key, count in counts.items():
            if key not in room:
                raise nonsense(
                    "not_one_of_these", "Choose from the rows shown: they are the group in sight."
                )
            if count > room[key]:
                name = next(row.unit.name for row in candidates if row.key == key)
                raise nonsense(
                    "too_many", f"Only {room[key]} of the {name} row are there, not {count}."
                )
        dead = [*self.rows, *propose(candidates, ask.aimed_at, ask.count - len(self.rows), counts)]
        hits = sorted(task.hits, key=lambda hit: not hit.exact)
        for index, key in enumerate(dead):
            row = find(run.state, key)
            rest = tuple(hits[index + 1 :])
            if row is not None and run.state.outcome is None:
                after = (agenda.ToBury(hits=rest), *then) if rest else then
                run.lose(row.in_sight[0], hits[index].shot, hits[index].draw, after)
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
        hit, *rest = sorted(task.hits, key=lambda hit: not hit.exact)
        after = (agenda.ToBury(hits=tuple(rest)), *then) if rest else then
        run.lose(self.piece, hit.shot, hit.draw, after)
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
            run.emit(events.Held(then=then))
        run.go_on()


def bury(run: Resolution, task: agenda.ToBury, then: Agenda) -> None:
    """Exact hits first; for the others the defender may choose."""
    hits = sorted(task.hits, key=lambda hit: not hit.exact)
    hit, rest = hits[0], tuple(hits[1:])
    after = (agenda.ToBury(hits=rest), *then) if rest else then
    target = find(run.state, hit.shot.target)
    there = target.in_sight if target else ()
    if target is None or (not there and (not target.unit.is_guy or _loner(run.state, target))):
        run.emit(events.Held(then=after))  # gone meanwhile: the hit finds nobody
        return
    if not target.unit.is_guy:
        alike = _same_in_all_that_matters(run.state, there)
        if alike:
            run.lose(there[0], hit.shot, hit.draw, after)
        else:
            run.emit(
                events.Asked(ask=agenda.PieceAsk(side=target.side, row=target.key, pieces=there))
            )
        return
    others = [row for row in _others(run.state, target) if row.key != target.key]
    if there and (hit.exact or not others):
        run.lose(there[0], hit.shot, hit.draw, after)
    elif not there and not others:
        run.emit(events.Held(then=then))
    else:
        candidates = [target, *others] if there else others
        proposed = propose(candidates, target.key, len(hits), {})
        run.emit(
            events.Asked(
                ask=agenda.CasualtyAsk(
                    side=target.side,
                    rows=tuple(row.key for row in candidates),
                    proposed=proposed,
                    aimed_at=target.key,
                )
            )
        )


def ask_inside(run: Resolution, task: agenda.ToSink, then: Agenda) -> None:
    side = piece_side(task.carrier)
    if riders_possible(run.state, side):
        run.emit(events.Asked(ask=agenda.InsideAsk(side=side, carrier=task.carrier)))
    else:
        run.emit(events.Held(then=then))


def propose(
    candidates: Sequence[Row], aimed_at: str, count: int, taken: Mapping[str, int]
) -> tuple[str, ...]:
    """``count`` men: of the row aimed at as long as there are any, then the cheapest, those of its
    contingent first."""
    name = row_named(aimed_at)
    home = name.contingent if name else ""
    order = sorted(
        candidates,
        key=lambda row: (row.key != aimed_at, row.contingent.id != home, row.unit.price),
    )
    names = [row.key for row in order for _ in range(len(row.in_sight) - taken.get(row.key, 0))]
    return tuple(names[:count])


def _others(state: State, target: Row) -> list[Row]:
    """Rows from which the defender may give another man instead, his own contingent first."""
    if _loner(state, target):
        return []
    here = [
        row
        for row in rows(state, target.side)
        if row.unit.is_guy
        and not _loner(state, row)
        and any(piece not in row.hidden for piece in row.on_foot)
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
