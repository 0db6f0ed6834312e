"""The plastic in the box: what an army or a scenario needs, and what of it is not owned. Counts are
by the id of a unit or a work."""

from __future__ import annotations

from collections.abc import Iterable

from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import Catalog, Counts, UnitVariant, listed, together


def figures(army: Army) -> dict[str, int]:
    return in_order({**army.fielded(), **army.listed.works}, army.catalog)


def as_moulded(counts: Counts, variants: Iterable[UnitVariant]) -> dict[str, int]:
    """The counts with each variant of a scenario under the unit that it is like."""
    like = {variant.id: variant.of for variant in variants}
    return together({like.get(piece, piece): count} for piece, count in counts.items())


def missing(needs: Counts, owned: Counts) -> dict[str, int]:
    """Only what there are not enough of."""
    short = {piece: count - owned.get(piece, 0) for piece, count in needs.items()}
    return {piece: count for piece, count in short.items() if count > 0}


def in_order(counts: Counts, catalog: Catalog) -> dict[str, int]:
    """In the order of the catalog, without what it does not know."""
    return {piece: counts[piece] for piece in catalog.pieces if counts.get(piece)}


def named(counts: Counts, catalog: Catalog) -> str:
    """``41 Rifle Guys, 1 Tank and 2 Sandbag Lines``."""
    known = catalog.pieces
    return listed([known[piece].named(n) for piece, n in in_order(counts, catalog).items()])
