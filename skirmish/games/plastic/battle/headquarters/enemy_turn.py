"""The commander in the enemy's turn: what he fires at, and where the enemy probably went."""

from __future__ import annotations

from collections import Counter
from functools import cached_property, lru_cache, partial

from msgspec.structs import replace

from skirmish.games.plastic.battle.commanders import GroupTrack, TableGroup
from skirmish.games.plastic.battle.headquarters.command_post import CommandPost, command_post
from skirmish.games.plastic.battle.headquarters.table import slope_limit_of
from skirmish.games.plastic.battle.headquarters.war_aims import turns_left
from skirmish.games.plastic.battle.names import RowName
from skirmish.games.plastic.battle.qualities import quality_of_group
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.cells import GroundCell, apart
from skirmish.games.plastic.commander.defensive_fire import DefensiveFire, DefensiveShot
from skirmish.games.plastic.commander.fire import GunKey, Guns
from skirmish.games.plastic.commander.firepower import UnseenPair
from skirmish.games.plastic.commander.moves import mover_of
from skirmish.games.plastic.commander.op_fire import FireLine, OpFirePlanner, chance_of_pin
from skirmish.games.plastic.commander.situation import GroupKnown, Situation


@lru_cache(maxsize=4)  # a screen asks for the same state several times
def enemy_turn(state: State, side: str) -> EnemyTurn:
    """The enemy's turn for a side that has a commander. Raises KeyError for a side without one."""
    return EnemyTurn(command_post(state, side))


class EnemyTurn:
    """The commander at work in the enemy's turn."""

    def __init__(self, post: CommandPost) -> None:
        self._post = post
        self._state = post.state
        self._commander = post.commander

    # ------------------------------------------------------------------ fire

    @cached_property
    def fire_lines(self) -> list[FireLine]:
        """What he waits for while the enemy moves, the most valuable first, without guns that
        cannot fire any more."""
        situation = self._post.situation_after_losses()
        goals = self._post.plans.goals_of_enemy(situation)
        pins = self.worth_of_pins(situation)
        lines: list[FireLine] = []
        for line in OpFirePlanner(self._post.board).lines(situation, goals, pins):
            guns = self._guns_that_can_fire(line)
            if guns:
                lines.append(line._replace(guns=guns, number=len(lines) + 1))
        return lines

    def _guns_that_can_fire(self, line: FireLine) -> tuple[Guns, ...]:
        """The guns of a line that can still fire at its enemy. A line lists each shot by itself, so
        a weapon of which three are ready may be listed three times."""
        can_fire = []
        shots_left: dict[GunKey, int] = {}
        for guns in line.guns:
            if guns.key not in shots_left:
                shots_left[guns.key] = self._number_ready(guns)
            sees = self._commander.sees(guns.stand.group.id, line.enemy.group.id)
            if shots_left[guns.key] > 0 and sees:
                shots_left[guns.key] -= 1
                can_fire.append(guns)
        return tuple(can_fire)

    def worth_of_pins(self, situation: Situation) -> dict[str, float]:
        """What a pin test is worth against each group of the enemy, in points by its id; empty
        where pinning is not played."""
        if not self._state.options.pinning:
            return {}
        worth_of_holding_up = self._post.plans.worth_of_holding_up(
            situation, turns_left(self._state)
        )
        worth_of_test = {}
        for enemy in situation.enemies:
            group = enemy.group
            # Only men on foot who are on their way somewhere can be held up by a pin.
            if group.id in worth_of_holding_up:
                quality = quality_of_group(self._state, self._post.enemy, group.contingent)
                chance = chance_of_pin(quality, self._state.setup.catalog)
                worth_of_test[group.id] = worth_of_holding_up[group.id] * chance
        return worth_of_test

    @cached_property
    def next_shots(self) -> list[DefensiveShot]:
        """The commander's list of shots of phase 2, the most effective first, without those that
        have been fired."""
        situation = self._post.situation_after_losses()
        # How many of the guns of each group have fired in this part of the turn.
        number_fired: Counter[GunKey] = Counter()
        for guns in self._post.board.fire.guns_of(situation.own):
            # A weapon that a unit has twice comes twice, with the same key.
            number_fired[guns.key] += max(0, guns.number - self._number_ready(guns))
        unseen = {UnseenPair(pair.group, pair.enemy) for pair in self._commander.unseen}
        return DefensiveFire(self._post.board).shots(situation, number_fired, unseen)

    def _number_ready(self, guns: Guns) -> int:
        """How many of the unit of these guns, in their group, can still fire their weapon."""
        group, unit, weapon = guns.stand.group, guns.unit.id, guns.weapon.id
        row = self._row(group, unit)
        if row is None:
            return 0
        clock = self._state.clock
        # The battle counts how many of the row have fired. Of which group they were only the
        # commander knows, so neither number may be exceeded.
        fired = self._commander.number_fired(group.id, unit, weapon, clock.turn, clock.side)
        not_fired = group.counts.get(unit, 0) - fired
        for slot, carried in enumerate(row.weapons):
            if carried.id == weapon:
                return min(len(row.ready_with(slot)), not_fired)
        return 0

    def _row(self, group: GroupKnown, unit: str) -> Row | None:
        """The row of a unit of one of his own groups; None if the battle has none."""
        key = str(RowName(self._post.side, group.contingent, unit))
        for row in rows(self._state, self._post.side):
            if row.key == key:
                return row
        return None

    # ------------------------------------------------------------------ where the enemy went

    @cached_property
    def gone_on(self) -> dict[str, TableGroup]:
        """The enemy's groups that moved in their last turn and are not said to have moved in this
        one, by their ids: each where it stands if it has gone on in the same direction. Empty once
        players have said where all of them went."""
        if self.turn_of_unreported_moves() == 0:
            return {}
        own_cells = {group.cell for group in self._commander.groups}
        gone_on = {}
        for track in self._commander.tracks:
            group = self._commander.group(track.group)
            # A group that is no longer in its cell has been said to have moved.
            if not track.has_moved or group is None or group.cell != track.cell:
                continue
            cell = self._as_far_as_it_goes(group.known, track)
            # Whether it has charged one of his groups is for players to say.
            if cell != track.cell and cell not in own_cells:
                cover = self._post.table.ground.in_cover(cell)
                gone_on[group.id] = replace(group, cell=cell, cover=cover)
        return gone_on

    def _as_far_as_it_goes(self, group: GroupKnown, track: GroupTrack) -> GroundCell:
        """The cell to which a group comes if it moves on as it did in its last turn: the one in its
        reach that is nearest to where that would lead, which may be beyond the edge of the
        table."""
        further = GroundCell(track.cell.column + track.columns, track.cell.row + track.rows)
        mover = mover_of(group, self._state.setup.catalog, slope_limit_of(self._state))
        within_reach = self._post.table.paths.cells_to_head_for(mover, track.cell)
        return min(within_reach, key=partial(apart, further))

    def turn_of_unreported_moves(self) -> int:
        """The number of the game turn in which the enemy has moved since the commander's last
        orders without players having said where. 0 if there is none, and where the program moves
        the enemy itself."""
        state, side, enemy = self._state, self._post.side, self._post.enemy
        opponent = state.commanders.get(enemy)
        if opponent is not None and not opponent.advises:
            return 0
        # The game turns of the enemy's latest move and of the commander's own player turn just
        # before it, for example in game turn 5:
        #   his side moves first, and moves now:   the enemy moved in 4, he gave orders in 4
        #   his side moves first, the enemy now:   the enemy moves in 5, he gave orders in 5
        #   the enemy moves first, and moves now:  the enemy moves in 5, he gave orders in 4
        #   the enemy moves first, his side now:   the enemy moved in 5, he gave orders in 4
        moved_in = state.clock.turn
        if state.mover == side and state.first == side:
            moved_in -= 1
        ordered_in = moved_in
        if state.first == enemy:
            ordered_in -= 1
        if self._commander.turn != ordered_in:
            # He has given orders since, or none in that turn. Then his tracks do not tell how far
            # the groups went in one turn.
            return 0
        if self._commander.moves_told >= moved_in:
            return 0
        return moved_in
