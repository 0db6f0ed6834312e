"""What a volley, or a chain of repeat shots, may come to as a whole: how many fall, whether that
breaks the army, whether the group is pinned.

All is exact, out of what may be known of the decks (``odds.pack_of``). Where something hangs on a
player's choice, on who dies of those who may, the chance is told from the least to the most.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.battle.firing import Prepared, pin_owed
from skirmish.games.plastic.battle.odds import Knowledge, pack_of
from skirmish.games.plastic.battle.orders import Again, Fire, Volley
from skirmish.games.plastic.battle.rows import Row, find, inside_is_unknown, riders_possible, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import break_at, strength
from skirmish.games.plastic.odds.firers import Firer, Outcome, enough, firer, sparing
from skirmish.games.plastic.odds.pack import OddsError, Pack
from skirmish.games.plastic.odds.pinning import by_one_deck, by_own_cards, pinned, pinning_draws
from skirmish.games.plastic.odds.volley import volley

MOST_WORK = 2000
"""Shooters with repeat fire times those they can hit: some 10 milliseconds, once for a shot. A row
without repeat fire is quick however long, but for its losses."""
LOSSES_WORK = 400
"""The same where their losses are reckoned too, which takes as long again."""
SPARING_WORK = 160
"""The same where whom they shoot at may be spared; beyond it nobody is taken to be."""


class Outlook(msgspec.Struct, frozen=True, kw_only=True):
    """``shooters`` fire at ``reach`` who can be hit: ``counted``, else all who might be near a man
    shot at by one gun. Then ``kills`` are those where enough are near, and the chances below reach
    from those for one man alone to those.
    ``kills`` is None where it takes too long for a screen, or nobody can say. ``breaks`` is
    the chance that the enemy's army breaks, least and most, None where no break point is played or
    it cannot come to that. ``pinned`` is the chance that somebody is left and is pinned, least and
    most, None where nobody can be; ``pin_note`` what its deck is, if not as it stands. ``lost`` is
    the chance that a breakdown costs a shooter or his weapon, None where that cannot be or takes
    too long.
    ``at_most``: it would take too long to follow who is spared, so nobody was taken to be (P22).
    """

    shooters: int
    reach: int
    repeat: bool
    counted: bool
    kills: Outcome | None
    at_most: bool = False
    breaks: tuple[Fraction, Fraction] | None = None
    pinned: tuple[Fraction, Fraction] | None = None
    pin_note: str = ""
    lost: Fraction | None = None


def outlook(
    state: State, order: Fire | Again, shot: Prepared, knowledge: Knowledge = "full"
) -> Outlook | None:
    """The outlook of an order as it was ``prepared``; None where the row aimed at is gone."""
    target = find(state, shot.shooting.target)
    if target is None:
        return None
    known = pack_of(state, shot.side, knowledge)
    shooters = len(shot.pieces) if isinstance(order, Volley) else 1
    repeat = shot.aim.repeat is not None
    near = _guys_on_foot(state, target.side)
    counted = isinstance(order, Volley) or not repeat or near < 2
    reach = shot.reach if counted else near
    one = firer(shot.aim, die=known.pack.die)
    one = sparing([one] * shooters, [reach], known.pack)[0]
    at_most = bool(one.spared) and shooters * reach > SPARING_WORK
    if at_most:
        one = msgspec.structs.replace(one, spared=0)
    (size,) = enough([one] * shooters, [reach], known.pack)
    found = _kills(one, shooters, size, known.pack)
    of_one = found if counted else _kills(one, shooters, 1, known.pack)
    breaks, pins, note = None, None, ""
    if found is not None and of_one is not None:
        breaks = _breaks(state, target, of_one, found)
        each_shot = repeat and state.setup.rulings["P55"] == "per_shot"  # nobody knows how many
        if not each_shot and pin_owed(state, shot, shooters):
            every = (one,) * shooters
            most, note = _pinned(state, shot, target, knowledge, _Asked(every, size, found))
            least = most
            if not counted:
                least, _ = _pinned(state, shot, target, knowledge, _Asked(every, 1, of_one))
            pins = (least, most) if least is not None and most is not None else None
    return Outlook(
        shooters=shooters,
        reach=reach,
        repeat=repeat,
        counted=counted,
        kills=found,
        at_most=at_most,
        breaks=breaks,
        pinned=pins,
        pin_note=note,
        lost=1 - found.losses().get(0, Fraction(0)) if found and found.with_losses else None,
    )


def _guys_on_foot(state: State, side: str) -> int:
    return sum(len(row.on_foot) for row in rows(state, side) if row.unit.is_guy)


class _Asked(NamedTuple):
    """A volley at so many, none more than can be hit and one besides, and what it kills."""

    firers: tuple[Firer, ...]
    size: int
    kills: Outcome


@lru_cache(maxsize=64)
def _kills(one: Firer, count: int, size: int, pack: Pack) -> Outcome | None:
    """Cached, since a screen is painted at every key."""
    work = count * size
    if one.repeat and work > MOST_WORK:
        return None
    try:
        return volley([one] * count, [size], pack, losses=bool(one.tests) and work <= LOSSES_WORK)
    except OddsError:
        return None


# ------------------------------------------------------------------ the break point


def _breaks(
    state: State, target: Row, fewest: Outcome, most_kills: Outcome
) -> tuple[Fraction, Fraction] | None:
    """The chance that the kills bring the target's side to its break point: of the fewest kills,
    the least that they can cost, and of the most the most."""
    limit = break_at(state, target.side)
    if limit is None or state.outcome is not None or state.open_end:
        return None
    bears = limit - state.loss.get(target.side, 0)
    least, most = _losses(state, target)
    chances = [
        sum(
            (p for fallen, p in found.kills().items() if _after(lost, fallen) >= bears), Fraction(0)
        )
        for found, lost in ((fewest, least), (most_kills, most))
    ]
    return (chances[0], chances[1]) if chances[1] else None


def _losses(state: State, target: Row) -> tuple[list[int], list[int]]:
    """What is lost with 1, 2, … kills, at least and at most. For a guy the defender may give
    another; a model takes with it who is aboard, as far as that was told."""
    if target.unit.is_guy:
        every = [row for row in rows(state, target.side) if row.unit.is_guy]
        worths = [strength(state, [piece]) for row in every for piece in _in_sight(row)]
        few, many = worths, worths
    else:
        few = [strength(state, (p, *state.riders_of(p))) for p in _in_sight(target)]
        many = [
            lost + _perhaps_inside(state, piece)
            for lost, piece in zip(few, _in_sight(target), strict=True)
        ]
    return [*accumulate(sorted(few))], [*accumulate(sorted(many, reverse=True))]


def _perhaps_inside(state: State, carrier: str) -> int:
    """The most that may die inside a model of which nobody told who is in it."""
    if not inside_is_unknown(state, carrier):
        return 0
    seats = state.setup.unit(state.unit_of(carrier)).seats
    riders = [row.on_foot[0] for row in riders_possible(state, state.piece(carrier).side)]
    return seats * max((strength(state, [rider]) for rider in riders), default=0)


def _in_sight(row: Row) -> tuple[str, ...]:
    """Who can be hit; those in hiding only if nobody else is there."""
    seen = tuple(piece for piece in row.on_foot if piece not in row.hidden)
    return seen or row.on_foot


def _after(lost: Sequence[int], fallen: int) -> int:
    """What so many kills cost; further hits find nobody."""
    return lost[min(fallen, len(lost)) - 1] if fallen and lost else 0


# ------------------------------------------------------------------ pinned


def _pinned(
    state: State, shot: Prepared, target: Row, knowledge: Knowledge, asked: _Asked
) -> tuple[Fraction | None, str]:
    """The chance that somebody is left and that the draws of his side pin, one for each who fires;
    and what is to be said of its deck. None where both sides draw from one deck and there is too
    much to follow for a screen."""
    known, setup = pack_of(state, target.side, knowledge), state.setup
    quality, times = state.quality_of(target.side), len(asked.firers)
    if not _one_deck(state, shot, target):
        chance = pinned(quality, known.pack, setup.catalog, setup.rulings, times)
        return by_own_cards(asked.kills, 0, asked.size, chance).both, known.note
    pins = pinning_draws(quality, known.pack.die, setup.catalog, setup.rulings)
    try:
        return by_one_deck(asked.firers, asked.size, known.pack, pins).both, known.note
    except OddsError:
        return None, ""


def _one_deck(state: State, shot: Prepared, target: Row) -> bool:
    source = state.source_of(shot.side)
    return source == state.source_of(target.side) and state.sources[source].kind != "die"
