"""Questions to the odds, and the answer as a page and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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
from skirmish.games.plastic.rules.shot import Aim, Shot, aim, at_next, before
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.page import Bar, Bars, Block, Heading, Note, Page, Paragraph

MOST_JOINT = 30
"""The most lines of a joint distribution, the likeliest ones."""


class TargetGroup(msgspec.Struct, frozen=True):
    unit: UnitType
    size: int

    @property
    def named(self) -> str:
        return self.unit.named(self.size)


class VolleyRow(msgspec.Struct, frozen=True):
    """``count`` units fire the same shot one after the other; ``group`` is an index."""

    count: int
    shot: Shot
    aim: Aim
    group: int


class OddsQuestion(msgspec.Struct, frozen=True):
    rows: tuple[VolleyRow, ...]
    groups: tuple[TargetGroup, ...]
    pack: Pack
    rulings: Mapping[str, str]
    quality: Quality | None
    breaks: int | None
    catalog: Catalog

    @property
    def firers(self) -> list[Firer]:
        firers: list[Firer] = []
        for row in self.rows:
            at = at_next(row.shot.at, self.catalog.fire)
            shot = msgspec.structs.replace(row.shot, at=at)
            later = aim(shot, self.catalog, self.rulings)
            shooter = firer(row.aim, later, die=self.pack.die, group=row.group)
            firers += [shooter] * row.count
        return firers

    @property
    def is_volley(self) -> bool:
        """Whether more than one can die, or whether the deaths may break the army."""
        repeats = self.groups[0].size > 1 and self.rows[0].aim.repeat is not None
        return len(self.firers) > 1 or repeats or self.breaks is not None

    @property
    def op_fire(self) -> int:
        """The machineguns that fire at the first group while it moves."""
        return sum(
            row.count
            for row in self.rows
            if row.group == 0
            and row.shot.weapon is not None
            and row.shot.weapon.pins
            and row.shot.target.is_guy
            and row.shot.at.phase == 1
        )

    @property
    def pin_draws(self) -> int:
        """One draw for each machinegun or, with P55 per_shot, an unknown number."""
        return 0 if self.rulings["P55"] == "per_shot" else self.op_fire


def _outcome(asked: OddsQuestion) -> tuple[VolleyOutcome | None, bool]:
    """The odds of a volley, or of what may pin or break an army; with losses of shooters unless
    that takes too long. True: nobody counts as spared, because the volley is too mixed; every man
    shot at is taken to die (P22). Raises OddsError with a sentence."""
    if not asked.is_volley and not asked.pin_draws:
        return None, False
    firers, sizes = asked.firers, [group.size for group in asked.groups]
    unspared = [msgspec.structs.replace(one, spared=0) for one in firers]
    for some in (firers, unspared) if unspared != firers else (firers,):
        for losses in (True, False):
            try:
                return volley(some, sizes, asked.pack, losses), some is unspared
            except OddsError as error:
                refusal = error
    raise refusal


def _left_pinned(asked: OddsQuestion, outcome: VolleyOutcome) -> tuple[Fraction, Fraction]:
    """The chances that somebody of the first group is left, and is then pinned."""
    pack = packs.die() if asked.pack.die else packs.fresh(asked.rulings)
    if not (left := 1 - outcome.at_least(asked.groups[0].size, 0)):
        return left, left
    return left, pinned(asked.quality, pack, asked.catalog, asked.rulings, asked.pin_draws)


def _broken(asked: OddsQuestion, outcome: VolleyOutcome) -> Fraction:
    worth = [asked.catalog.worth(group.unit) for group in asked.groups]
    return outcome.worth_at_least(asked.breaks or 0, worth)


# ------------------------------------------------------------------ as a page


def answer_page(asked: OddsQuestion) -> Page:
    """Raises OddsError with a sentence."""
    first, (outcome, at_most) = asked.rows[0], _outcome(asked)
    blocks: list[Block] = [
        Paragraph(f"{before(first.aim, die=asked.pack.die)} {_drawn_from(asked.pack)}"),
        _bars(_single(one_shot(first.aim, asked.pack), first.aim)),
    ]
    if outcome is not None and asked.is_volley:
        blocks += _of_volley(asked, outcome)
    if at_most:
        text = (
            "This volley is too mixed to follow whom the defender spares. Every man shot at is "
            "taken to die, so repeat fire never runs short of new targets (P22): no more than this "
            "is to be expected."
        )
        blocks.append(Paragraph(text))
    if outcome is not None and asked.pin_draws:
        left, if_left = _left_pinned(asked, outcome)
        who = f"{asked.quality.name} troops" if asked.quality else "Troops without force quality"
        one = asked.pin_draws == 1
        draws = "1 pin draw then pins" if one else f"{asked.pin_draws} pin draws then pin"
        text = (
            f"{who}: {tenths(left * if_left)} chance of being pinned. Somebody survives: "
            f"{tenths(left)}; their {draws} them: {tenths(if_left)}."
        )
        blocks.append(Paragraph(text))
    if outcome is not None and asked.breaks is not None:
        text = (
            f"The army breaks if it loses {asked.breaks} more strength (a guy is 1, a model "
            f"{asked.catalog.strength.model}): {tenths(_broken(asked, outcome))}."
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
            f"{row.shot.shooter.named(row.count)} at {groups[row.group].named}" for row in rows
        )
        yield Paragraph(f"In this order: {fired}.")
        yield Paragraph(killed)
    for place, group in enumerate(groups):
        if len(groups) > 1:
            average = hundredths(outcome.expected(place))
            yield Heading(f"{group.named}, {average} killed on average:", 3)
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
    if outcome.lost and any(row.aim.may_break for row in rows):
        lost = tenths(1 - outcome.lost.get(0, Fraction(0)))
        yield Paragraph(f"A breakdown costs a shooter or his weapon: {lost}.")


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


def _single(one: ShotOdds, aimed: Aim) -> Iterator[tuple[str, str, Fraction]]:
    lines = [
        ("Hit", one.hits, True),
        ("Saved by cover", one.by_cover, "cover" in aimed.saves),
        ("Saved by hull down", one.by_hull_down, "hull_down" in aimed.saves),
        ("The man aimed at dies", one.exact_hits, aimed.at_guy),
    ]
    for name, draws, matters in lines:
        if matters:
            yield name, f"{draws}/{one.of}", Fraction(draws, one.of)
    if aimed.may_break:
        yield "Lost to breakdown", str(one.broken) if one.broken else f"0/{one.of}", one.broken


# ------------------------------------------------------------------ as data


def answer_data(asked: OddsQuestion) -> dict[str, Any]:
    """Chances are exact fractions, ``"1/3"``; ``joint`` is keyed ``"2,1"``, a number for each
    group. Raises OddsError with a sentence."""
    first, (outcome, at_most) = asked.rows[0], _outcome(asked)
    at, one = first.shot.at, one_shot(first.aim, asked.pack)
    data: dict[str, Any] = {
        "shooter": first.shot.shooter.id,
        "weapon": first.shot.weapon.id if first.shot.weapon else None,
        "target": first.shot.target.id,
        "distance": at.distance,
        "phase": at.phase,
        "needs": first.aim.needs,
        "explain": before(first.aim, die=asked.pack.die).replace(NO_BREAK, " "),
        "from": "die" if asked.pack.die else "cards",
        "draws": one.of,
        "hit": str(one.hit),
        "saved_by_cover": str(one.saved_by_cover),
        "saved_by_hull_down": str(Fraction(one.by_hull_down, one.of)),
        "exact_figure": str(one.exact),
        "breakdown_drawn": str(Fraction(one.tests, one.of)),
        "broken": str(one.broken),
        **dict.fromkeys(("pinned", "pinned_if_left", "breaks_army", "volley")),
    }
    if outcome is None:
        return data
    if asked.pin_draws:
        left, if_left = _left_pinned(asked, outcome)
        data |= {"pinned": str(left * if_left), "pinned_if_left": str(if_left)}
    if asked.breaks is not None:
        data["breaks_army"] = str(_broken(asked, outcome))
    if asked.is_volley:
        kills = outcome.kills()
        data["volley"] = {
            "shooters": len(asked.firers),
            "targets": sum(group.size for group in asked.groups),
            "kills": _by_number(kills),
            "at_least": {str(n): str(outcome.at_least(n)) for n in kills},
            "expected": str(outcome.expected()),
            "at_most": at_most,
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
            "lost": _by_number(outcome.lost) or None,
        }
    return data


def _by_number(chances: Mapping[int, Fraction]) -> dict[str, str]:
    return {str(n): str(chance) for n, chance in chances.items()}
