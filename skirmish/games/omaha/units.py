"""The units of Omaha: ratings and markers of their counters, and which of them combine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from skirmish.games.omaha.ruleset import OmahaScenario, OmahaSetup, Recovery
from skirmish.tabletop.companion.counters import BACK, Counter, Register

PRINTED = ("he", "ap", "ca", "armor", "range")
"""The ratings printed on a counter, by the names under which they are stored."""
RATINGS = (*PRINTED, *(name + BACK for name in PRINTED))
"""The ratings of the front of a counter, then those of its back, which shows after a step loss."""
LONG_NAMES = {"he": "high explosive (HE)", "ap": "armor piercing (AP)", "ca": "close assault (CA)"}
"""Ratings that a counter prints by their first letters only."""
RATING_WORDS = {name: LONG_NAMES.get(name, name) for name in PRINTED}
"""What each rating is called in a question."""


class Mark:
    """Markers on a counter, including those that only the program records."""

    FIRED, DISRUPTED, WAITING, LANDED = "fired", "disrupted", "off map", "just landed"
    MOVING, SHOT_AT, ASSAULTED, HELD = "moving", "fired at", "assaulted", "held fire"
    PASSING = (MOVING, SHOT_AT, ASSAULTED, HELD)
    """Cleared at the end of the phase."""


MARK_SIGNS = {
    Mark.FIRED: "+",
    Mark.DISRUPTED: "✗",
    Mark.LANDED: "~",
    Mark.WAITING: "○",
    Mark.MOVING: "→",
    Mark.SHOT_AT: "!",
    Mark.ASSAULTED: "‡",
    Mark.HELD: "=",
}
"""How markers look on the board, in the order of its key; each is another sign in plain ASCII,
too."""
WHY_SPENT = {
    Mark.FIRED: "has fired",
    Mark.DISRUPTED: "is disrupted",
    Mark.LANDED: "has just landed",
    Mark.ASSAULTED: "has assaulted",
}
"""The markers with which a unit does nothing more, and what each means in a sentence."""


def why_done(unit: Counter, *, landed: bool = True) -> str:
    """Why a unit cannot act (``has fired``); empty if it can. ``landed``: having just landed is a
    reason, too."""
    for mark, why in WHY_SPENT.items():
        if mark == Mark.LANDED and not landed:
            continue
        if unit.has(mark):
            return why
    return ""


def rated(units: Iterable[Counter], typed: Mapping[str, Mapping[str, int]]) -> tuple[Counter, ...]:
    """The units with the ratings just typed."""
    after = []
    for unit in units:
        ratings = {**unit.ratings, **typed.get(unit.id, {})}
        after.append(replace(unit, ratings=ratings))
    return tuple(after)


def is_support(unit: Counter) -> bool:
    """Armor, engineers and guns, as "Unit Types" lists them."""
    return unit.kind in ("armor", "gun", "engineers")


def is_ranger(unit: Counter) -> bool:
    """Whether a unit is one of Rangers, by the name of its company: 5th Rangers, C/2 Rangers."""
    return "ranger" in unit.group.lower()


def counts_in_stack(unit: Counter) -> bool:
    """Whether a unit counts against the most that stack in a hex: engineers do not."""
    return unit.kind != "engineers"


def recovery_of(setup: OmahaSetup, unit: Counter) -> Recovery:
    """Which of the recovery numbers is the unit's: the scenario names that of the airborne unit and
    of the 916th AT, as their names do not show it."""
    arrival = setup.scenario.arrival(unit.group)
    if arrival is not None and arrival.recovers:
        return arrival.recovers
    if is_ranger(unit):
        return "ranger"
    if unit.side == "us":
        return "us"
    return "german"


def why_not_together(units: Sequence[Counter], *, fire: bool) -> str:
    """Why these may not attack together, by their companies; empty if they may.

    In ``fire`` "units in the same hex, firing at the same target, must combine", whatever their
    company. Else one company attacks, and "support units may combine their firepower with units
    they are stacked with". Whether hexes are adjacent is not asked here.
    """
    hexes = {unit.place or unit.id for unit in units}
    if not units or (fire and len(hexes) == 1):
        return ""
    # Any of the companies may be the one that the others support.
    for company in dict.fromkeys(unit.group for unit in units):
        places = {unit.place for unit in units if unit.group == company}
        of_others = [unit for unit in units if unit.group != company]
        if all(is_support(unit) and unit.place in places for unit in of_others):
            return ""
    return (
        "Only units of one company combine, in fire those of one hex as well; tanks, guns and "
        "engineers do with units in their own hex."
    )


def new_unit(register: Register, name: str, side: str, kind: str, **more: Any) -> Counter:
    """A counter that is not in the register yet; every counter of the game has a back."""
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
