"""One battle of a scenario on the field: how it begins, its turns and phases, and who has won.

Each group starts in a cell that is drawn at random. ``FieldVictory`` judges by the terms of the
scenario.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

from skirmish.games.plastic.commander.actions import Action, Charge
from skirmish.games.plastic.commander.aims import aims_of, slope_limit, spadework_of
from skirmish.games.plastic.commander.board import Board, CommandTable
from skirmish.games.plastic.commander.cells import CellGrid, GroundCell, apart
from skirmish.games.plastic.commander.field import happenings
from skirmish.games.plastic.commander.field.commanders import (
    FieldCommander,
    FieldView,
    PlannedCommander,
    RandomCommander,
)
from skirmish.games.plastic.commander.field.forces import FieldForces, FieldGroup
from skirmish.games.plastic.commander.field.happenings import services_of
from skirmish.games.plastic.commander.field.moving import FieldMoves
from skirmish.games.plastic.commander.field.shots import FieldShots
from skirmish.games.plastic.commander.field.waiting_fire import WaitingFire
from skirmish.games.plastic.commander.groups import ForcePart, form_groups
from skirmish.games.plastic.commander.objectives import objectives_of_scenario
from skirmish.games.plastic.commander.placing import Entrenchments, StartingCells
from skirmish.games.plastic.commander.plan_maker import LAST_TURN_WITHOUT_CLOCK, PlanMaker
from skirmish.games.plastic.commander.stakes import Force, number_to_exit
from skirmish.games.plastic.commander.weights import TemperamentId
from skirmish.games.plastic.rules.catalog import Catalog, total_counts
from skirmish.games.plastic.rules.shot import Circumstances
from skirmish.games.plastic.scenarios.entries import FROM_OUTSIDE, AnywhereEntry, Entry
from skirmish.games.plastic.scenarios.happenings import AskAtSetup
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioSide
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.victory_terms import (
    Clear,
    CountAtEnd,
    Destroy,
    DestroyThenExit,
    ExitTable,
    HoldBuildings,
    HoldRatio,
    Survivors,
)

_TermsOfOneSide: TypeAlias = (
    Clear | Destroy | DestroyThenExit | ExitTable | HoldBuildings | HoldRatio
)
"""Terms that one side meets, or fails."""


class FieldResult(NamedTuple):
    """How a battle on the field ended."""

    winner: str | None
    """The id of the side that won; None for a draw."""
    lost: Mapping[str, float]
    """The points that each side lost."""


class _CommanderTools(NamedTuple):
    """What the commander of a side works with. Both know the wire that lies now."""

    board: Board
    plans: PlanMaker


class FieldBattle:
    """One battle of a scenario between two commanders. ``pinning``: whether machine guns pin."""

    def __init__(
        self,
        scenario: Scenario,
        table: CommandTable,
        rulings: Mapping[str, str],
        seed: int,
        *,
        pinning: bool = False,
    ) -> None:
        self.scenario = scenario
        self._pinning = pinning
        self._catalog = table.catalog
        self._chance = Random(seed)
        # By side, the temperament of its commander, and the ids of its groups that fired in the
        # last turn of its enemy.
        self._temperaments: dict[str, TemperamentId] = {}
        self._fired_last: dict[str, set[str]] = {}
        starting_cells = StartingCells(scenario, table)
        wired_table = table.with_wire(starting_cells.wire() | table.paths.wire)
        groups: dict[str, list[FieldGroup]] = {}
        for side in scenario.sides:
            groups[side.id] = groups_at_start(
                scenario, side, wired_table, starting_cells, self._chance
            )
        self._forces = FieldForces(groups, self._catalog)
        self._shots = FieldShots(self._catalog, rulings, self._chance, pinning=pinning)
        self._moves = FieldMoves(scenario, wired_table, self._forces, self._shots)
        self._victory = FieldVictory(scenario, self._forces, table.grid, self._catalog)

    # ------------------------------------------------------------------ commanders

    def commander(
        self, kind: type[PlannedCommander | RandomCommander], side: str, temperament: TemperamentId
    ) -> FieldCommander:
        """A commander of this kind for a side, which has this temperament from now on."""
        self._temperaments[side] = temperament
        board, plans = self._tools_for(side)
        return kind(board, plans)

    def _tools_for(self, side: str) -> _CommanderTools:
        """What the commander of a side works with on the table as it lies now."""
        temperament = self._temperaments[side]
        table = self._moves.table
        emplaced = happenings.emplaced_groups(self.scenario, side, self._forces.groups[side])
        spadework = spadework_of(self.scenario, side, self._catalog)
        forces = {}
        for side_id, groups in self._forces.groups.items():
            forces[side_id] = Force(total_counts(group.counts + group.aboard for group in groups))
        plans = PlanMaker(
            self._catalog,
            table.paths,
            aims_of(self.scenario, side, forces, self._catalog),
            weights=table.weights,
            temperament=temperament,
            inches_on_slopes=slope_limit(self.scenario),
        )
        return _CommanderTools(table.board(temperament, emplaced, spadework), plans)

    def _view(self, side: str, turn: int, turns_left: int) -> FieldView:
        """What the commander of a side may know now."""
        return FieldView(
            self._forces.situation(side),
            turn,
            turns_left,
            self._chance,
            fired=tuple(sorted(self._fired_last.get(side, ()))),
            pinning=self._pinning,
        )

    # ------------------------------------------------------------------ play

    def play(self, commanders: Mapping[str, FieldCommander]) -> FieldResult:
        """Play all turns. Who has won is decided after the last one: whoever has won earlier may
        still lose what he has won by."""
        last = LAST_TURN_WITHOUT_CLOCK
        if self.scenario.ends_after is not None:
            last = self.scenario.ends_after.turn
        for turn in range(1, last + 1):
            for side in self.scenario.order_of_play():
                self._begin_turn(side, turn)
                if self._forces.present(side):
                    # Of the turns left, this one is the first.
                    self._play_turn(side, commanders, turn=turn, turns_left=last - turn + 1)
                self._victory.note_holders()
                self._go_on_without_cut_wire(commanders)
        lost = {side: self._forces.points_lost(side) for side in self._forces.sides}
        return FieldResult(self._victory.winner(), lost)

    def _begin_turn(self, side: str, turn: int) -> None:
        """What happens before a side moves."""
        self._forces.enter(side, turn)
        happenings.serve(self.scenario, self._forces, side, turn)
        happenings.destroy_parked_aircraft(self._forces, side, self._catalog)

    def _play_turn(
        self, side: str, commanders: Mapping[str, FieldCommander], *, turn: int, turns_left: int
    ) -> None:
        """The four phases of a side's turn."""
        enemy = self._forces.enemy_of(side)
        actions = commanders[side].actions(self._view(side, turn, turns_left))
        lines = commanders[enemy].waits_for(self._view(enemy, turn, turns_left))
        enemy_fire = WaitingFire(
            enemy, lines, forces=self._forces, shots=self._shots, odds=self._moves.table.fire
        )
        # Phase 1: the side moves, its enemy fires at whom he has waited for.
        self._move(side, actions, enemy_fire)
        # Phase 2: the rest of the enemy's fire.
        enemy_fire.fire_the_rest(at_best=commanders[enemy].fires_at_best)
        self._fired_last[enemy] = enemy_fire.groups_that_fired()
        # Phases 3 and 4: the blows of those in contact.
        self._strike(side, phase=3)
        self._strike(enemy, phase=4)

    def _move(self, side: str, actions: Sequence[Action], enemy_fire: WaitingFire) -> None:
        """The groups of a side do what they are ordered to do, those who charge after all others.
        A group may be gone by then: shot, or carriers that others have mounted."""
        groups = {group.id: group for group in self._forces.groups[side]}
        for action in actions:
            group = groups[action.group]
            if group.alive and not isinstance(action, Charge):
                self._moves.act(side, group, action, enemy_fire)
        for action in actions:
            group = groups[action.group]
            if group.alive and isinstance(action, Charge):
                self._moves.charge(group, action, enemy_fire)

    def _strike(self, side: str, *, phase: int) -> None:
        """Everybody of a side who shares a cell with an enemy strikes."""
        for group in self._forces.present(side):
            # Nobody fights two groups at once.
            enemy = self._forces.touched_by(side, group)
            if enemy is not None:
                self._strike_group(group, enemy, phase=phase)

    def _strike_group(self, group: FieldGroup, enemy: FieldGroup, *, phase: int) -> None:
        """Each man of a group strikes one blow at an enemy. Models do not strike."""
        circumstances = Circumstances(touching=True, phase=phase)
        for id, count in group.counts.items():
            unit = self._catalog.units[id]
            if not unit.is_guy:
                continue
            # Hardly any guy has two weapons: the first is taken.
            weapon = self._catalog.weapons_of(unit, self._shots.rulings)[0]
            for _ in range(count):
                if enemy.alive:
                    self._shots.shoot(unit, weapon, enemy, circumstances)

    def _go_on_without_cut_wire(self, commanders: Mapping[str, FieldCommander]) -> None:
        """If wire has been cut in this turn, both commanders go on with a table without it."""
        wire_was_cut = self._moves.take_away_cut_wire()
        if not wire_was_cut:
            return
        for side in self._temperaments:
            board, plans = self._tools_for(side)
            commanders[side].go_on_with(board, plans)


# ------------------------------------------------------------------ where each group starts


class _EnteringPart(NamedTuple):
    """A part of the force of a side, and where and when it comes onto the table."""

    part: ForcePart
    entry: Entry


def groups_at_start(
    scenario: Scenario,
    side: ScenarioSide,
    table: CommandTable,
    starting_cells: StartingCells,
    chance: Random,
) -> list[FieldGroup]:
    """The groups of a side, each in one of the cells in which it may start, drawn at random."""
    entering = [*_contingents(side), *_units_agreed_at_setup(scenario, side)]
    parts = []
    entries = {}
    for entering_part in entering:
        parts.append(entering_part.part)
        entries[entering_part.part.contingent] = entering_part.entry
    entrenchments = Entrenchments(side.works().get("entrenchment", 0))
    groups = []
    for known in form_groups(parts, table.catalog, table.weights.plan):
        entry = entries[known.contingent]
        cells = starting_cells.for_group(entry, known)
        cell = cells[chance.randrange(len(cells))]
        cover = table.ground.in_cover(cell)
        if not cover and not isinstance(entry, FROM_OUTSIDE):
            cover = entrenchments.take_in(known, table.catalog)
        group = FieldGroup(known, cell, cover=cover, enters=entry.turn)
        for service in services_of(scenario, side.id):
            for unit in service.units:
                group.waiting[unit] = group.counts[unit]
        groups.append(group)
    return groups


def _contingents(side: ScenarioSide) -> Iterator[_EnteringPart]:
    """The contingents of a side. Where its player may choose, it has the first of the choices."""
    for contingent in side.contingents:
        chosen = total_counts(choice.one_of[0] for choice in contingent.choices)
        yield _EnteringPart(ForcePart.of(contingent, chosen), contingent.entry)


def _units_agreed_at_setup(scenario: Scenario, side: ScenarioSide) -> Iterator[_EnteringPart]:
    """What the text of a scenario leaves to the players, as set-up proposes it."""
    for ask in scenario.questions():
        counts = _proposed_units(ask)
        if ask.side == side.id and counts:
            part = ForcePart(ask.id, ask.id.capitalize(), counts)
            yield _EnteringPart(part, AnywhereEntry(turn=0))


def _proposed_units(ask: AskAtSetup) -> dict[str, int]:
    """The units that set-up proposes for a question; empty for one about something else."""
    match ask.proposal:
        case dict():
            return dict(ask.proposal)
        case int() if ask.unit is not None:
            return {ask.unit: ask.proposal}
    return {}


# ------------------------------------------------------------------ who has won


class FieldVictory:
    """Watches who holds the ground that decides, and says who has won in the end."""

    def __init__(
        self, scenario: Scenario, forces: FieldForces, grid: CellGrid, catalog: Catalog
    ) -> None:
        self._scenario = scenario
        self._forces = forces
        self._catalog = catalog
        objectives = objectives_of_scenario(scenario, grid)
        self._deciding = [objective.cell for objective in objectives if not objective.way_out]
        self._last_holders: dict[GroundCell, str] = {}

    def note_holders(self) -> None:
        """Note who is alone in a building now: it is his until the enemy alone is there."""
        for cell in self._deciding:
            holders = [side for side in self._forces.sides if self._forces.men_in(side, {cell})]
            if len(holders) == 1:
                self._last_holders[cell] = holders[0]

    def winner(self) -> str | None:
        """The side that has won as things stand; None for a draw."""
        victory = self._scenario.victory
        first, second = self._forces.sides
        match victory:
            case CountAtEnd():
                men = {side: self._forces.men_in(side, self._deciding) for side in (first, second)}
                return self._who_has_more(men, if_equal=victory.equal)
            case Survivors():
                units = victory.units
                left = {side: self._forces.number_left(side, units) for side in (first, second)}
                return self._who_has_more(left, if_equal=None)
        if self._meets(victory):
            return victory.side
        return self._forces.enemy_of(victory.side)

    def _who_has_more(self, numbers: Mapping[str, int], *, if_equal: str | None) -> str | None:
        """The side with the higher number; ``if_equal``: the side that wins a tie, None for a
        draw."""
        first, second = self._forces.sides
        if numbers[first] > numbers[second]:
            return first
        if numbers[second] > numbers[first]:
            return second
        return if_equal

    def _meets(self, victory: _TermsOfOneSide) -> bool:
        """Whether the side that has to meet these terms does so."""
        held = Counter(self._last_holders.values())
        match victory:
            case HoldBuildings():
                return held[victory.side] >= victory.need
            case HoldRatio():
                enemy = self._forces.enemy_of(victory.side)
                # Twice nothing is no victory: at least one has to be held.
                return held[victory.side] >= max(1, victory.ratio * held[enemy])
            case Clear():
                return self._is_clear(victory)
            case ExitTable():
                return self._strength_exited(victory) >= self._strength_needed(victory)
            case Destroy():
                return self._has_destroyed(victory)
            case DestroyThenExit():
                number_exited = self._forces.exited[victory.side][victory.then.unit]
                return self._has_destroyed(victory) and number_exited >= victory.then.need

    def _is_clear(self, victory: Clear) -> bool:
        """Whether nobody of the side that is to be driven off is near the place."""
        [place] = self._deciding
        for group in self._forces.present(victory.of):
            if apart(group.cell, place) <= victory.within_in:
                return False
        return True

    def _has_destroyed(self, victory: Destroy | DestroyThenExit) -> bool:
        """Whether the side has destroyed enough of the unit that the terms name."""
        enemy = self._forces.enemy_of(victory.side)
        return self._forces.number_destroyed(enemy, victory.unit) >= victory.need

    def _strength_exited(self, victory: ExitTable) -> int:
        """What is off the table, as the terms count it."""
        strength = 0
        for id, count in self._forces.exited[victory.side].items():
            unit = self._catalog.units[id]
            strength += count * victory.value_of(unit, self._catalog)
        return strength

    def _strength_needed(self, victory: ExitTable) -> int:
        """What has to be off the table, counted in the same way."""
        force = Force(self._scenario.side(victory.side).units())
        return number_to_exit(victory, force, self._catalog)
