"""The odds of a shot or a volley in a battle, and what one change would do.

``pack_of`` alone decides what may be known of a deck. All results are exact; if a player's choice
matters, the chance is a range.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache, partial
from itertools import accumulate
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import Shooting, ToCheck
from skirmish.games.plastic.battle.orders import Again, Fire, Volley
from skirmish.games.plastic.battle.orders.firing import Prepared, aim_of, pin_owed, prepared
from skirmish.games.plastic.battle.rows import (
    Row,
    break_at,
    find,
    guys_in_sight,
    inside_is_unknown,
    riders_possible,
    rows,
    strength,
)
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.pack import (
    Firer,
    OddsError,
    Pack,
    VolleyOutcome,
    firer,
)
from skirmish.games.plastic.odds.volley import (
    by_one_deck,
    pinned,
    pinning_draws,
    trimmed,
    volley,
)
from skirmish.games.plastic.rules.shot import at_next
from skirmish.tabletop.refusal import Refusal, Refused

Knowledge: TypeAlias = Literal["full", "hidden"]
"""Whether odds may know which cards are gone. Some groups hold that nobody should count cards."""

_NEVER = Fraction(0)
FRESH, UNKNOWN = "fresh deck", "deck partly unknown"
"""The note beside odds that are not based on the present deck."""


class Known(Struct, frozen=True):
    """``note`` is shown beside the odds; empty if the pack is the present deck or a die."""

    pack: Pack
    note: str = ""


def pack_of(state: State, side: str, knowledge: Knowledge = "full") -> Known:
    """The pack of a side's next draw. ``hidden``: a fresh deck. A side's own deck also counts as
    fresh unless all cards that are gone are known."""
    rulings = state.setup.rulings
    source = state.sources[state.source_of(side)]
    if source.kind == "die":
        return Known(packs.die())
    if knowledge == "hidden":
        return Known(packs.fresh(rulings), FRESH)
    exact = all(card.suit for card in source.gone) and len(set(source.gone)) == len(source.gone)
    if state.levels[side] == "ledger" or not exact:
        return Known(packs.fresh(rulings), UNKNOWN)
    return Known(packs.of_source(source, rulings))


MOST_WORK = 2000
"""The most shooters with repeat fire times targets: some 10 milliseconds, once for a shot. A row
without repeat fire is quick however long, except for its losses."""
LOSSES_WORK = 400
"""The same if losses of shooters are computed too, which doubles the time."""
SPARING_WORK = 160
"""The same if targets may be spared; beyond it nobody counts as spared."""


class VolleyOdds(Struct, frozen=True, kw_only=True):
    """``reach`` who can be hit are ``counted``, else all who might be near a man shot at by one
    gun; the chances then reach from those for one man alone to those. ``kills`` is None where it
    takes too long for a screen, or nobody can say. Chances are least and most, None where it cannot
    come to that: that the enemy's army ``breaks``, that somebody is left and is ``pinned``;
    ``lost``: that a breakdown costs a shooter or his weapon. ``at_most``: nobody was taken to be
    spared (P22)."""

    shooters: int
    reach: int
    repeat: bool
    counted: bool
    kills: VolleyOutcome | None
    at_most: bool = False
    breaks: tuple[Fraction, Fraction] | None = None
    pinned: tuple[Fraction, Fraction] | None = None
    pin_note: str = ""
    lost: Fraction | None = None


def volley_odds(
    state: State, order: Fire | Again, shot: Prepared, knowledge: Knowledge = "full"
) -> VolleyOdds | None:
    """None where the row aimed at is gone."""
    target = find(state, shot.shooting.target)
    if target is None:
        return None
    pack = pack_of(state, shot.side, knowledge).pack
    shooters = 1
    if isinstance(order, Volley):
        shooters = sum(len(squad.pieces) for squad in shot.squads)
    repeat = any(squad.aim.repeat for squad in shot.squads)
    near = sum(len(row.in_sight) for row in guys_in_sight(state, target.side))
    counted = isinstance(order, Volley) or not repeat or near < 2
    reach = shot.reach if counted else near
    all_fire = _firers(state, shot, shooters, pack)
    found, (size,) = trimmed(all_fire, [reach], pack)
    at_most = any(one.spared for one in found) and shooters * reach > SPARING_WORK
    if at_most:
        found, (size,) = trimmed([replace(one, spared=0) for one in all_fire], [reach], pack)
    firers = tuple(found)
    sizes = (size,) if counted else (1, size)
    every = [kills for size in sizes if (kills := _kills(firers, size, pack))]
    odds = VolleyOdds(
        shooters=shooters, reach=reach, repeat=repeat, counted=counted, kills=None, at_most=at_most
    )
    if len(every) < len(sizes):
        return odds
    kills = every[-1]
    lost = 1 - kills.lost.get(0, _NEVER) if kills.lost else None
    odds = replace(odds, kills=kills, breaks=_breaks(state, target, every[0], kills), lost=lost)
    each_shot = repeat and state.setup.rulings["P55"] == "per_shot"  # an unknown number
    tests = _pin_tests(state, shot, shooters)
    if not each_shot and tests:
        known = pack_of(state, target.side, knowledge)
        one_deck = state.source_of(shot.side) == state.source_of(target.side)
        owed = _tests_owed(state, shot)
        chance = partial(_pinned, state, target.side, known.pack, one_deck, owed, firers, tests)
        with suppress(OddsError):  # too slow for a screen
            chances = [*map(chance, sizes, every)]
            odds = replace(odds, pinned=(chances[0], chances[-1]), pin_note=known.note)
    return odds


def _next_shot(state: State, shot: Prepared) -> Shooting:
    """The next shot of its run of repeat fire, under the same circumstances."""
    return replace(shot.shooting, at=at_next(shot.shooting.at, state.setup.catalog.fire))


def _firers(state: State, shot: Prepared, shooters: int, pack: Pack) -> list[Firer]:
    """All who fire, in their order."""
    firers: list[Firer] = []
    for squad in shot.squads:
        after = aim_of(state, _next_shot(state, squad))
        count = len(squad.pieces) if shot.more else shooters
        firers += [firer(squad.aim, after, die=pack.die)] * count
    return firers


def _pin_tests(state: State, shot: Prepared, shooters: int) -> int:
    """The pin tests if all fire (P55): one for each machine gun."""
    if not shot.more:
        return shooters if pin_owed(state, shot) else 0
    return sum(len(squad.pieces) for squad in shot.squads if pin_owed(state, squad))


@lru_cache(maxsize=64)
def _kills(firers: tuple[Firer, ...], size: int, pack: Pack) -> VolleyOutcome | None:
    work = len(firers) * size
    if any(one.repeat for one in firers) and work > MOST_WORK:
        return None
    tests = any(one.tests for one in firers)
    try:
        return volley(firers, [size], pack, losses=tests and work <= LOSSES_WORK)
    except OddsError:
        return None


def _breaks(
    state: State, target: Row, fewest: VolleyOutcome, most_kills: VolleyOutcome
) -> tuple[Fraction, Fraction] | None:
    limit = break_at(state, target.side)
    if limit is None or state.outcome is not None or state.open_end:
        return None
    bears = limit - state.loss.get(target.side, 0)
    least, most = _losses(state, target)

    def chance(found: VolleyOutcome, lost: list[int]) -> Fraction:
        kills = found.kills().items()
        return sum((p for fallen, p in kills if lost[min(fallen, len(lost) - 1)] >= bears), _NEVER)

    likely = chance(most_kills, most)
    return (chance(fewest, least), likely) if likely else None


def _losses(state: State, target: Row) -> tuple[list[int], list[int]]:
    """The loss with 0, 1, 2, … kills, at least and at most: the defender may choose another guy; a
    model takes its known or possible riders with it."""
    if target.unit.is_guy:
        there = [piece for row in guys_in_sight(state, target.side) for piece in row.in_sight]
        few = many = [strength(state, [piece]) for piece in there]
    else:
        few = [strength(state, (p, *state.riders_of(p))) for p in target.in_sight]
        seats = [state.unit(p).seats * inside_is_unknown(state, p) for p in target.in_sight]
        riders = [row.in_sight[0] for row in riders_possible(state, target.side)]
        most = max((strength(state, [rider]) for rider in riders), default=0)
        many = [lost + most * count for lost, count in zip(few, seats, strict=True)]
    return [0, *accumulate(sorted(few))], [0, *accumulate(sorted(many, reverse=True))]


def _pinned(  # noqa: PLR0917
    state: State,
    side: str,
    pack: Pack,
    one_deck: bool,
    owed: int,
    firers: tuple[Firer, ...],
    tests: int,
    size: int,
    kills: VolleyOutcome,
) -> Fraction:
    """The chance that somebody is left and pinned; raises OddsError. ``owed`` are the draws that
    others owe already, whoever of those aimed at is left."""
    setup, quality = state.setup, state.quality_of(side)
    if one_deck and not pack.die:
        if owed:
            raise OddsError("Draws for others from the same deck are not followed.")
        pins = pinning_draws(quality, pack.die, setup.catalog, setup.rulings)
        return by_one_deck(firers, size, pack, pins, tests=tests)[1]
    left = 1 - kills.at_least(size)
    found = left * pinned(quality, pack, setup.catalog, setup.rulings, tests + owed)
    if owed:
        found += (1 - left) * pinned(quality, pack, setup.catalog, setup.rulings, owed)
    return found


def _tests_owed(state: State, shot: Prepared) -> int:
    """The pin draws of a group that a run of fire has hit, beside that of the lone man it goes on
    to. A group that is hit again owes no other."""
    test = pin_owed(state, shot)
    if test is None or not test.lone:
        return 0
    pending = (task for task in state.agenda if isinstance(task, ToCheck) and task.check == "pin")
    return sum(task.times for task in pending if not task.lone)


Kind: TypeAlias = Literal["now", "cover", "hull_down", "close", "rear", "weapon", "shooter"]
"""What a row changes: nothing, one thing that eyes see, the weapon, who fires."""

SEEN: tuple[Kind, ...] = ("cover", "hull_down", "close", "rear")
"""Of what eyes see. ``close`` is the distance at which the very man aimed at dies."""


class WhatIf(Struct, frozen=True, kw_only=True):
    """``shot`` is None if the shot is impossible; ``against`` is the reason."""

    kind: Kind
    order: Fire | Again
    shot: Prepared | None
    against: Refusal | None


def what_ifs(state: State, order: Fire | Again) -> tuple[WhatIf, ...]:
    """The shot itself, then each change that would make a difference; empty if none would."""
    now = _shot(state, "now", order)
    if now.shot is None:
        return ()
    changes = [other for other in _changes(state, order, now.shot) if _differs(other, now)]
    return (now, *changes) if changes else ()


def what_if(state: State, order: Fire | Again, kind: Kind) -> WhatIf | None:
    return next((other for other in what_ifs(state, order) if other.kind == kind), None)


def _changes(state: State, order: Fire | Again, now: Prepared) -> Iterator[WhatIf]:
    for kind in SEEN:
        if not hasattr(order, kind):
            continue
        other = _shot(state, kind, replace(order, **{kind: not getattr(order, kind)}))
        if other.shot is not None:
            yield other
    if isinstance(order, Fire):
        if weapon := next_weapon(state, order):
            yield _shot(state, "weapon", replace(order, weapon=weapon))
        yield from _next_shooter(state, order, now)


def next_weapon(state: State, order: Fire) -> str | None:
    """The shooter's weapon after the one in the order."""
    row = find(state, order.shooter)
    names = list(dict.fromkeys(weapon.id for weapon in row.weapons)) if row else []
    if len(names) < 2:
        return None
    shot = _shot(state, "now", order).shot
    in_hand = shot.shooting.weapon if shot else order.weapon
    return names[(names.index(in_hand) + 1) % len(names)] if in_hand in names else names[0]


def _next_shooter(state: State, order: Fire, now: Prepared) -> Iterator[WhatIf]:
    if now.more:
        return
    own = rows(state, now.side)
    at = next((n for n, row in enumerate(own) if row.key == order.shooter), 0)
    for row in (*own[at + 1 :], *own[:at]):
        if not row.ready_count:
            continue
        by = replace(order, shooter=row.key, weapon=None)
        if isinstance(by, Volley):
            by = replace(by, count=min(by.count, row.ready_count))
        other = _shot(state, "shooter", by)
        if other.shot is not None and other.against is None:
            yield other
            return


def _shot(state: State, kind: Kind, order: Fire | Again) -> WhatIf:
    try:
        shot = prepared(state, order)
    except Refused as refused:
        return WhatIf(kind=kind, order=order, shot=None, against=refused.refusal)
    return WhatIf(kind=kind, order=order, shot=shot, against=shot.advice)


def _differs(other: WhatIf, now: WhatIf) -> bool:
    if now.shot is None or other.shot is None:
        return True
    if now.against is not None:
        return other.against != now.against
    same_man = other.kind not in ("weapon", "shooter")
    aims = [squad.aim for squad in other.shot.squads]
    return not same_man or aims != [squad.aim for squad in now.shot.squads] or bool(other.against)
