"""Checks other than shots: pinned, end of movement, digging in; and the capacity of carriers. The
rolls of a die that stand for black cards differ by check: 7-12 pins, 1-6 digs in.

P29 and the like are rulings on gaps in the rules; titles in quotation marks are those of sections
of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skirmish.games.plastic.rules.catalog import DIE, Catalog, Nation, Quality, UnitType, a_unit
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.refusal import Refusal


def is_pinned(
    quality: Quality | None, draw: Draw, catalog: Catalog, rulings: Mapping[str, str]
) -> bool:
    """Whether a draw under the op fire of a machinegun pins ("Pinning"). Troops without a force
    quality are pinned like those of the quality that the catalog names."""
    pinned_as = quality or catalog.qualities[catalog.pin.without_quality]
    # The text gives suits in one place ("Pinning") and ranks in another ("Troop Quality, Command
    # and Control"), with the same odds: P29.
    if draw.suit is not None and rulings["P29"] == "suits":
        return draw.suit in pinned_as.pinned_suits
    # A die has ranks only.
    return draw.rank >= pinned_as.pinned_from


def movement_ends(quality: Quality | None, draw: Draw) -> bool:
    """Whether this draw after a move ends the movement of the whole side ("Troop Quality, Command
    and Control"). The elite never draw."""
    if quality is None or quality.movement_ends_from is None:
        return False
    return draw.rank >= quality.movement_ends_from


def worst_quality(qualities: Sequence[Quality]) -> Quality | None:
    """The quality that is pinned most easily: men of several qualities who are together draw by it.
    None if there is none."""
    if not qualities:
        return None
    return min(qualities, key=_steadiness)


def _steadiness(quality: Quality) -> tuple[int, int]:
    """The lowest rank that pins and the lowest that ends movement, to compare qualities by: the
    higher they are, the steadier the men."""
    # No rank ends the movement of the elite: that is steadier than any rank.
    movement_ends_from = quality.movement_ends_from or DIE + 1
    return quality.pinned_from, movement_ends_from


def draws_for_command(quality: Quality | None) -> bool:
    """Whether troops of this quality draw at the end of their movement."""
    return quality is not None and quality.movement_ends_from is not None


def digs_as_engineers(engineer: bool, riflemen_of: Nation | None) -> bool:
    """Whether men dig in as engineers do: if an ``engineer`` is among them, or riflemen of a nation
    whose "Rifle Guys entrench as engineers". ``riflemen_of``: the nation of riflemen among them;
    None without such riflemen, and without nationalities."""
    if engineer:
        return True
    return riflemen_of is not None and len(riflemen_of.digs_as_engineers) > 0


def why_not_entrench(
    figures: int, engineer: bool, riflemen_of: Nation | None, catalog: Catalog
) -> Refusal | None:
    """Why a group of so many ``figures`` may not dig in ("Entrenching"); engineers may do so alone.
    Players may overrule it."""
    needed = catalog.entrench.group_of
    if figures >= needed or digs_as_engineers(engineer, riflemen_of):
        return None
    too_few = f"{figures} men cannot dig in"
    if not figures:
        too_few = "Nobody is on foot to dig in"
    elif figures == 1:
        too_few = "1 man cannot dig in"
    message = f"{too_few}: it takes a group of {needed}, or an engineer."
    return Refusal("too_few", message, "Entrenching")


def is_dug_in(engineer: bool, riflemen_of: Nation | None, draw: Draw, catalog: Catalog) -> bool:
    """Whether a draw digs the men in ("Entrenching"): a spade or 1-3, for engineers any black card
    or 1-6."""
    diggers = catalog.entrench.group
    if digs_as_engineers(engineer, riflemen_of):
        diggers = catalog.entrench.engineers
    return diggers.succeeds(draw)


# ------------------------------------------------------------------ what fits aboard


LOADING = "Loading or Unloading"
RAFT_SEATS = 4
"""Trucks "can carry a raft instead of 4 guys" ("Landing Craft, Assault Rafts & Amphibs")."""


def why_not_aboard(
    carrier: UnitType, units: Sequence[UnitType], rulings: Mapping[str, str]
) -> Refusal | None:
    """Why these ``units``, which are all that would then be aboard, cannot be carried. The refusal
    is firm only for what the rules have no way to carry at all, such as a tank in a truck. For
    guys, cannon and rafts players may overrule it: the text itself puts 33 men into 30 seats
    (scenario 10, P71)."""
    guys, cannon, rafts = [], [], []
    a_carrier = a_unit(carrier.name, "A")
    for unit in units:
        if unit.is_guy:
            guys.append(unit)
        elif "cannon" in unit.tags:
            cannon.append(unit)
        elif unit.id == "assault_raft":
            rafts.append(unit)
        else:
            message = f"{a_carrier} cannot carry {a_unit(unit.name)}."
            return Refusal("no_room", message, LOADING, firm=True)
    # Snipers may never "be loaded", whatever room there is.
    if any("sniper" in unit.tags for unit in guys):
        return Refusal("sniper", "A Sniper Guy is never carried.", "Sniper Guys")
    if cannon and not carrier.tows_cannon:
        return Refusal("no_tow", f"{a_carrier} takes no cannon.", f"{LOADING}, P27")
    # "Carry 10 guys & a cannon": one cannon, which takes none of the seats.
    if len(cannon) > 1:
        return Refusal("no_tow", f"{a_carrier} takes one cannon.", LOADING)
    if rafts:
        refusal = _why_not_rafts(carrier, len(rafts), rulings)
        if refusal:
            return refusal
    # "A raft instead of 4 guys", though a raft carries 6 men on water.
    seats = carrier.seats - RAFT_SEATS * len(rafts)
    if len(guys) > seats:
        message = f"{a_carrier} has {max(seats, 0)} seats for {len(guys)} guys."
        return Refusal("no_room", message, LOADING)
    return None


def _why_not_rafts(carrier: UnitType, rafts: int, rulings: Mapping[str, str]) -> Refusal | None:
    """Why a carrier cannot take so many rafts: only trucks do, one or as many as they have seats
    for (P64)."""
    if carrier.id != "truck":
        message = f"Only a truck carries a raft, not {a_unit(carrier.name)}."
        return Refusal("no_room", message, f"{LOADING}, P64")
    most_rafts = carrier.seats // RAFT_SEATS
    if rulings["P64"] == "one_raft":
        most_rafts = 1
    if rafts <= most_rafts:
        return None
    room = f"{most_rafts} rafts"
    if most_rafts == 1:
        room = "1 raft"
    message = f"{a_unit(carrier.name, 'A')} takes {room}."
    return Refusal("no_room", message, f"{LOADING}, P64")
