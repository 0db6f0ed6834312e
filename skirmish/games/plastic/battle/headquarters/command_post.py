"""What the commander of a side works with in either turn: the battle, the table and his groups."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle.commanders import Commander, TableGroup
from skirmish.games.plastic.battle.headquarters.muster import Muster
from skirmish.games.plastic.battle.headquarters.table import slope_limit_of, table_of
from skirmish.games.plastic.battle.headquarters.war_aims import added_worth_of_loss, aims_of_side
from skirmish.games.plastic.battle.rows import digs_as_engineer, guys_on_foot
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.board import Spadework
from skirmish.games.plastic.commander.plan_maker import PlanMaker
from skirmish.games.plastic.commander.situation import Situation, Stand
from skirmish.games.plastic.scenarios.happenings import MayConvert


# A screen asks for the same state several times; it is found by its identity (``State.__hash__``).
@lru_cache(maxsize=4)
def command_post(state: State, side: str) -> CommandPost:
    """The command post of a side that has a commander. Raises KeyError for a side without one."""
    return CommandPost(state, side, state.commanders[side])


class Musters(NamedTuple):
    """A muster of the commander's own groups, and one of the enemy's."""

    own: Muster
    enemies: Muster


class CommandPost:
    """A commander with the battle before him. ``table`` is its ground, ``board`` works out what
    actions on it are worth, and ``plans`` makes his plan."""

    def __init__(self, state: State, side: str, commander: Commander) -> None:
        self.state = state
        self.side = side
        self.enemy = state.setup.enemy_of(side).id
        self.commander = commander
        table = table_of(state, commander.weights)
        self.table = table.with_wire(table.paths.wire - commander.cleared)
        self.board = self.table.board(
            commander.temperament,
            self._emplaced_guns(),
            _spadework(state, side),
            each_own_loss=added_worth_of_loss(state, side),
            each_enemy_loss=added_worth_of_loss(state, self.enemy),
        )
        self.plans = PlanMaker(
            state.setup.catalog,
            self.table.paths,
            aims_of_side(state, side),
            weights=commander.weights,
            temperament=commander.temperament,
            inches_on_slopes=slope_limit_of(state),
        )

    def _emplaced_guns(self) -> dict[str, str]:
        """The emplaced guns: groups of a single gun, which the scenario forbids to move but lets
        its crew abandon. For the id of each group, the unit that the crew becomes."""
        emplaced = {}
        for happening in self.state.setup.happenings(MayConvert):
            if happening.side != self.side:
                continue
            for group in self.commander.groups:
                if dict(group.known.counts) == {happening.unit: 1}:
                    emplaced[group.id] = happening.becomes
        return emplaced

    def situation(self) -> Situation:
        """The groups of both sides that are on the table, as of his last orders and what players
        have said since."""
        return _situation_of(self.commander)

    def situation_after_losses(self) -> Situation:
        """The groups of both sides that are on the table, without the men and models that have been
        lost since his last orders."""
        return _situation_of(self.after_losses)

    @cached_property
    def after_losses(self) -> Commander:
        """The commander with the groups of both sides as they are without the men and models that
        have been lost since his last orders."""
        own, enemies = self.musters()
        return replace(self.commander, groups=own.survivors(), enemies=enemies.survivors())

    def enemies_with_losses(self) -> list[TableGroup]:
        """The enemy's groups that have lost somebody since losses were last taken off them."""
        return self.musters().enemies.groups_with_losses()

    def own_with_losses(self) -> list[TableGroup]:
        """The commander's own groups that have lost somebody since losses were last taken off
        them."""
        return self.musters().own.groups_with_losses()

    def changed_if_lost_by(self, id: str, number: int) -> list[TableGroup]:
        """The groups that change if ``number`` of the losses were those of the group with this id,
        and not of the groups that they have been taken off: if two that came off one group were
        the other's, the first gets two back and the other loses two."""
        own, enemies = self.musters()
        own_ids = {group.id for group in self.commander.groups}
        if id in own_ids:
            return own.changed_if_lost_by(id, number)
        return enemies.changed_if_lost_by(id, number)

    def musters(self) -> Musters:
        """The groups of both sides, to be compared with what the battle counts."""
        commander = self.commander
        # Only his last shot: before it was fired, the losses of the earlier ones were taken off.
        shot_at = [shot.enemy for shot in commander.shots[-1:]]
        own = Muster(self.state, self.side, commander.groups, commander.enemies)
        enemies = Muster(self.state, self.enemy, commander.enemies, commander.groups, shot_at)
        return Musters(own, enemies)


def _situation_of(commander: Commander) -> Situation:
    """The groups of both sides, as a commander knows them, that are on the table."""
    return Situation(_on_table(commander.groups), _on_table(commander.enemies))


def _on_table(groups: Iterable[TableGroup]) -> tuple[Stand, ...]:
    """The groups that are on the table, as the commander weighs them."""
    stands = []
    for group in groups:
        stand = group.stand
        if stand is not None:
            stands.append(stand)
    return tuple(stands)


def _spadework(state: State, side: str) -> Spadework:
    """Which units of a side dig in and clear wire as engineers do."""
    diggers, cutters = set(), set()
    for row in guys_on_foot(state, side):
        if digs_as_engineer(state, row):
            diggers.add(row.unit.id)
        # Riflemen of a nation that digs well dig as engineers do, but cannot clear wire.
        if digs_as_engineer(state, row, national=False):
            cutters.add(row.unit.id)
    return Spadework(frozenset(diggers), frozenset(cutters), state.options.entrenching)
