"""What is asked of the odds, and the answer as a page and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

import msgspec

from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.pack import (
    Firer,
    OddsError,
    Pack,
    ShotOdds,
    VolleyOutcome,
    firer,
    one_shot,
)
from skirmish.games.plastic.odds.rounding import hundredths, tenths
from skirmish.games.plastic.odds.volley import pinned, volley
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
        return sum(row.count for row in self.rows if row.group == 0 and _pins(row.shot))


def _pins(shot: Shot) -> bool:
    gun = shot.weapon is not None and shot.weapon.pins
    return gun and shot.target.is_guy and shot.at.phase == 1


class OddsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """``one`` is the first shooter's first shot. ``left_pinned``: the chances that somebody of the
    first group is left, and that the draws then pin him. ``at_most``: the volley is too mixed to
    follow who is spared, so every man shot at was taken to die (P22)."""

    asked: OddsQuestion
    one: ShotOdds
    volley: VolleyOutcome | None
    left_pinned: tuple[Fraction, Fraction] | None
    broken: Fraction | None
    at_most: bool


def answer(asked: OddsQuestion) -> OddsAnswer:
    """Raises OddsError with a sentence."""
    first = asked.rows[0]
    several = len(asked.firers) > 1 or (asked.groups[0].size > 1 and first.aim.repeat is not None)
    pinning = asked.pin_draws > 0 and asked.rulings["P55"] != "per_shot"
    outcome, at_most, left_pinned, broken = None, False, None, None
    if several or pinning or asked.breaks is not None:
        outcome, at_most = _volley(asked, asked.firers)
    if outcome is not None and pinning:
        pack = packs.die() if asked.pack.die else packs.fresh(asked.rulings)
        if_left = pinned(asked.quality, pack, asked.catalog, asked.rulings, asked.pin_draws)
        left = 1 - outcome.at_least(asked.groups[0].size, 0)
        left_pinned = left, if_left if left else Fraction(0)
    if outcome is not None and asked.breaks is not None:
        worth = [asked.catalog.worth(group.unit) for group in asked.groups]
        broken = outcome.worth_at_least(asked.breaks, worth)
    return OddsAnswer(
        asked=asked,
        one=one_shot(first.aim, asked.pack),
        volley=outcome if several or asked.breaks is not None else None,
        left_pinned=left_pinned,
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


# ------------------------------------------------------------------ as a page


def answer_page(found: OddsAnswer) -> Page:
    asked, first = found.asked, found.asked.rows[0]
    texts = []
    if found.at_most:
        texts.append(
            "This volley is too mixed to follow whom the defender spares. Every man shot at is "
            "taken to die, so repeat fire never runs short of new targets (P22): no more than this "
            "is to be expected."
        )
    if found.left_pinned is not None:
        left, if_left = found.left_pinned
        who = f"{asked.quality.name} troops" if asked.quality else "Troops without force quality"
        one = asked.pin_draws == 1
        draws = "1 pin draw then pins" if one else f"{asked.pin_draws} pin draws then pin"
        texts.append(
            f"{who}: {tenths(left * if_left)} chance of being pinned. Somebody survives: "
            f"{tenths(left)}; their {draws} them: {tenths(if_left)}."
        )
    if found.broken is not None:
        texts.append(
            f"The army breaks if it loses {asked.breaks} more strength (a guy is 1, a model "
            f"{asked.catalog.strength.model}): {tenths(found.broken)}."
        )
    blocks = (
        Paragraph(f"{before(first.aim, die=asked.pack.die)} {_drawn_from(asked.pack)}"),
        _bars(_single(found.one, first.aim)),
        *(_of_volley(asked, found.volley) if found.volley else ()),
        *map(Paragraph, texts),
    )
    return Page(_heading(first), blocks)


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
        yield _bars(
            (f"{kills} killed", f"{kills} or more {tenths(outcome.at_least(kills, place))}", chance)
            for kills, chance in outcome.kills(place).items()
        )
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


def _single(one: ShotOdds, aim: Aim) -> Iterator[tuple[str, str, Fraction]]:
    lines = [
        ("Hit", one.hits, True),
        ("Saved by cover", one.by_cover, "cover" in aim.saves),
        ("Saved by hull down", one.by_hull_down, "hull_down" in aim.saves),
        ("The man aimed at dies", one.exact_hits, aim.at_guy),
    ]
    for name, draws, matters in lines:
        if matters:
            yield name, f"{draws}/{one.of}", Fraction(draws, one.of)
    if aim.may_break:
        yield "Lost to breakdown", str(one.broken) if one.broken else f"0/{one.of}", one.broken


# ------------------------------------------------------------------ as data


def answer_data(found: OddsAnswer) -> dict[str, Any]:
    """Chances are exact fractions, ``"1/3"``."""
    one, first = found.one, found.asked.rows[0]
    at, (left, if_left) = first.shot.at, found.left_pinned or (Fraction(0), None)
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
        "pinned": None if if_left is None else str(left * if_left),
        "pinned_if_left": None if if_left is None else str(if_left),
        "breaks_army": None if found.broken is None else str(found.broken),
        "volley": _volley_data(found, found.volley) if found.volley else None,
    }


def _volley_data(found: OddsAnswer, outcome: VolleyOutcome) -> dict[str, Any]:
    """``joint`` is keyed ``"2,1"``, a number for each group."""
    asked, kills = found.asked, outcome.kills()
    return {
        "shooters": len(asked.firers),
        "targets": sum(group.size for group in asked.groups),
        "kills": _by_number(kills),
        "at_least": {str(n): str(outcome.at_least(n)) for n in kills},
        "expected": str(outcome.expected()),
        "at_most": found.at_most,
        "groups": [
            {
                "target": group.unit.id,
                "size": group.size,
                "kills": _by_number(outcome.kills(place)),
                "expected": str(outcome.expected(place)),
            }
            for place, group in enumerate(asked.groups)
        ],
        "joint": {",".join(map(str, key)): str(p) for key, p in outcome.chances.items()},
        "lost": _by_number(outcome.losses()) if outcome.with_losses is not None else None,
    }


def _by_number(chances: Mapping[int, Fraction]) -> dict[str, str]:
    return {str(n): str(chance) for n, chance in chances.items()}
