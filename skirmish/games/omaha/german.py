"""The solitaire German: who fires together, and at whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from skirmish.games.omaha.state import OmahaState
from skirmish.games.omaha.units import Mark, rated
from skirmish.tabletop.companion.counters import Counter, named


def ready(state: OmahaState) -> list[Counter]:
    """The Germans that can still fire in this phase."""
    spent = {Mark.FIRED, Mark.DISRUPTED, Mark.HELD}
    return [one for one in state.units("german") if not spent & set(one.flags)]


def batteries(state: OmahaState) -> Iterator[tuple[Counter, ...]]:
    """Who of them fires together: those of a hex."""
    able = ready(state)
    for place in dict.fromkeys(one.place or one.id for one in able):
        yield tuple(one for one in able if place in (one.place, one.id))


def reaching(
    units: tuple[Counter, ...], far: int, typed: Mapping[str, dict[str, int]]
) -> tuple[Counter, ...]:
    """Those whose printed range is as far as that; all of them where nobody's is."""
    return tuple(one for one in rated(units, typed) if max(one.rating("range"), 1) >= far) or units


def title(units: tuple[Counter, ...]) -> str:
    return f"{units[0].place}: {named(units)}".removeprefix(": ")


def nearest(seen: Mapping[str, int]) -> tuple[str, ...]:
    """The hexes that are nearest: several where they are equally far."""
    return tuple(place for place, far in seen.items() if far == min(seen.values()))


def target(
    state: OmahaState, seen: Mapping[str, int], typed: Mapping[str, dict[str, int]]
) -> tuple[str, str]:
    """The hex that they fire at, and why: the nearest; of those that are equally far the one with
    the most HE factors, with what was just ``typed`` of them."""
    near = nearest(seen)
    units = {place: rated(state.at_target(place, "us"), typed) for place in near}
    factors = {place: sum(one.rating("he") for one in here) for place, here in units.items()}
    chosen = max(near, key=lambda place: factors[place])
    others = [place for place in near if place != chosen]
    if not others:
        far = seen[chosen]
        return chosen, f"the nearest, {far} hex{'es' * (far != 1)} away"
    names = " and ".join(hex_name(state, one) for one in others)
    if factors[chosen] == max(factors[one] for one in others):
        return chosen, f"as near as {names}, and with as much HE"
    return chosen, f"as near as {names}, and with more HE"


def hex_name(state: OmahaState, target: str) -> str:
    """A hex, or the unit whose hex nobody wrote down."""
    return state.counters[target].name if target in state.counters.counters else target
