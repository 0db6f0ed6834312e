"""What fits aboard: guys by seats, one cannon on a truck or halftrack, a raft for four seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skirmish.games.plastic.rules.catalog import UnitType, a_unit
from skirmish.tabletop.refusal import Refusal

RULE = "Loading or Unloading"
RAFT_SEATS = 4
"""("Landing Craft, Assault Rafts & Amphibs")"""


def why_not_aboard(
    carrier: UnitType, units: Sequence[UnitType], rulings: Mapping[str, str]
) -> Refusal | None:
    """Firm where it can carry no such thing; one man too many is advice (P71)."""
    guys = [unit for unit in units if unit.is_guy]
    cannon = [unit for unit in units if "cannon" in unit.tags]
    rafts = [unit for unit in units if unit.id == "assault_raft"]
    others = [unit for unit in units if unit not in (*guys, *cannon, *rafts)]
    if others:
        says = f"{a_unit(carrier.name, 'A')} cannot carry {a_unit(others[0].name)}."
        return Refusal("no_room", says, RULE, firm=True)
    if any("sniper" in unit.tags for unit in guys):
        return Refusal("sniper", "A Sniper Guy is never carried.", "Sniper Guys")
    if cannon and not carrier.tows_cannon:
        return Refusal("no_tow", f"{a_unit(carrier.name, 'A')} takes no cannon.", f"{RULE}, P27")
    if len(cannon) > 1:
        return Refusal("no_tow", f"{a_unit(carrier.name, 'A')} takes one cannon.", RULE)
    if rafts and carrier.id != "truck":
        return Refusal(
            "no_room", f"Only a truck carries a raft, not {a_unit(carrier.name)}.", f"{RULE}, P64"
        )
    most = 1 if rulings["P64"] == "one_raft" else carrier.seats // RAFT_SEATS
    if len(rafts) > most:
        says = f"{a_unit(carrier.name, 'A')} takes {most} raft{'s' * (most > 1)}."
        return Refusal("no_room", says, f"{RULE}, P64")
    seats = carrier.seats - RAFT_SEATS * len(rafts)
    if len(guys) > seats:
        says = f"{a_unit(carrier.name, 'A')} has {max(seats, 0)} seats for {len(guys)} guys."
        return Refusal("no_room", says, RULE)
    return None
