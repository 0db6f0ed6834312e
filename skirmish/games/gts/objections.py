"""What speaks against a shot: the flow charts forbid it, or its target is too far away.

Names such as D1 are boxes of the charts in ``data/gts/charts.toml``, such as G26 rulings in
``data/gts/rulings.toml``; other names are headings of the rules summary.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from skirmish.games.gts.combat import ShotFacts
from skirmish.games.gts.ruleset import ASSAULT_MODES, GtsRules

DIRECT_RANGE = 3
"""How many hexes indirect high explosive, coastal batteries and dedicated artillery reach with
direct fire (Direct Fire Range)."""
LEAST_INDIRECT_RANGE = 4
"""Hexes from an indirect firer that is no mortar to its target, at least (I2)."""
SIGHT = 8
"""How many hexes are seen by day."""
NIGHT_SIGHT = {"two": 2, "three": 3}
"""How many hexes are seen at night, by the answers to ruling G27."""
NEVER_ASSAULT = ("green", "orange", "black", "brown")
"""The colors of units that never assault (A2)."""


class Objection(msgspec.Struct, frozen=True, kw_only=True):
    """Why a shot is not allowed. One that is not ``firm`` follows from a marker that the players
    may not have entered, so they may overrule it."""

    code: str
    text: str
    firm: bool = True


def objections(
    rules: GtsRules, shot: ShotFacts, name: str, *, fire_color: str = "", ship: bool = False
) -> Iterator[Objection]:
    """Why the flow charts do not allow a shot of a unit that is called ``name``, in their order.
    ``fire_color`` is the color of its fire rating where it fires with its assault rating, and empty
    for all other shots. A ``ship`` fires at any distance up to its range."""
    # The charts forbid shots of units only. Obstacles and the sea, whose shots are ``plain``, are
    # none.
    if shot.plain:
        return
    # D1 asks for the fire rating only; the second shot in an assault is fired with another (A15).
    uses_fire_rating = not fire_color
    if shot.color == "green" and uses_fire_rating and shot.mode in ("direct", "op", "defense"):
        text = "A mortar with a green rating fires indirectly only."
        yield Objection(code="indirect_only", text=text)
    yield from _objections_to_firer(rules, shot, name, fire_color or shot.color)
    yield from _objections_to_range(rules, shot, name, ship=ship)


def _objections_to_firer(
    rules: GtsRules, shot: ShotFacts, name: str, fire_color: str
) -> Iterator[Objection]:
    """What the unit itself and its markers do not allow."""
    mode = shot.mode
    firer = shot.firer
    if firer.suppressed and mode not in ASSAULT_MODES and not rules.suppressed_may_fire:
        yield Objection(code="suppressed", text=f"{name} is suppressed.")
    if mode == "indirect" and not rules.colors[fire_color].indirect:
        yield Objection(code="no_indirect", text=f"{name} has no indirect fire.")
    if mode != "indirect" and shot.empty:
        yield Objection(code="empty_hex", text="Only indirect fire is aimed at an empty hex.")
    if mode == "assault":
        yield from _objections_to_assaulter(shot, name, fire_color)


def _objections_to_assaulter(shot: ShotFacts, name: str, fire_color: str) -> Iterator[Objection]:
    """Which of the conditions for each assaulting unit this one does not meet (A2)."""
    firer = shot.firer
    if fire_color in NEVER_ASSAULT:
        yield Objection(code="never_assaults", text=never_assaults_text(fire_color))
    if firer.entrenched:
        text = f"{name} is entrenched; it does not assault."
        yield Objection(code="entrenched", text=text, firm=False)
    if firer.barrage == "heavy":
        text = f"{name} is under a heavy barrage; it does not assault."
        yield Objection(code="heavy_barrage", text=text, firm=False)
    if firer.suppressed:
        text = f"{name} is suppressed; it leaves the assault."
        yield Objection(code="suppressed", text=text, firm=False)


def never_assaults_text(color: str) -> str:
    """The sentence about a unit of one of the colors ``NEVER_ASSAULT``."""
    return f"A unit with a rating in {color} does not assault."


def _objections_to_range(
    rules: GtsRules, shot: ShotFacts, name: str, *, ship: bool
) -> Iterator[Objection]:
    """What the distance does not allow; nothing if nobody has said how far it is."""
    hexes = shot.range
    if hexes is None:
        return
    if shot.mode in ASSAULT_MODES and hexes > 1:
        yield Objection(code="not_adjacent", text="An assault is fought between adjacent hexes.")
        return
    is_mortar = rules.colors[shot.color].mortar
    reaches_far_only = shot.mode == "indirect" and not is_mortar and not ship
    if reaches_far_only and hexes < LEAST_INDIRECT_RANGE:
        text = (
            f"Indirect fire reaches no nearer than {LEAST_INDIRECT_RANGE} hexes, but for mortars."
        )
        yield Objection(code="too_near", text=text)
    longest = longest_range(rules, shot)
    if longest is not None and hexes > longest:
        text = f"The range of {name} is {longest}, and the target is {hexes} away."
        yield Objection(code="too_far", text=text)
    # Indirect fire has spotters, who may see farther from a hill (Line of Sight).
    farthest_seen = _sight(rules, dark=shot.night or shot.fog or shot.rain)
    if shot.direct and hexes > farthest_seen:
        text = f"Nothing is seen farther than {farthest_seen} hexes away now."
        yield Objection(code="out_of_sight", text=text)


def longest_range(rules: GtsRules, shot: ShotFacts) -> int | None:
    """How many hexes this fire reaches at most (Direct Fire Range); None where the counter of an
    indirect firer prints no range, so that nothing is known of it."""
    if shot.mode in ASSAULT_MODES:
        return 1
    if shot.mode == "indirect":
        return shot.max_range
    # Beside an enemy, and under a barrage outside a park, a unit fires at the next hex only.
    firer = shot.firer
    is_under_barrage = firer.barrage is not None and not firer.park
    if firer.near or is_under_barrage:
        return 1
    # Only the weapons of ``DIRECT_RANGE`` use the row of another color when they fire directly.
    if rules.colors[shot.color].color_of_direct_fire:
        return DIRECT_RANGE
    return shot.max_hexes


def _sight(rules: GtsRules, *, dark: bool) -> int:
    """How many hexes are seen; ``dark``: at night, in rain or in fog."""
    if dark:
        return NIGHT_SIGHT[rules.rulings["G27"]]
    return SIGHT
