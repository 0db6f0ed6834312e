"""The role of each group in a plan: assault, base of fire, hold, reserve and the others.

First the points of a side are divided among the roles by shares (``CommanderWeights``). Then some
groups get another role, since the kind of victory or the time demands it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from skirmish.games.plastic.commander.aims import Aims
from skirmish.games.plastic.commander.cells import apart
from skirmish.games.plastic.commander.measures import GroupMeasures, TableMeasures
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand, is_tank
from skirmish.games.plastic.commander.weights import Percents, PlanWeights, RoleId, Temperament

TANKS_NEED_ESCORT_WITHIN = 18
"""Inches from enemy men within which tanks need men beside them. Our choice."""
CAN_ESCORT: tuple[RoleId, ...] = ("assault", "reserve", "hold")
"""Groups with these roles can be taken to escort tanks."""


class RoleChooser:
    """Gives each group of one side its role."""

    def __init__(
        self,
        groups: GroupMeasures,
        table: TableMeasures,
        aims: Aims,
        weights: PlanWeights,
        temperament: Temperament,
    ) -> None:
        self._groups = groups
        self._table = table
        self._aims = aims
        self._weights = weights
        self._temperament = temperament

    def roles(
        self, situation: Situation, turns_left: int, previous: Mapping[str, RoleId]
    ) -> dict[str, RoleId]:
        """The role of each group by its id. ``previous``: the roles of the last plan, which groups
        keep where they can."""
        roles = self._by_shares(situation, previous)
        # Models wait, on the table, until a crew has served them, for example with fuel.
        somebody_needs_service = any(stand.group.waiting for stand in situation.own)
        for stand in situation.own:
            group = stand.group.id
            if self._aims.must_exit:
                roles[group] = self._role_to_exit(situation, stand, roles[group], turns_left)
            if roles[group] in ("reserve", "delay") and self._must_go_now(stand, turns_left):
                roles[group] = self._main_role()
            has_service_crew = bool(self._aims.service_crews & set(stand.group.counts))
            if somebody_needs_service and has_service_crew:
                # Straight to those whom it serves: until then they can do nothing.
                roles[group] = "raid"
        escort = self._escort(situation, roles)
        if escort is not None:
            roles[escort] = "escort"
        return roles

    def all_out(
        self, situation: Situation, roles: Mapping[str, RoleId], turns_left: int
    ) -> dict[str, RoleId]:
        """The roles when a defender must attack: everybody who can still arrive in time assaults,
        except bases of fire and those who already hold ground that decides."""
        all_out = dict(roles)
        for stand in situation.own:
            group = stand.group.id
            in_time = self._table.turns_to_nearest_objective(stand) <= turns_left
            # Only men take ground.
            can_take_ground = self._groups.men(stand.group) > 0 and in_time
            holds_ground = stand.cell in self._aims.deciding_cells
            if can_take_ground and roles[group] != "base" and not holds_ground:
                all_out[group] = "assault"
        return all_out

    def role_by_guns_left(self, role: RoleId, group: GroupKnown) -> RoleId:
        """The role that a group keeps: ``hold`` for a defender's base of fire that has lost its
        guns, since its riflemen hold ground like all others; else the same. An attacker's base
        stays behind the assault even without guns."""
        if role == "base" and not self._aims.attacks and not self._can_be_base(group):
            return "hold"
        return role

    # ------------------------------------------------------------------ by shares

    def _by_shares(self, situation: Situation, previous: Mapping[str, RoleId]) -> dict[str, RoleId]:
        """The roles by the shares of the side's points. Groups that had a role, or are made for
        one, come first; each of the others takes the role of which most is missing."""
        shares = self._shares()
        points = {stand.group.id: self._groups.points(stand.group) for stand in situation.own}
        all_points = sum(points.values())
        missing = {role: all_points * percent / 100 for role, percent in shares.items()}
        roles: dict[str, RoleId] = {}
        without_role = []
        for stand in situation.own:
            group = stand.group.id
            role = previous.get(group)
            if role is None:
                role = self._made_for(stand.group)
            if role is not None:
                role = self.role_by_guns_left(role, stand.group)
            # Roles without a share, such as escort and raid, are not kept: they are given anew to
            # whoever needs them now.
            if role in missing:
                roles[group] = role
                missing[role] -= points[group]
            else:
                without_role.append(stand)
        for stand in sorted(without_role, key=self._dearest_and_nearest_first):
            group = stand.group.id
            roles[group] = self._role_most_missing(missing, stand.group)
            missing[roles[group]] -= points[group]
        return roles

    def _shares(self) -> Percents:
        """The shares of the roles: each temperament attacks by its own, and all defend alike."""
        if self._aims.attacks:
            return self._temperament.attack
        return self._weights.defence

    def _dearest_and_nearest_first(self, stand: Stand) -> tuple[float, int]:
        """A sort key."""
        turns = self._table.turns_to_nearest_objective(stand)
        return -self._groups.points(stand.group), turns

    def _role_most_missing(self, missing: Mapping[RoleId, float], group: GroupKnown) -> RoleId:
        """The role of which most points are missing, among those that a group can have."""
        possible = []
        for role in missing:
            if role != "base" or self._can_be_base(group):
                possible.append(role)
        return max(possible, key=missing.__getitem__)

    def _made_for(self, group: GroupKnown) -> RoleId | None:
        """The role for which at least half of a group is made, by its points; base of fire for what
        cannot move. None for a group that is made for no role."""
        catalog = self._groups.catalog
        if not any(catalog.units[id].moves for id in group.counts):
            return "base"
        points_for: Counter[RoleId] = Counter()
        for unit in [*group.units(catalog), *group.riders(catalog)]:
            role = self._weights.made_for.get(unit.id)
            if role is not None:
                points_for[role] += unit.price
        if not points_for:
            return None
        [(role, points)] = points_for.most_common(1)
        made_of_half = points >= self._groups.points(group) / 2
        if made_of_half:
            return role
        return None

    def _can_be_base(self, group: GroupKnown) -> bool:
        """Whether a group has any gun for a base of fire. Rifles alone are none, and tanks
        attack."""
        for id in group.counts:
            unit = self._groups.catalog.units[id]
            fixed_gun = bool(unit.weapons) and not unit.is_guy and not unit.moves
            if fixed_gun or self._weights.made_for.get(id) == "base":
                return True
        return False

    # ------------------------------------------------------------------ by time and victory

    def _must_go_now(self, stand: Stand, turns_left: int) -> bool:
        """Whether a group must go now to be in time at an objective. It need not if it is too late
        already."""
        spare = turns_left - self._table.turns_to_nearest_objective(stand)
        return 0 <= spare <= self._weights.commits_at

    def _main_role(self) -> RoleId:
        """The role of a group that does what its side is there for."""
        if self._aims.attacks:
            return "assault"
        return "hold"

    def _role_to_exit(
        self, situation: Situation, stand: Stand, role: RoleId, turns_left: int
    ) -> RoleId:
        """The role of a group whose side must leave the table; ``role``: the one it has by the
        shares.

        While the way is barred and there is time, everybody fights to open it, supported by the men
        of the base of fire. After that loaded carriers, and models that count, drive out. Those on
        foot keep their role until they have only the turns that the way takes.
        """
        # Whoever counts nothing off the table need not leave it.
        if not self._groups.exit_strength(stand.group):
            return role
        on_foot = self._groups.has_men_on_foot(stand.group)
        spare = turns_left - self._table.turns_to_nearest_objective(stand)
        has_time = spare > self._weights.turns_to_spare
        if has_time and self._table.barring_the_way_out(situation):
            if role == "base" and on_foot:
                return role
            return "assault"
        rides = bool(stand.group.aboard) or not on_foot
        if rides or not has_time:
            return "raid"
        return role

    # ------------------------------------------------------------------ the escort of tanks

    def _escort(self, situation: Situation, roles: Mapping[str, RoleId]) -> str | None:
        """The group that is to escort tanks, by its id: the nearest on foot. None if no tank is
        threatened, or only one group could go."""
        tank = self._threatened_tank(situation)
        if tank is None:
            return None
        inches_from_tank = {}
        for stand in situation.own:
            on_foot = self._groups.has_men_on_foot(stand.group) and not stand.group.aboard
            if on_foot and roles[stand.group.id] in CAN_ESCORT:
                inches_from_tank[stand.group.id] = apart(stand.cell, tank.cell)
        if len(inches_from_tank) < 2:
            return None  # somebody has to do what the side is there for
        # Of equally near groups the first by its id.
        return min(sorted(inches_from_tank), key=inches_from_tank.__getitem__)

    def _threatened_tank(self, situation: Situation) -> Stand | None:
        """The group of tanks that is nearest to enemy men, if any is near enough to need an
        escort."""
        threatened, nearest = None, float(TANKS_NEED_ESCORT_WITHIN)
        for tank in situation.own:
            if not is_tank(tank.group, self._groups.catalog):
                continue
            for enemy in situation.enemies:
                inches = apart(tank.cell, enemy.cell)
                if self._groups.has_men_on_foot(enemy.group) and inches <= nearest:
                    threatened, nearest = tank, inches
        return threatened
