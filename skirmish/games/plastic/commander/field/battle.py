"""One battle of a scenario on the field, turn by turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from skirmish.games.plastic.commander.actions import Action, Charge
from skirmish.games.plastic.commander.aims import aims_of, slope_limit, spadework_of
from skirmish.games.plastic.commander.board import Board, CommandTable
from skirmish.games.plastic.commander.field import happenings
from skirmish.games.plastic.commander.field.commanders import (
    FieldCommander,
    FieldView,
    PlannedCommander,
    RandomCommander,
)
from skirmish.games.plastic.commander.field.forces import FieldForces, FieldGroup
from skirmish.games.plastic.commander.field.moving import FieldMoves
from skirmish.games.plastic.commander.field.setup import groups_at_start
from skirmish.games.plastic.commander.field.shots import FieldShots
from skirmish.games.plastic.commander.field.victory import FieldVictory
from skirmish.games.plastic.commander.field.waiting_fire import WaitingFire
from skirmish.games.plastic.commander.placing import StartingCells
from skirmish.games.plastic.commander.plan_maker import LAST_TURN_WITHOUT_CLOCK, PlanMaker
from skirmish.games.plastic.commander.stakes import Force
from skirmish.games.plastic.commander.weights import TemperamentId
from skirmish.games.plastic.rules.catalog import total_counts
from skirmish.games.plastic.rules.shot import Circumstances
from skirmish.games.plastic.scenarios.scenario import Scenario


class FieldResult(NamedTuple):
    """How a field ended: the side that won, None for a draw; points lost by each side."""

    winner: str | None
    lost: Mapping[str, float]


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
        temperament, table = self._temperaments[side], self._moves.table
        emplaced = happenings.emplaced_groups(self.scenario, side, self._forces.groups[side])
        spadework = spadework_of(self.scenario, side, self._catalog)
        forces = {}
        for name, groups in self._forces.groups.items():
            forces[name] = Force(total_counts(group.counts + group.aboard for group in groups))
        plans = PlanMaker(
            self._catalog,
            table.paths,
            aims_of(self.scenario, side, forces, self._catalog),
            weights=table.weights,
            temperament=temperament,
            on_slope=slope_limit(self.scenario),
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

    def played(self, commanders: Mapping[str, FieldCommander]) -> FieldResult:
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
                self._tell_of_cut_wire(commanders)
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

    def _tell_of_cut_wire(self, commanders: Mapping[str, FieldCommander]) -> None:
        """If wire has been cut in this turn, both commanders go on with a table without it."""
        if self._moves.take_away_cut_wire():
            for side in self._temperaments:
                board, plans = self._tools_for(side)
                commanders[side].go_on_with(board, plans)
