"""Fire of a side that the program commands: its groups fire as the commander says, and he learns
which enemies they do not see.

``headquarters`` loads NumPy, so it is imported only when a battle with a commander needs it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from skirmish.games.plastic.battle import command_events
from skirmish.games.plastic.battle.commanders import Commander, GroupShot, TableGroup
from skirmish.games.plastic.battle.names import RowName
from skirmish.games.plastic.battle.orders.commanders_order import (
    CommandersOrder,
    commander_of,
    errors_refused,
    sides_that_instruct,
)
from skirmish.games.plastic.battle.orders.firing import Fire, Volley
from skirmish.games.plastic.battle.orders.resolution import OrderOfSide, Resolution
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.refusal import Refused, nonsense


class FireAsSaid(OrderOfSide, frozen=True, kw_only=True, tag="fire_as_said"):
    """A group fires as the commander says: some men or models of one ``unit``, with one weapon."""

    begun_by = "both sides"

    group: str
    unit: str
    weapon: str
    enemy: str
    """The group that is fired at."""
    aimed_at: str
    """The unit of it that is aimed at."""
    count: int = 1
    """How many fire."""
    cover: bool = False

    def given_by(self, state: State) -> tuple[str, ...]:
        return sides_that_instruct(state, self.side)

    def carry_out(self, run: Resolution) -> None:
        # Only for its refusal if the program does not command that side: the next step needs a
        # commander.
        commander_of(run.state, self.side)
        self._take_off_losses(run)
        # The commander as he is without the losses.
        state = run.state
        commander = commander_of(state, self.side)
        group, enemy = _both_groups(commander, self.group, self.enemy)
        shot = GroupShot(
            group=self.group,
            unit=self.unit,
            weapon=self.weapon,
            number=self.count,
            enemy=self.enemy,
            turn=state.clock.turn,
            mover=state.mover,
        )
        fire = self._fire_of_rows(state, group, enemy)
        # Before the shot itself, since its dead are men of the group at which this one fired.
        run.emit(command_events.GroupFired(side=self.side, shot=shot))
        fire.carry_out(run)

    def _fire_of_rows(self, state: State, group: TableGroup, enemy: TableGroup) -> Fire:
        """The order to fire of the rows to which the two groups belong. At guys it is a volley,
        even of a single gun: after a hit a volley fires again by itself, at those of the group at
        whom it has not fired yet, so nobody has to be asked."""
        shooter = RowName(self.side, group.known.contingent, self.unit)
        enemy_side = state.setup.enemy_of(self.side).id
        target = RowName(enemy_side, enemy.known.contingent, self.aimed_at)
        reach = _in_reach(state, enemy, self.aimed_at)
        if reach is None and self.count == 1:
            return Fire(
                shooter=str(shooter), target=str(target), weapon=self.weapon, cover=self.cover
            )
        return Volley(
            shooter=str(shooter),
            target=str(target),
            weapon=self.weapon,
            cover=self.cover,
            count=self.count,
            reach=reach,
        )

    def _take_off_losses(self, run: Resolution) -> None:
        """Take the losses of the shot before this one off the enemy group at which it was fired:
        after this shot it is no longer known which group that was."""
        from skirmish.games.plastic.battle.headquarters.command_post import (  # noqa: PLC0415
            command_post,
        )

        with errors_refused():
            groups = command_post(run.state, self.side).enemies_with_losses()
        if groups:
            placed = command_events.GroupsPlaced(
                side=self.side, groups=tuple(groups), of_enemy=True, words=""
            )
            run.emit(placed)


class DenySight(CommandersOrder, frozen=True, kw_only=True, tag="deny_sight"):
    """A group does not see an enemy group this turn, so the commander gives it no fire at it."""

    group: str
    enemy: str

    def carry_out(self, run: Resolution) -> None:
        group, enemy = _both_groups(self.commander(run.state), self.group, self.enemy)
        words = f"{group.name} does not see {enemy.name}."
        denied = command_events.SightDenied(
            side=self.side, group=self.group, enemy=self.enemy, words=words
        )
        run.emit(denied)


def has_fire_left(state: State, side: str) -> bool:
    """Whether the program commands a side and, in phase 2 of the enemy's turn, has a shot left or
    has yet to learn where the enemy went. False if it cannot work that out."""
    commander = state.commanders.get(side)
    if commander is None or commander.advises:
        return False
    if state.mover == side or state.clock.phase != 2:
        return False
    with suppress(Refused), errors_refused():
        from skirmish.games.plastic.battle.headquarters.enemy_turn import (  # noqa: PLC0415
            enemy_turn,
        )

        in_enemy_turn = enemy_turn(state, side)
        return bool(in_enemy_turn.gone_on or in_enemy_turn.next_shots)
    return False


class _GroupAndEnemy(NamedTuple):
    """A group of the commander's side, and one of the enemy."""

    group: TableGroup
    enemy: TableGroup


def _both_groups(commander: Commander, group_id: str, enemy_id: str) -> _GroupAndEnemy:
    """The groups with these ids. Raises Refused if the commander does not know both."""
    group, enemy = commander.group(group_id), commander.group(enemy_id)
    if group is None or enemy is None:
        raise nonsense("unknown_group", "There is no such group.")
    return _GroupAndEnemy(group, enemy)


def _in_reach(state: State, enemy: TableGroup, aimed_at: str) -> int | None:
    """How many of a group a volley at guys can hit: its guys on foot. None, so that nothing limits
    the volley, if it is aimed at a model or the group has no guys on foot."""
    if not state.setup.unit(aimed_at).is_guy:
        return None
    guys = 0
    for unit, count in enemy.known.counts.items():
        if state.setup.unit(unit).is_guy:
            guys += count
    if guys == 0:
        return None
    return guys
