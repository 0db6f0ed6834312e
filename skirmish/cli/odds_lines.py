"""What ``skirmish odds`` answers: the question as a shot, its odds, these as lines or data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import msgspec

from skirmish import library
from skirmish.cli.speaking import Complaint, clipped, columns, number, say, say_wrapped
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.firers import MOST_FIRERS, NO_LIMIT, Firer, Outcome, firer
from skirmish.games.plastic.odds.pack import OddsError, Pack
from skirmish.games.plastic.odds.single import ShotOdds, one_shot
from skirmish.games.plastic.odds.volley import volley
from skirmish.games.plastic.rules.catalog import UnitType, Weapon
from skirmish.games.plastic.rules.explain import before
from skirmish.games.plastic.rules.shot import (
    CLOSE_PHASES,
    Aim,
    Circumstances,
    Shot,
    aim,
    weapon_named,
    why_not,
)
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.reading import suggest
from skirmish.tabletop.refusal import Refusal

BAR = 30
"""Signs that stand for 100 %."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """The words of the command line."""

    shooter: str
    target: str
    weapon: str | None
    distance: float | None
    phase: int | None
    cover: bool
    hull_down: bool
    rear: bool
    count: int
    targets: int
    deck: str | None
    die: bool


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """The answer. ``volley`` is that of one shooter, too, if he may fire again."""

    asked: Asked
    shot: Shot
    aim: Aim
    pack: Pack
    one: ShotOdds
    volley: Outcome | None


def tell(asked: Asked) -> Told:
    """The odds that were asked for. Raises Complaint or OddsError, each with a sentence."""
    rulings = library.rulings().defaults()
    pack = _pack(asked, rulings)
    _check_number(asked.count, MOST_FIRERS, "fire")
    _check_number(asked.targets, NO_LIMIT, "are in reach")
    shot = _shot(asked, rulings)
    aimed = aim(shot, library.catalog(), rulings)
    outcome = None
    if asked.count > 1 or (asked.targets > 1 and aimed.repeat):
        outcome = _volley([firer(aimed, die=pack.die)] * asked.count, asked.targets, pack)
    return Told(
        asked=asked,
        shot=shot,
        aim=aimed,
        pack=pack,
        one=one_shot(aimed, pack),
        volley=outcome,
    )


def _volley(firers: list[Firer], targets: int, pack: Pack) -> Outcome:
    """With the shooters lost, unless that would take too long."""
    try:
        return volley(firers, [targets], pack, losses=True)
    except OddsError:
        return volley(firers, [targets], pack)


# ------------------------------------------------------------------ the question


def _pack(asked: Asked, rulings: Mapping[str, str]) -> Pack:
    if asked.die and asked.deck is not None:
        raise Complaint("A die has no cards that are gone: give --deck or --die, not both.")
    if asked.die:
        return packs.die()
    return packs.parse(asked.deck or "", rulings)


def _check_number(given: int, most: int, what: str) -> None:
    if not 1 <= given <= most:
        raise Complaint(f"1 to {most} {what}, not {given}.")


def _unit(word: str) -> UnitType:
    units = library.catalog().units
    wanted = word.strip().lower().replace(" ", "_").replace("-", "_")
    for unit in units.values():
        names = (unit.id, unit.name, unit.short)
        if wanted in (name.lower().replace(" ", "_").replace("-", "_") for name in names):
            return unit
    raise Complaint(f"There is no unit “{clipped(word, 40)}”; {suggest(wanted, units)}")


def _at(asked: Asked) -> Circumstances:
    """Without a distance it is more than that at which the man aimed at dies; in phases 3 and 4,
    contact."""
    phase = asked.phase or (3 if asked.distance == 0 else 2)
    if phase not in (1, 2, 3, 4):
        raise Complaint(f"A turn has phases 1 to 4, not {phase}.")
    distance = asked.distance
    if distance is None:
        near = library.catalog().fire.exact_within
        distance = 0.0 if phase in CLOSE_PHASES else float(near + 1)
    if not math.isfinite(distance) or distance < 0:
        raise Complaint(f"A distance is 0 inches or more, not {distance:g}.")
    return Circumstances(
        distance=distance,
        touching=distance == 0,
        phase=phase,
        cover=asked.cover,
        hull_down=asked.hull_down,
        rear=asked.rear,
    )


def _shot(asked: Asked, rulings: Mapping[str, str]) -> Shot:
    """The shot, with the weapon that needs least if none was named; raises Complaint with the
    rule that forbids it."""
    catalog = library.catalog()
    unit, target, at = _unit(asked.shooter), _unit(asked.target), _at(asked)
    weapons: list[Weapon | None] = [*catalog.weapons_of(unit, rulings)] or [None]
    if asked.weapon is not None:
        named = weapon_named(unit, asked.weapon, catalog, rulings)
        if named is None:
            armed = {weapon.id for weapon in weapons if weapon}
            hint = suggest(asked.weapon, armed) if armed else "it has none."
            raise Complaint(f"The {unit.name} has no “{clipped(asked.weapon, 40)}”; {hint}")
        weapons = [named]
    shots = [Shot(shooter=unit, weapon=weapon, target=target, at=at) for weapon in weapons]
    refusals: list[Refusal] = []
    best: tuple[int, Shot] | None = None
    for shot in shots:
        refusal = why_not(shot, catalog, rulings)
        if refusal:
            refusals.append(refusal)
            continue
        needs = aim(shot, catalog, rulings).needs
        if best is None or needs > best[0]:
            best = (needs, shot)
    if best is None:
        raise Complaint(refusals[0].says.replace(NO_BREAK, " "))
    return best[1]


# ------------------------------------------------------------------ the answer


def show(told: Told) -> None:
    """The answer as lines, with bars."""
    say_wrapped(_heading(told))
    say_wrapped(before(told.aim), indent="  ")
    say_wrapped(_drawn_from(told), indent="  ")
    say()
    say("\n".join(_bars([*_single(told)])))
    if told.volley is None:
        return
    outcome, asked = told.volley, told.asked
    say()
    who = told.shot.shooter.named(asked.count)
    say_wrapped(f"{who}, {asked.targets} in reach: {average(outcome)} killed on the average.")
    say()
    say("\n".join(_bars([*_kills(outcome)])))
    if told.aim.may_break and outcome.with_losses is not None:
        lost = 1 - outcome.losses().get(0, Fraction(0))
        say()
        say_wrapped(f"A breakdown costs a shooter or his weapon: {percent(lost)}.")


def as_data(told: Told) -> dict[str, Any]:
    """The answer for other programs: chances as exact fractions, ``"1/3"``."""
    one, at = told.one, told.shot.at
    found: dict[str, Any] = {
        "shooter": told.shot.shooter.id,
        "weapon": told.shot.weapon.id if told.shot.weapon else None,
        "target": told.shot.target.id,
        "distance": at.distance,
        "phase": at.phase,
        "needs": told.aim.needs,
        "explain": before(told.aim).replace(NO_BREAK, " "),
        "from": "die" if told.pack.die else "cards",
        "draws": one.of,
        "hit": str(one.hit),
        "saved_by_cover": str(one.saved_by_cover),
        "saved_by_hull_down": str(one.saved_by_hull_down),
        "exact_figure": str(one.exact),
        "breakdown_drawn": str(one.tested),
        "broken": str(one.broken),
        "volley": None,
    }
    if outcome := told.volley:
        kills = outcome.kills()
        found["volley"] = {
            "shooters": told.asked.count,
            "targets": told.asked.targets,
            "kills": {str(n): str(chance) for n, chance in kills.items()},
            "at_least": {str(n): str(outcome.at_least(n)) for n in kills},
            "expected": str(outcome.expected()),
            "lost": None,
        }
        if outcome.with_losses is not None:
            lost = {str(n): str(chance) for n, chance in outcome.losses().items()}
            found["volley"]["lost"] = lost
    return found


def percent(chance: Fraction) -> str:
    """``33.3 %``; what is possible is never shown as 0, nor what is uncertain as 100."""
    tenths = round(chance * 1000)
    if chance and not tenths:
        return "<0.1 %"
    if tenths == 1000 and chance != 1:
        return ">99.9 %"
    return f"{tenths // 10}.{tenths % 10} %"


def average(outcome: Outcome) -> str:
    """The expected kills with two decimals."""
    hundredths = round(outcome.expected() * 100)
    return f"{hundredths // 100}.{hundredths % 100:02}"


def _heading(told: Told) -> str:
    at, shot = told.shot.at, told.shot
    where = ["in contact" if at.touching else inches(at.distance)]
    where += ["in cover"] * at.cover + ["hull down"] * at.hull_down + ["from behind"] * at.rear
    return f"{shot.shooter.name} at {shot.target.name}, {', '.join(where)}, phase {at.phase}"


def _drawn_from(told: Told) -> str:
    if told.pack.die:
        return "With the d12."
    if not told.pack.left:
        return "All cards are gone: the deck is shuffled first."
    if told.pack.left == packs.ALL_CARDS:
        return "Out of a fresh deck."
    left = number(told.pack.count, "card")
    return f"{left} {'is' if told.pack.count == 1 else 'are'} left."


def _single(told: Told) -> Iterator[tuple[str, str, Fraction]]:
    one = told.one
    yield "Hit", f"{one.hits}/{one.of}", one.hit
    if "cover" in told.aim.saves:
        yield "Saved by cover", f"{one.by_cover}/{one.of}", one.saved_by_cover
    if "hull_down" in told.aim.saves:
        yield "Saved by hull down", f"{one.by_hull_down}/{one.of}", one.saved_by_hull_down
    if told.aim.at_guy:
        yield "The very man dies", f"{one.exact_hits}/{one.of}", one.exact
    if told.aim.may_break:
        yield "Lost to breakdown", str(one.broken), one.broken


def _kills(outcome: Outcome) -> Iterator[tuple[str, str, Fraction]]:
    for kills, chance in outcome.kills().items():
        at_least = percent(outcome.at_least(kills))
        yield f"{kills} killed", f"{kills} or more {at_least}", chance


def _bars(lines: list[tuple[str, str, Fraction]]) -> Iterator[str]:
    rows = [
        (f"  {name}", percent(chance), exact, "#" * max(round(BAR * chance), bool(chance)))
        for name, exact, chance in lines
    ]
    return columns(rows, right=(1, 2))
