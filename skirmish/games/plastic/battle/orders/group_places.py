"""Orders by which players tell the program's commander where the groups of either side stand, and
which group has suffered losses. The battle itself knows no places; only he remembers them.

``headquarters`` loads the tables of the map, so it is imported only where and when it is needed.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from skirmish.games.plastic.battle import command_events
from skirmish.games.plastic.battle.commanders import Half, TableGroup
from skirmish.games.plastic.battle.orders.commanders_order import CommandersOrder, errors_refused
from skirmish.games.plastic.battle.orders.resolution import Resolution
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.refusal import nonsense


class SayWhere(CommandersOrder, frozen=True, kw_only=True, tag="say_where"):
    """Players say something about one group of either side: where it stands (a ``square``, or
    ``columns`` and ``rows``), that its cover is another (``other_cover``), or what it has ``lost``.
    With none of these fields the group is not on the table."""

    group: str
    square: str = ""
    half: Half = ""
    """Empty: the whole square."""
    other_cover: bool = False
    """Whether its cover is the opposite of what the commander takes it to be."""
    lost: int = 0
    """How many of the losses were those of this group."""
    columns: int = 0
    """How many times six inches it has moved to the right on the map; to the left if negative."""
    rows: int = 0
    """How many times six inches it has moved up the map; down if negative."""

    def carry_out(self, run: Resolution) -> None:
        commander = self.commander(run.state)
        group = commander.group(self.group)
        if group is None:
            raise nonsense("unknown_group", f"There is no group called {self.group!r}.")
        of_enemy = group in commander.enemies
        if self.lost:
            self._record_losses(run, group, of_enemy=of_enemy)
        elif self.other_cover:
            covered = replace(group, cover=not group.cover)
            words = f"{group.name} is in the open."
            if covered.cover:
                words = f"{group.name} is in cover."
            self._place(run, covered, words, of_enemy=of_enemy)
        elif self.square or self.columns or self.rows:
            moved = self._moved(run.state, group)
            if of_enemy:
                take_off_own_losses(run, self.side)
            words = f"{group.name} stands in {square_of(moved)}."
            self._place(run, moved, words, of_enemy=of_enemy)
        else:
            gone = replace(group, cell=None, cover=False)
            words = f"{group.name} is not on the table."
            self._place(run, gone, words, of_enemy=of_enemy)

    def _moved(self, state: State, group: TableGroup) -> TableGroup:
        """The group at its new place. Raises Refused for a place that is not on the table."""
        if self.square:
            return moved_to(state, self.side, group, self.square, self.half)
        from skirmish.games.plastic.battle.headquarters.squares import shifted  # noqa: PLC0415

        try:
            return shifted(state, state.commanders[self.side], group, self.columns, self.rows)
        except ValueError as error:
            raise nonsense("unknown_square", str(error)) from None

    def _place(self, run: Resolution, group: TableGroup, words: str, *, of_enemy: bool) -> None:
        """Records a group as it is now known."""
        run.emit(
            command_events.GroupsPlaced(
                side=self.side, groups=(group,), of_enemy=of_enemy, words=words
            )
        )

    def _record_losses(self, run: Resolution, group: TableGroup, *, of_enemy: bool) -> None:
        """Records that some losses were those of this group, and not of the groups to which they
        were assigned so far."""
        from skirmish.games.plastic.battle.headquarters.command_post import (  # noqa: PLC0415
            command_post,
        )

        # No group can lose more than it has.
        lost = min(self.lost, group.strength)
        with errors_refused():
            groups = command_post(run.state, self.side).changed_if_lost_by(group.id, lost)
        words = f"{lost} of the losses were {group.name}'s."
        run.emit(
            command_events.GroupsPlaced(
                side=self.side, groups=tuple(groups), of_enemy=of_enemy, words=words
            )
        )


def square_of(group: TableGroup) -> str:
    """The square of the map in which a group stands; empty while it is not on the table."""
    if group.cell is None:
        return ""
    return group.cell.square


class SayPlaces(CommandersOrder, frozen=True, kw_only=True, tag="say_places"):
    """Players say where several groups stand (``places``). With ``gone_on`` the enemy has moved:
    its groups that moved in its last turn have gone on in the same direction, as the program
    proposes, except those in ``places`` and those that ``stay``."""

    places: tuple[SayWhere, ...] = ()
    gone_on: bool = False
    stay: tuple[str, ...] = ()

    def carry_out(self, run: Resolution) -> None:
        # Looked up only for the refusal if the side has no commander.
        self.commander(run.state)
        named = set(self.stay)
        named.update(place.group for place in self.places)
        if self.gone_on:
            let_enemy_go_on(run, self.side, except_for=named)
        for place in self.places:
            # All places are those that the commander of this order's side knows.
            replace(place, side=self.side).carry_out(run)


def let_enemy_go_on(run: Resolution, side: str, *, except_for: Collection[str] = ()) -> None:
    """Moves the enemy's groups on, as the commander of a side proposes. With that all moves of the
    enemy in its turn are reported. ``except_for``: the groups that players place themselves, or
    that did not move."""
    from skirmish.games.plastic.battle.headquarters.enemy_turn import enemy_turn  # noqa: PLC0415

    with errors_refused():
        in_enemy_turn = enemy_turn(run.state, side)
        turn_to_report = in_enemy_turn.turn_of_unreported_moves()
        groups = []
        for group_id, group in in_enemy_turn.gone_on.items():
            if group_id not in except_for:
                groups.append(group)
    # Turn 0: nothing is left to report.
    if turn_to_report == 0:
        return
    words = ""
    if groups:
        group_word, have = "groups", "have"
        if len(groups) == 1:
            group_word, have = "group", "has"
        setup = run.state.setup
        owned = setup.owned_by(setup.enemy_of(side).id, group_word)
        words = f"{len(groups)} {owned} {have} gone on as in the last turn."
        take_off_own_losses(run, side)
    run.emit(
        command_events.GroupsPlaced(
            side=side,
            groups=tuple(groups),
            of_enemy=True,
            moves_of=turn_to_report,
            words=words,
        )
    )


def take_off_own_losses(run: Resolution, side: str) -> None:
    """Takes the losses of a commander's side off its groups. This must be done before the enemy is
    moved: of several groups the one nearest to the shooters is taken to have lost the men, and
    until then it is known where the shooters stood."""
    from skirmish.games.plastic.battle.headquarters.command_post import (  # noqa: PLC0415
        command_post,
    )

    with errors_refused():
        groups = command_post(run.state, side).own_with_losses()
    if groups:
        run.emit(command_events.GroupsPlaced(side=side, groups=tuple(groups), words=""))


def moved_to(state: State, side: str, group: TableGroup, square: str, half: Half) -> TableGroup:
    """The group, moved to a square of the map. Raises Refused for a square that is not on the
    table."""
    from skirmish.games.plastic.battle.headquarters.squares import placed_in_square  # noqa: PLC0415

    try:
        return placed_in_square(state, state.commanders[side], group, square, half)
    except ValueError as error:
        raise nonsense("unknown_square", str(error)) from None
