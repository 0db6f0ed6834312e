"""Who is lost to a hit: the steps that remove the dead or ask who they are, and the answers of the
side that was hit. Each step gets its task and the agenda ``then`` after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda
from skirmish.games.plastic.battle.agenda import Agenda, Shooting
from skirmish.games.plastic.battle.commanders import TableGroup
from skirmish.games.plastic.battle.names import piece_side, row_named, weapon_of_piece
from skirmish.games.plastic.battle.orders.resolution import Answer, Resolution
from skirmish.games.plastic.battle.rows import (
    Row,
    fights_as,
    find_row,
    guys_in_sight,
    inside_is_unknown,
    riders_possible,
)
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.checks import why_not_aboard
from skirmish.tabletop.refusal import Refused, nonsense

WEAPON_SLOTS = (0, 1)
"""The slots of all weapons: no unit has more than two."""


class ChooseCasualties(Answer, frozen=True, tag="give"):
    """The defender chooses who dies: a man of each row that is named, which may be named several
    times; the others as proposed."""

    rows: tuple[str, ...] = ()

    def carry_out(self, run: Resolution) -> None:
        not_asked = nonsense("no_casualty", "There is no casualty to choose.")
        ask, task, then = run.open_question(agenda.CasualtyAsk, agenda.ToBury, not_asked)
        if len(self.rows) > ask.count:
            raise nonsense("too_many", f"Only {ask.count} die; {len(self.rows)} were named.")
        candidates: dict[str, Row] = {}
        for key in ask.rows:
            row = find_row(run.state, key)
            if row is not None:
                candidates[key] = row
        named = Counter(self.rows)
        _refuse_unfit(named, candidates)
        # Fewer may be named than die: the proposal says who the others are.
        unnamed = ask.count - len(self.rows)
        proposed = propose(list(candidates.values()), ask.aimed_at, unnamed, named)
        rows_of_dead = [*self.rows, *proposed]
        # There are never more dead than hits. If there are fewer men than hits, the last hits find
        # nobody.
        hits_left = _exact_hits_first(task)
        for key in rows_of_dead:
            hit, *hits_left = hits_left
            row = find_row(run.state, key)
            # The loss of one man may break the army; nobody dies after the end of the battle.
            if row is not None and row.in_sight and run.state.outcome is None:
                run.lose(row.in_sight[0], hit.shot, hit.draw, bury_all(hits_left, then))
        run.go_on()


def _refuse_unfit(named: Mapping[str, int], candidates: Mapping[str, Row]) -> None:
    """Raises Refused if so many men of these rows cannot die."""
    for key, count in named.items():
        if key not in candidates:
            text = "Choose from the rows shown: they are the group in sight."
            raise nonsense("not_one_of_these", text)
        row = candidates[key]
        in_sight = len(row.in_sight)
        if count > in_sight:
            text = f"Only {in_sight} of the {row.unit.name} row are there, not {count}."
            raise nonsense("too_many", text)


class ChooseModel(Answer, frozen=True, tag="point"):
    """The defender chooses which model was hit, of several that differ."""

    piece: str

    def carry_out(self, run: Resolution) -> None:
        not_asked = nonsense("no_piece", "There is no model to choose.")
        ask, task, then = run.open_question(agenda.PieceAsk, agenda.ToBury, not_asked)
        # A line before the question may have been made void, so the model may be gone by now.
        if self.piece not in ask.pieces or not run.state.is_in_play(self.piece):
            raise nonsense("not_one_of_these", "Choose one of the models shown.")
        hit, *hits_left = _exact_hits_first(task)
        run.lose(self.piece, hit.shot, hit.draw, bury_all(hits_left, then))
        run.go_on()


class NameRiders(Answer, frozen=True, tag="inside"):
    """The side that lost a carrier says who was in it, by row: they die with it ("Loading or
    Unloading")."""

    riders: dict[str, int] = msgspec.field(default_factory=dict)

    def carry_out(self, run: Resolution) -> None:
        not_asked = nonsense("no_carrier", "No carrier has been lost.")
        ask, task, then = run.open_question(agenda.InsideAsk, agenda.ToSink, not_asked)
        carrier_unit = run.state.unit(ask.carrier)
        dead: list[str] = []
        for key, count in self.riders.items():
            row = find_row(run.state, key)
            if row is None or row.side != ask.side:
                raise nonsense("not_one_of_these", "Choose from the side that lost the carrier.")
            # Nobody had recorded that they got in, so the program takes them to be on foot. A row
            # may be named with 0: none of it was inside.
            dead += row.take(row.in_sight, count, only="there", least=0)
        units_aboard = [fights_as(run.state, run.state.unit(piece)) for piece in dead]
        refusal = why_not_aboard(carrier_unit, units_aboard, run.state.setup.rulings)
        if refusal is not None:
            # Firm, as this answer cannot be insisted on.
            raise Refused(replace(refusal, firm=True))
        if dead:
            run.lose_aboard(dead, task, then)
            run.go_on()
        else:
            # Without a loss no event closes the question; the agenda ``then`` does.
            run.go_on(instead=then)


def _exact_hits_first(task: agenda.ToBury) -> list[agenda.Hit]:
    """The hits in the order in which their dead are removed. Exact hits come first: as long as men
    of the row are left, nobody can be chosen in place of those they killed."""
    exact = [hit for hit in task.hits if hit.exact]
    of_choice = [hit for hit in task.hits if not hit.exact]
    return [*exact, *of_choice]


def bury_all(hits: Sequence[agenda.Hit], then: Agenda) -> Agenda:
    """The agenda ``then`` with the burial of the dead of these hits in front, if there are any."""
    if not hits:
        return then
    return (agenda.ToBury(hits=tuple(hits)), *then)


def bury(run: Resolution, task: agenda.ToBury, then: Agenda) -> None:
    """Removes the man or model of the next hit, exact hits first. Or asks the defender: which model
    it is, or which men die by all the hits that are left."""
    hit, *hits_left = _exact_hits_first(task)
    after = bury_all(hits_left, then)
    target = find_row(run.state, hit.shot.target)
    # A volley may have more hits than there are men.
    if target is None or _is_gone(run.state, target):
        run.continue_with(after)
    elif target.unit.is_guy:
        _bury_guy(run, task, target, then)
    elif _same_in_all_that_matters(run.state, target.in_sight):
        run.lose(target.in_sight[0], hit.shot, hit.draw, after)
    else:
        run.ask(agenda.PieceAsk(side=target.side, row=target.key, pieces=target.in_sight))


def _is_gone(state: State, target: Row) -> bool:
    """Whether the last of a row is gone and nobody else can be hit in its place. Others of a guy's
    group can be hit instead of him, but nobody instead of a model or a man alone."""
    if target.in_sight:
        return False
    return not target.unit.is_guy or _is_loner(state, target)


def _bury_guy(run: Resolution, task: agenda.ToBury, target: Row, then: Agenda) -> None:
    """Removes the man of the next hit, or asks the defender at once who dies by all the hits that
    are left."""
    hit, *hits_left = _exact_hits_first(task)
    in_sight = target.in_sight
    other_rows = _others_to_choose(run.state, target, hit.shot)
    if not in_sight and not other_rows:
        # The whole group is gone, so the hits that are left find nobody either.
        run.continue_with(then)
    elif in_sight and (hit.exact or not other_rows):
        run.lose(in_sight[0], hit.shot, hit.draw, bury_all(hits_left, then))
    else:
        # With nobody of the row left, an exact hit is like any other: one of the others dies.
        candidates = other_rows
        if in_sight:
            candidates = [target, *other_rows]
        run.ask(
            agenda.CasualtyAsk(
                side=target.side,
                rows=tuple(row.key for row in candidates),
                proposed=propose(candidates, target.key, len(task.hits), already_named={}),
                aimed_at=target.key,
            )
        )


def ask_inside(run: Resolution, task: agenda.ToSink, then: Agenda) -> None:
    """Asks who was in a lost carrier, if anybody can have been."""
    side = piece_side(task.carrier)
    if riders_possible(run.state, side):
        run.ask(agenda.InsideAsk(side=side, carrier=task.carrier))
    else:
        run.continue_with(then)


class _CasualtyRank(NamedTuple):
    """How soon men of a row die by the proposal: the lowest rank first."""

    is_another_row: bool
    """Whether it is another row than the target."""
    is_of_another_contingent: bool
    price: int


def propose(
    candidates: Sequence[Row], aimed_at: str, count: int, already_named: Mapping[str, int]
) -> tuple[str, ...]:
    """The rows of the proposed casualties, one for each: first the target row, then its contingent,
    then the others, the cheapest first. ``already_named``: how many of each row the players have
    chosen themselves."""
    row_name = row_named(aimed_at)
    contingent = ""
    if row_name is not None:
        contingent = row_name.contingent

    def rank_of(row: Row) -> _CasualtyRank:
        return _CasualtyRank(
            is_another_row=row.key != aimed_at,
            is_of_another_contingent=row.contingent.id != contingent,
            price=row.unit.price,
        )

    casualties: list[str] = []
    for row in sorted(candidates, key=rank_of):
        still_standing = len(row.in_sight) - already_named.get(row.key, 0)
        casualties += [row.key] * still_standing
    return tuple(casualties[:count])


def _others_to_choose(state: State, target: Row, shot: Shooting) -> list[Row]:
    """The other rows that the defender may choose from, those of the same contingent first. By the
    rules he chooses among those of the target's group whom the shooter sees and reaches. Only the
    players see who they are, so all guys in sight are offered. Of a shot that the program's
    commander ordered it is known who is in that group."""
    if _is_loner(state, target):
        return []
    group = _group_of_commander(state, target, shot)
    same_contingent: list[Row] = []
    other_contingents: list[Row] = []
    for row in guys_in_sight(state, target.side):
        if row.key == target.key or _is_loner(state, row):
            continue
        if group is not None and not _is_in(group, row):
            continue
        if row.contingent == target.contingent:
            same_contingent.append(row)
        else:
            other_contingents.append(row)
    return [*same_contingent, *other_contingents]


def _group_of_commander(state: State, target: Row, shot: Shooting) -> TableGroup | None:
    """The group at which the program's commander had this shot fired. None if players fired it, or
    if its target is not in that group."""
    commander = state.commanders.get(piece_side(shot.piece))
    if commander is None:
        return None
    shooter = state.piece(shot.piece)
    group = commander.aimed_at(shooter.unit, shooter.contingent, state.clock.turn, state.mover)
    if group is None or not _is_in(group, target):
        return None
    return group


def _is_in(group: TableGroup, row: Row) -> bool:
    """Whether men of a row are in a group, on foot or aboard."""
    known = group.known
    if row.contingent.id != known.contingent:
        return False
    return row.unit.id in known.counts or row.unit.id in known.aboard


def _is_loner(state: State, row: Row) -> bool:
    """Whether the men of a row are snipers, who touch no other man of their side ("Sniper
    Guys")."""
    return "sniper" in fights_as(state, row.unit).tags


class _Condition(NamedTuple):
    """All in which a model may differ from others of its row, so that it matters which is lost."""

    cargo: tuple[str, ...]
    """The units aboard."""
    is_unserved: bool
    may_carry_others: bool
    """Whether men may be aboard whom nobody recorded."""
    disarmed_slots: tuple[int, ...]


def _same_in_all_that_matters(state: State, pieces: Sequence[str]) -> bool:
    """Whether it makes no difference which of these models is lost."""
    cargo = _cargo(state)
    may_carry_others = _may_carry_unrecorded(state, pieces)
    conditions = set()
    for piece in pieces:
        disarmed = [slot for slot in WEAPON_SLOTS if weapon_of_piece(piece, slot) in state.disarmed]
        condition = _Condition(
            cargo=tuple(sorted(cargo.get(piece, ()))),
            is_unserved=piece in state.unserved,
            may_carry_others=piece in may_carry_others,
            disarmed_slots=tuple(disarmed),
        )
        conditions.add(condition)
    return len(conditions) == 1


def _cargo(state: State) -> dict[str, list[str]]:
    """The units aboard, by their carrier."""
    cargo: dict[str, list[str]] = {}
    for rider, carrier in state.aboard.items():
        if state.is_in_play(rider):
            cargo.setdefault(carrier, []).append(state.unit_of(rider))
    return cargo


def _may_carry_unrecorded(state: State, pieces: Sequence[str]) -> set[str]:
    """Those of these models, all of one unit, of which nobody has recorded who is aboard."""
    unrecorded = set(pieces) - state.recorded
    if not unrecorded:
        return set()
    # All are of one unit and of one side, so that what holds for any of them holds for all.
    any_of_them = next(iter(unrecorded))
    if inside_is_unknown(state, any_of_them):
        return unrecorded
    return set()
