"""The units of Omaha: ratings and markers of their counters, and which of them combine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from skirmish.games.omaha.ruleset import OmahaScenario, OmahaSetup, Recovery
from skirmish.tabletop.companion.counters import BACK, Counter, Register

PRINTED = ("he", "ap", "ca", "armor", "range")
RATINGS = (*PRINTED, *(name + BACK for name in PRINTED))
"""Of the front of a counter, then of its back, which shows after a step loss."""
LONG = {"he": "high explosive (HE)", "ap": "armor piercing (AP)", "ca": "close assault (CA)"}
WORDS = {name: LONG.get(name, name) for name in PRINTED}


class Mark:
    """Markers on a counter, including those that only the program records."""

    FIRED, DISRUPTED, WAITING, LANDED = "fired", "disrupted", "off map", "just landed"
    MOVING, SHOT_AT, ASSAULTED, HELD = "moving", "fired at", "assaulted", "held fire"
    PASSING = (MOVING, SHOT_AT, ASSAULTED, HELD)
    """Cleared at the end of the phase."""


IS = {
    Mark.FIRED: "has fired",
    Mark.DISRUPTED: "is disrupted",
    Mark.LANDED: "has just landed",
    Mark.ASSAULTED: "has assaulted",
}


def spent(unit: Counter, *, landed: bool = True) -> str:
    """Why it cannot act (``has fired``); empty if it can. ``landed``: landing counts too."""
    marks = (mark for mark in IS if unit.has(mark) and (landed or mark != Mark.LANDED))
    return next((IS[mark] for mark in marks), "")


def rated(units: Iterable[Counter], typed: Mapping[str, Mapping[str, int]]) -> tuple[Counter, ...]:
    """The units with the ratings just typed."""
    return tuple(replace(one, ratings={**one.ratings, **typed.get(one.id, {})}) for one in units)


def is_support(unit: Counter) -> bool:
    return unit.kind in ("armor", "gun", "engineers")


def is_ranger(unit: Counter) -> bool:
    return "ranger" in unit.group.lower()


def stacks(unit: Counter) -> bool:
    """Whether it counts against stacking."""
    return unit.kind != "engineers"


def recovery_of(setup: OmahaSetup, unit: Counter) -> Recovery:
    arrival = setup.scenario.arrival(unit.group)
    if arrival is not None and arrival.recovers:
        return arrival.recovers
    return "ranger" if is_ranger(unit) else "us" if unit.side == "us" else "german"


def why_not_together(units: Sequence[Counter], *, fire: bool) -> str:
    """Why these may not attack together; empty if they may: in ``fire`` units of one hex always
    can. Whether hexes of a company are adjacent only the owner sees."""
    if len({unit.place or unit.id for unit in units}) < (2 if fire else 1):
        return ""
    for group in dict.fromkeys(unit.group for unit in units):
        places = {unit.place for unit in units if unit.group == group}
        others = [unit for unit in units if unit.group != group]
        if all(is_support(unit) and unit.place in places for unit in others):
            return ""
    return (
        "Only units of one company combine, in fire those of one hex as well; tanks, guns and "
        "engineers do with units in their own hex."
    )


def new_unit(register: Register, name: str, side: str, kind: str, **more: Any) -> Counter:
    id = register.new_id(name)
    return Counter(id=id, name=name, side=side, kind=kind, two_sided=True, **more)


def new_units(register: Register, scenario: OmahaScenario, steps: int) -> Register:
    """The register with the units named in the text that are not on the map yet."""
    for arrival in scenario.arrivals:
        for name in arrival.units:
            group = arrival.company
            unit = new_unit(register, name, arrival.side, arrival.kind, group=group, steps=steps)
            register = register.with_counter(unit.marked(Mark.WAITING))
    return register
