"""The units of the Grand Tactical Series: their markers, and what fire results do to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from msgspec.structs import replace

from skirmish.games.gts.combat import CHECK_MARKERS, Barrage, CheckOf, Firer
from skirmish.tabletop.companion.counters import Counter

RATINGS = ("tq", "fire", "assault", "defense", "range", "move")
TRAITS = ("armored", "engineer", "white", "black", "stepless")
"""``white`` and ``black`` are the stripes of independent units; ``stepless``: without a step."""
STRIPES = {"white", "black"}


class Marker:
    """Markers on a counter."""

    SUPPRESSED, COLUMN = "suppressed", "column"
    IMPROVED, ENTRENCHED = "improved", "entrenched"
    ONE, TWO, STEP = "1 cohesion hit", "2 cohesion hits", "step loss"
    ACTED, FIRED_OP, HERO = "acted", "op-fired", "hero"
    CONTACT, PENDING, PARK, FIRED_PARK = "in contact", "contact pending", "in park", "park fired"
    LIGHT, HEAVY = "light barrage", "heavy barrage"
    RALLYING, AT_WORK = "rallying", "men at work"
    CLEARED = (LIGHT, HEAVY, ACTED, FIRED_OP, FIRED_PARK)
    """At the end of a turn."""
    TYPED = (SUPPRESSED, ONE, TWO, STEP, COLUMN, IMPROVED, ENTRENCHED, HERO, CONTACT, PENDING,
             PARK, FIRED_PARK, LIGHT, HEAVY, ACTED, FIRED_OP)  # fmt: skip


def cohesion(unit: Counter) -> Literal[0, 1, 2]:
    return 2 if unit.has(Marker.TWO) else 1 if unit.has(Marker.ONE) else 0


def steps_of(unit: Counter) -> int:
    """For stacking and mass: some units have no step at all."""
    return 0 if "stepless" in unit.traits else unit.steps


def barrage_on(unit: Counter) -> Barrage | None:
    return "heavy" if unit.has(Marker.HEAVY) else "light" if unit.has(Marker.LIGHT) else None


def check_of(unit: Counter, *, out: bool = False, more: int = 0) -> CheckOf:
    """A check of a unit with its markers."""
    return CheckOf(
        rating=unit.rating("tq"),
        out_of_command=out,
        cohesion=cohesion(unit),
        barrage=barrage_on(unit),
        more=more,
        **_standing(unit, CHECK_MARKERS),
    )


def firing(unit: Counter) -> Firer:
    standing = _standing(unit, ("column", "step_loss", "entrenched"))
    return Firer(cohesion=cohesion(unit), barrage=barrage_on(unit), **standing)


def _standing(unit: Counter, names: Iterable[str]) -> dict[str, Any]:
    return {name: unit.has(name.replace("_", " ")) for name in names}


def busy(unit: Counter) -> Counter:
    """The unit after an action: markers of unfinished ones come off."""
    return unit.counting(Marker.RALLYING, 0).counting(Marker.AT_WORK, 0).marked(Marker.ACTED)


# ------------------------------------------------------------------ fire results


def eliminated(unit: Counter) -> Counter:
    return replace(unit, steps=0, place="", flags=())


def step_lost(unit: Counter) -> Counter:
    if steps_of(unit) <= 1:
        return eliminated(unit)
    return replace(unit, steps=1).marked(Marker.STEP)


def cohesion_hit(unit: Counter) -> Counter:
    if not steps_of(unit):
        return eliminated(unit)
    if unit.has(Marker.TWO):
        return step_lost(unit)
    if unit.has(Marker.ONE):
        return unit.marked(Marker.ONE, False).marked(Marker.TWO)
    return unit.marked(Marker.ONE)


def suppressed(unit: Counter) -> Counter:
    return cohesion_hit(unit) if unit.has(Marker.SUPPRESSED) else unit.marked(Marker.SUPPRESSED)


def out_of_contact(before: Counter, after: Counter) -> Counter:
    """Artillery in contact that took effective fire loses contact."""
    if after == before or not after.has(Marker.CONTACT):
        return after
    return after.marked(Marker.CONTACT, False).marked(Marker.PENDING)
