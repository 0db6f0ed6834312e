"""What is asked of the odds, and the answer as a page and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

import msgspec

from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.firers import Firer, VolleyOutcome, firer
from skirmish.games.plastic.odds.pack import OddsError, Pack
from skirmish.games.plastic.odds.pinning import Pinned, by_own_cards, pinned
from skirmish.games.plastic.odds.rounding import hundredths, tenths
from skirmish.games.plastic.odds.single import ShotOdds, one_shot
from skirmish.games.plastic.odds.volley import volley
from skirmish.games.plastic.rules.catalog import Catalog, Quality, UnitType
from skirmish.games.plastic.rules.shot import Aim, Shot, before
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.page import Bar, Bars, Block, Heading, Note, Page, Paragraph

MOST_JOINT = 30
"""Lines of a joint distribution that are written out, the likeliest."""


class TargetGroup(msgspec.Struct, frozen=True):
    unit: UnitType
    size: int


class VolleyRow(msgspec.Struct, frozen=True):
    """``count`` who fire the same shot one after the other; ``group`` is a place."""

    count: int
    shot: Shot
    aim: Aim
    group: int


class OddsQuestion(msgspec.Struct, frozen=True, kw_only=True):
    rows: tuple[VolleyRow, ...]
    groups: tuple[TargetGroup, ...]
    pack: Pack
    rulings: Mapping[str, str]
    quality: Quality | None
    breaks: int | None
    catalog: Catalog

    @property
    def is_volley(self) -> bool:
        first = self.rows[0]
        several = len(self.rows) > 1 or first.count > 1
        return several or bool(self.groups[0].size > 1 and first.aim.repeat)

    @property
    def firers(self) -> list[Firer]:
        die = self.pack.die
        return [
            one
            for row in self.rows
            for one in [firer(row.aim, die=die, group=row.group)] * row.count
        ]

    @property
    def pin_draws(self) -> int:
        """One for each machinegun whose op fire is at the first group."""
        return sum(row.count for row in self.rows if row.group == 0 and pins(row.shot))


def pins(shot: Shot) -> bool:
    gun = shot.weapon is not None and shot.weapon.pins
    return gun and shot.target.is_guy and shot.at.phase == 1


class OddsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """``one`` is the first shooter's first shot. ``at_most``: the volley is too mixed to follow who
    is spared, so every man shot at was taken to die (P22)."""

    asked: OddsQuestion
    one: ShotOdds
    volley: VolleyOutcome | None
    pinned: Pinned | None
    broken: Fraction | None
    at_most: bool = False


def answer(asked: OddsQuestion) -> OddsAnswer:
    """Raises OddsError with a sentence."""
    outcome, at_most = None, False
    if asked.is_volley or asked.breaks is not None:
        outcome, at_most = _volley(asked, asked.firers)
    broken = None
    if outcome is not None and asked.breaks is not None:
        worth = [asked.catalog.worth(group.unit) for group in asked.groups]
        broken = outcome.worth_at_least(asked.breaks, worth)
    owed = asked.pin_draws and asked.rulings["P55"] != "per_shot"
    return OddsAnswer(
        asked=asked,
        one=one_shot(asked.rows[0].aim, asked.pack),
        volley=outcome,
        pinned=_pinned(asked, outcome) if owed else None,
        broken=broken,
        at_most=at_most,
    )


def _volley(asked: OddsQuestion, firers: list[Firer]) -> tuple[VolleyOutcome, bool]:
    """With the shooters lost, unless that takes too long; with nobody spared, where that does as
    well (True)."""
    sizes = [group.size for group in asked.groups]
    for losses in (True, False):
        with suppress(OddsError):
            return volley(firers, sizes, asked.pack, losses=losses), False
    if any(one.spared for one in firers):
        return _volley(asked, [msgspec.structs.replace(one, spared=0) for one in firers])[0], True
    return volley(firers, sizes, asked.pack), False


def _pinned(asked: OddsQuestion, outcome: VolleyOutcome | None) -> Pinned:
    pack = packs.die() if asked.pack.die else packs.fresh(asked.rulings)
    if_left = pinned(asked.quality, pack, asked.catalog, asked.rulings, asked.pin_draws)
    outcome = outcome or _volley(asked, asked.firers)[0]
    return by_own_cards(outcome, 0, asked.groups[0].size, if_left)


# ------------------------------------------------------------------ as a page


def answer_page(found: OddsAnswer) -> Page:
    asked, first = found.asked, found.asked.rows[0]
    blocks: list[Block] = [
        Paragraph(f"{before(first.aim, die=asked.pack.die)} {_drawn_from(asked.pack)}"),
        _bars(_single(found, first)),
    ]
    if found.volley is not None:
        blocks += _of_volley(asked, found.volley)
    if found.at_most:
        text = (
            "This volley is too mixed to follow whom the defender spares. Every man shot at is "
            "taken to die, so repeat fire never runs short of new targets (P22): no more than this "
            "is to be expected."
        )
        blocks.append(Paragraph(text))
    if found.pinned is not None:
        who = f"{asked.quality.name} troops" if asked.quality else "Troops without force quality"
        one = asked.pin_draws == 1
        draws = "1 pin draw then pins" if one else f"{asked.pin_draws} pin draws then pin"
        text = (
            f"{who}: {tenths(found.pinned.both)} chance of being pinned. Somebody survives: "
            f"{tenths(found.pinned.left)}; their {draws} them: {tenths(found.pinned.if_left)}."
        )
        blocks.append(Paragraph(text))
    if found.broken is not None:
        text = (
            f"The army breaks if it loses {asked.breaks} more strength (a guy is 1, a model "
            f"{asked.catalog.strength.model}): {tenths(found.broken)}."
        )
        blocks.append(Paragraph(text))
    return Page(_heading(first), tuple(blocks))


def _of_volley(asked: OddsQuestion, outcome: VolleyOutcome) -> Iterator[Block]:
    rows, groups = asked.rows, asked.groups
    killed = f"{hundredths(outcome.expected())} killed on average."
    if len(rows) == 1 and len(groups) == 1:
        who = rows[0].shot.shooter.named(rows[0].count)
        yield Paragraph(f"{who}, {groups[0].size} in reach: {killed}")
    else:
        fired = ", ".join(
            f"{row.shot.shooter.named(row.count)} at {_named(groups[row.group])}" for row in rows
        )
        yield Paragraph(f"In this order: {fired}.")
        yield Paragraph(killed)
    for place, group in enumerate(groups):
        if len(groups) > 1:
            average = hundredths(outcome.expected(place))
            yield Heading(f"{_named(group)}, {average} killed on average:", 3)
        yield _bars(_kills(outcome, place))
    if len(groups) > 1:
        yield Heading("All groups together, most likely first:", 3)
        ordered = sorted(outcome.chances.items(), key=lambda pair: (-pair[1], pair[0]))
        names = [group.unit.short for group in groups]
        yield _bars(
            (", ".join(f"{n} {name}" for n, name in zip(key, names, strict=True)), "", chance)
            for key, chance in ordered[:MOST_JOINT]
        )
        if len(ordered) > MOST_JOINT:
            yield Note(f"{len(ordered) - MOST_JOINT} less likely results; --json lists all.")
    if outcome.with_losses is not None and any(row.aim.may_break for row in rows):
        lost = 1 - outcome.losses().get(0, Fraction(0))
        yield Paragraph(f"A breakdown costs a shooter or his weapon: {tenths(lost)}.")


def _named(group: TargetGroup) -> str:
    return group.unit.named(group.size)


def _bars(lines: Iterable[tuple[str, str, Fraction]]) -> Bars:
    bars = [
        Bar(name, float(chance), f"{tenths(chance):>6}  {exact}".rstrip())
        for name, exact, chance in lines
    ]
    return Bars(tuple(bars), full=1.0)


def _heading(row: VolleyRow) -> str:
    at, shot = row.shot.at, row.shot
    where = ["in contact" if at.touching else inches(at.distance)]
    where += ["in cover"] * at.cover + ["hull down"] * at.hull_down + ["from behind"] * at.rear
    return f"{shot.shooter.name} at {shot.target.name}, {', '.join(where)}, phase {at.phase}"


def _drawn_from(pack: Pack) -> str:
    if pack.die:
        return "With the d12."
    if not pack.left:
        return "All cards have been drawn: the deck is shuffled first."
    if pack.left == packs.ALL_CARDS:
        return "From a fresh deck."
    return "1 card is left." if pack.count == 1 else f"{pack.count} cards are left."


def _single(found: OddsAnswer, first: VolleyRow) -> Iterator[tuple[str, str, Fraction]]:
    one = found.one
    yield "Hit", f"{one.hits}/{one.of}", one.hit
    if "cover" in first.aim.saves:
        yield "Saved by cover", f"{one.by_cover}/{one.of}", one.saved_by_cover
    if "hull_down" in first.aim.saves:
        saved = Fraction(one.by_hull_down, one.of)
        yield "Saved by hull down", f"{one.by_hull_down}/{one.of}", saved
    if first.aim.at_guy:
        yield "The man aimed at dies", f"{one.exact_hits}/{one.of}", one.exact
    if first.aim.may_break:
        exact = str(one.broken) if one.broken else f"0/{one.of}"
        yield "Lost to breakdown", exact, one.broken


def _kills(outcome: VolleyOutcome, group: int) -> Iterator[tuple[str, str, Fraction]]:
    for kills, chance in outcome.kills(group).items():
        at_least = tenths(outcome.at_least(kills, group))
        yield f"{kills} killed", f"{kills} or more {at_least}", chance


# ------------------------------------------------------------------ as data


def answer_data(found: OddsAnswer) -> dict[str, Any]:
    """Chances are exact fractions, ``"1/3"``."""
    one, first = found.one, found.asked.rows[0]
    at = first.shot.at
    return {
        "shooter": first.shot.shooter.id,
        "weapon": first.shot.weapon.id if first.shot.weapon else None,
        "target": first.shot.target.id,
        "distance": at.distance,
        "phase": at.phase,
        "needs": first.aim.needs,
        "explain": before(first.aim, die=found.asked.pack.die).replace(NO_BREAK, " "),
        "from": "die" if found.asked.pack.die else "cards",
        "draws": one.of,
        "hit": str(one.hit),
        "saved_by_cover": str(one.saved_by_cover),
        "saved_by_hull_down": str(Fraction(one.by_hull_down, one.of)),
        "exact_figure": str(one.exact),
        "breakdown_drawn": str(Fraction(one.tests, one.of)),
        "broken": str(one.broken),
        "pinned": None if found.pinned is None else str(found.pinned.both),
        "pinned_if_left": None if found.pinned is None else str(found.pinned.if_left),
        "breaks_army": None if found.broken is None else str(found.broken),
        "volley": None if found.volley is None else _volley_data(found, found.volley),
    }


def _volley_data(found: OddsAnswer, outcome: VolleyOutcome) -> dict[str, Any]:
    """``joint`` is keyed ``"2,1"``, a number for each group."""
    asked, kills = found.asked, outcome.kills()
    data: dict[str, Any] = {
        "shooters": sum(row.count for row in asked.rows),
        "targets": sum(group.size for group in asked.groups),
        "kills": {str(n): str(chance) for n, chance in kills.items()},
        "at_least": {str(n): str(outcome.at_least(n)) for n in kills},
        "expected": str(outcome.expected()),
        "at_most": found.at_most,
        "groups": [
            {
                "target": group.unit.id,
                "size": group.size,
                "kills": {str(n): str(p) for n, p in outcome.kills(place).items()},
                "expected": str(outcome.expected(place)),
            }
            for place, group in enumerate(asked.groups)
        ],
        "joint": {",".join(map(str, key)): str(p) for key, p in outcome.chances.items()},
        "lost": None,
    }
    if outcome.with_losses is not None:
        data["lost"] = {str(n): str(chance) for n, chance in outcome.losses().items()}
    return data
