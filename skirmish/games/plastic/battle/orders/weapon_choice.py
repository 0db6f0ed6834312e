"""With which weapon a row fires, and which of its pieces do. A ``slot`` is the place of a weapon
among those of its unit, from 0."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle.names import weapon_of_piece
from skirmish.games.plastic.battle.rows import Row
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.shot import Shot, aim, weapon_named, why_not
from skirmish.tabletop.refusal import nonsense


def best_slot(
    state: State,
    shooter: Row,
    shot_without_weapon: Shot,
    *,
    weapon: str | None = None,
    volley_of: int | None = None,
) -> int:
    """The slot of the weapon that fits a shot best: of the named ``weapon``, or of any if that is
    None. ``volley_of``: how many fire in a volley, None for a single shot."""
    slots = _slots_named(state, shooter, weapon)
    # An unarmed unit has no slot, and 0 is as good as any: that it cannot fire is said elsewhere.
    if not slots:
        return 0

    def fitness(slot: int) -> _Fitness:
        return _fitness(state, shooter, shot_without_weapon, slot)

    best = max(slots, key=fitness)
    if volley_of is None:
        return best

    def ready_for_volley(slot: int) -> int:
        return min(len(shooter.ready[slot]), volley_of)

    # Of two weapons alike (P5: an AA tank has two machine guns) the one that more pieces can still
    # fire; if as many can fire either, the first.
    slots_alike = [slot for slot in slots if shooter.weapons[slot] == shooter.weapons[best]]
    return max(slots_alike, key=ready_for_volley)


def _slots_named(state: State, shooter: Row, weapon: str | None) -> list[int]:
    """The slots of that weapon (None: of any). Raises Refused if the unit does not have it."""
    slots = list(range(len(shooter.weapons)))
    if not slots or weapon is None:
        return slots
    named = weapon_named(shooter.unit, weapon, state.setup.catalog, state.setup.rulings)
    if named is not None:
        slots = [slot for slot in slots if shooter.weapons[slot].id == named.id]
    if named is None or not slots:
        text = f"{a_unit(shooter.unit.name, 'A')} has no {weapon}."
        raise nonsense("no_weapon", text, "Firing")
    return slots


class _Fitness(NamedTuple):
    """How well a weapon fits a shot. Of two weapons the first field in which they differ decides,
    and the greater value fits better."""

    within_the_rules: bool = False
    ready: bool = False
    works: bool = False
    """Whether it has not broken down, at least on one piece."""
    needs: int = 0
    """The highest rank that hits."""


def _fitness(state: State, shooter: Row, shot_without_weapon: Shot, slot: int) -> _Fitness:
    """How well the weapon in that slot fits; least of all if it cannot hit the target at all."""
    catalog, rulings = state.setup.catalog, state.setup.rulings
    armed = replace(shot_without_weapon, weapon=shooter.weapons[slot])
    refusal = why_not(armed, catalog, rulings)
    # The weapon cannot hit this target, however much the players insist.
    if refusal is not None and refusal.firm:
        return _Fitness()
    return _Fitness(
        within_the_rules=refusal is None,
        ready=bool(shooter.ready[slot]),
        works=any(weapon_of_piece(piece, slot) not in state.disarmed for piece in shooter.alive),
        needs=aim(armed, catalog, rulings).needs,
    )


class _ShooterRank(NamedTuple):
    """What puts a piece behind others of its row when shooters are chosen; the first field in which
    two of them differ decides."""

    has_to_use_other_slot: bool
    rides: bool
    is_hidden: bool
    """Whoever is hidden and fires is seen from then on (P69)."""


def who_fires(state: State, shooter: Row, slot: int, count: int) -> tuple[str, ...]:
    """The pieces that fire, ``count`` of them: first those whose weapon in this slot is ready, then
    those who have another one like it ready; of either, on foot before aboard and hidden ones
    last."""
    ready_in_slot: frozenset[str] = frozenset()
    if slot < len(shooter.ready):  # an unarmed unit has no slot
        ready_in_slot = frozenset(shooter.ready[slot])

    def rank_of(piece: str) -> _ShooterRank:
        return _ShooterRank(
            has_to_use_other_slot=piece not in ready_in_slot,
            rides=state.rides(piece),
            is_hidden=piece in state.hidden,
        )

    ready = sorted(shooter.ready_with(slot), key=rank_of)
    # Players may insist: those that cannot fire any more come last.
    everybody = dict.fromkeys((*ready, *shooter.here, *shooter.alive))
    return tuple(everybody)[:count]
