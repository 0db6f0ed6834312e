"""What ``skirmish odds`` answers, as lines with bars or as data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

import msgspec

from skirmish import library
from skirmish.cli.odds_question import Asked, Question, Row, question
from skirmish.cli.speaking import columns, number, say, say_wrapped
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.firers import Firer, Outcome
from skirmish.games.plastic.odds.pack import OddsError
from skirmish.games.plastic.odds.pinning import Pinned, by_own_cards, pinned
from skirmish.games.plastic.odds.rounding import hundredths, tenths
from skirmish.games.plastic.odds.single import ShotOdds, one_shot
from skirmish.games.plastic.odds.volley import volley
from skirmish.games.plastic.rules.explain import before
from skirmish.tabletop.measure import NO_BREAK, inches

BAR = 30
"""Signs that stand for 100%."""
MOST_JOINT = 30
"""Lines of a joint distribution that are written out; further ones are the least likely."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """The answer. ``one`` is the first shooter's first shot; ``volley`` that of one shooter, too,
    if he may fire again; ``pinned`` and ``broken`` where they were asked. ``at_most``: the volley
    is too mixed to follow who is spared, so every man shot at was taken to die (P22)."""

    asked: Question
    one: ShotOdds
    volley: Outcome | None
    pinned: Pinned | None
    broken: Fraction | None
    at_most: bool = False


def tell(asked: Asked) -> Told:
    """The odds that were asked for. Raises Complaint or OddsError, each with a sentence."""
    found = question(asked)
    outcome, at_most = None, False
    if found.is_volley or found.breaks is not None:
        outcome, at_most = _volley(found, found.firers)
    return Told(
        asked=found,
        one=one_shot(found.rows[0].aim, found.pack),
        volley=outcome,
        pinned=_pinned(found, outcome)
        if found.pin_draws and found.rulings["P55"] != "per_shot"
        else None,
        broken=_broken(found, outcome),
        at_most=at_most,
    )


def _volley(asked: Question, firers: list[Firer]) -> tuple[Outcome, bool]:
    """With the shooters lost, unless that would take too long; with nobody spared, where that
    would take too long as well (True)."""
    sizes = [group.size for group in asked.groups]
    for losses in (True, False):
        with suppress(OddsError):
            return volley(firers, sizes, asked.pack, losses=losses), False
    if any(one.spared for one in firers):
        return _volley(asked, [msgspec.structs.replace(one, spared=0) for one in firers])[0], True
    return volley(firers, sizes, asked.pack), False


def _pinned(asked: Question, outcome: Outcome | None) -> Pinned:
    """Whether the first group is, by draws of its own side's fresh deck, or die."""
    pack = packs.die() if asked.pack.die else packs.fresh(asked.rulings)
    if_left = pinned(asked.quality, pack, library.catalog(), asked.rulings, asked.pin_draws)
    outcome = outcome or _volley(asked, asked.firers)[0]
    return by_own_cards(outcome, 0, asked.groups[0].size, if_left)


def _broken(asked: Question, outcome: Outcome | None) -> Fraction | None:
    """The chance that the kills come to what breaks the army, in potential dead guys."""
    if outcome is None or asked.breaks is None:
        return None
    catalog = library.catalog()
    return outcome.worth_at_least(
        asked.breaks, [catalog.worth(group.unit) for group in asked.groups]
    )


# ------------------------------------------------------------------ as lines


def show(told: Told) -> None:
    """The answer as lines, with bars."""
    first = told.asked.rows[0]
    say_wrapped(_heading(first))
    say_wrapped(before(first.aim, die=told.asked.pack.die), indent="  ")
    say_wrapped(_drawn_from(told), indent="  ")
    say()
    say("\n".join(_bars([*_single(told, first)])))
    if told.volley is not None:
        _show_volley(told, told.volley)
        if told.at_most:
            say()
            say_wrapped(
                "This volley is too mixed to follow whom the defender spares. Every man shot at "
                "is taken to die, so repeat fire never runs short of new targets (P22): no more "
                "than this is to be expected."
            )
    if told.pinned is not None:
        quality = told.asked.quality
        who = f"{quality.name} troops" if quality else "Troops without force quality"
        draws = number(told.asked.pin_draws, "pin draw")
        say()
        say_wrapped(
            f"{who}: {tenths(told.pinned.both)} chance of being pinned. Somebody survives: "
            f"{tenths(told.pinned.left)}; their {draws} then "
            f"{'pins' if told.asked.pin_draws == 1 else 'pin'} them: {tenths(told.pinned.if_left)}."
        )
    if told.broken is not None:
        say()
        say_wrapped(
            f"The army breaks if it loses {told.asked.breaks} more strength (a guy is 1, a model "
            f"{library.catalog().strength.model}): {tenths(told.broken)}."
        )


def _show_volley(told: Told, outcome: Outcome) -> None:
    asked = told.asked
    say()
    if len(asked.rows) == 1 and len(asked.groups) == 1:
        who = asked.rows[0].shot.shooter.named(asked.rows[0].count)
        reach = f"{asked.groups[0].size} in reach"
        say_wrapped(f"{who}, {reach}: {average(outcome)} killed on average.")
    else:
        rows = [
            f"{row.shot.shooter.named(row.count)} at {_group(asked, row)}" for row in asked.rows
        ]
        say_wrapped(f"In this order: {', '.join(rows)}.")
        say_wrapped(f"{average(outcome)} killed on average.")
    for place, group in enumerate(asked.groups):
        say()
        if len(asked.groups) > 1:
            say(f"{group.unit.named(group.size)}, {average(outcome, place)} killed on average:")
        say("\n".join(_bars([*_kills(outcome, place)])))
    if len(asked.groups) > 1:
        say()
        say("\n".join(_joint(asked, outcome)))
    if outcome.with_losses is not None and any(row.aim.may_break for row in asked.rows):
        lost = 1 - outcome.losses().get(0, Fraction(0))
        say()
        say_wrapped(f"A breakdown costs a shooter or his weapon: {tenths(lost)}.")


def _group(asked: Question, row: Row) -> str:
    group = asked.groups[row.group]
    return group.unit.named(group.size)


def _joint(asked: Question, outcome: Outcome) -> Iterator[str]:
    """Kills of all groups together, the likeliest first."""
    ordered = sorted(outcome.chances.items(), key=lambda pair: (-pair[1], pair[0]))
    names = [group.unit.short for group in asked.groups]
    yield "All groups together, most likely first:"
    lines = [
        (", ".join(f"{n} {name}" for n, name in zip(key, names, strict=True)), "", chance)
        for key, chance in ordered[:MOST_JOINT]
    ]
    yield from _bars(lines)
    if len(ordered) > MOST_JOINT:
        yield f"  {len(ordered) - MOST_JOINT} less likely results; --json lists all."


def _heading(row: Row) -> str:
    at, shot = row.shot.at, row.shot
    where = ["in contact" if at.touching else inches(at.distance)]
    where += ["in cover"] * at.cover + ["hull down"] * at.hull_down + ["from behind"] * at.rear
    return f"{shot.shooter.name} at {shot.target.name}, {', '.join(where)}, phase {at.phase}"


def _drawn_from(told: Told) -> str:
    pack = told.asked.pack
    if pack.die:
        return "With the d12."
    if not pack.left:
        return "All cards have been drawn: the deck is shuffled first."
    if pack.left == packs.ALL_CARDS:
        return "From a fresh deck."
    left = number(pack.count, "card")
    return f"{left} {'is' if pack.count == 1 else 'are'} left."


def _single(told: Told, first: Row) -> Iterator[tuple[str, str, Fraction]]:
    one = told.one
    yield "Hit", f"{one.hits}/{one.of}", one.hit
    if "cover" in first.aim.saves:
        yield "Saved by cover", f"{one.by_cover}/{one.of}", one.saved_by_cover
    if "hull_down" in first.aim.saves:
        yield "Saved by hull down", f"{one.by_hull_down}/{one.of}", one.saved_by_hull_down
    if first.aim.at_guy:
        yield "The man aimed at dies", f"{one.exact_hits}/{one.of}", one.exact
    if first.aim.may_break:
        exact = str(one.broken) if one.broken else f"0/{one.of}"
        yield "Lost to breakdown", exact, one.broken


def _kills(outcome: Outcome, group: int) -> Iterator[tuple[str, str, Fraction]]:
    for kills, chance in outcome.kills(group).items():
        at_least = tenths(outcome.at_least(kills, group))
        yield f"{kills} killed", f"{kills} or more {at_least}", chance


def _bars(lines: list[tuple[str, str, Fraction]]) -> Iterator[str]:
    rows = [
        (f"  {name}", tenths(chance), exact, "#" * max(round(BAR * chance), bool(chance)))
        for name, exact, chance in lines
    ]
    return columns(rows, right=(1, 2))


def average(outcome: Outcome, group: int | None = None) -> str:
    """The expected kills with two decimals."""
    return hundredths(outcome.expected(group))


# ------------------------------------------------------------------ as data


def as_data(told: Told) -> dict[str, Any]:
    """The answer for other programs: chances as exact fractions, ``"1/3"``."""
    one, first = told.one, told.asked.rows[0]
    at = first.shot.at
    return {
        "shooter": first.shot.shooter.id,
        "weapon": first.shot.weapon.id if first.shot.weapon else None,
        "target": first.shot.target.id,
        "distance": at.distance,
        "phase": at.phase,
        "needs": first.aim.needs,
        "explain": before(first.aim, die=told.asked.pack.die).replace(NO_BREAK, " "),
        "from": "die" if told.asked.pack.die else "cards",
        "draws": one.of,
        "hit": str(one.hit),
        "saved_by_cover": str(one.saved_by_cover),
        "saved_by_hull_down": str(one.saved_by_hull_down),
        "exact_figure": str(one.exact),
        "breakdown_drawn": str(one.tested),
        "broken": str(one.broken),
        "pinned": None if told.pinned is None else str(told.pinned.both),
        "pinned_if_left": None if told.pinned is None else str(told.pinned.if_left),
        "breaks_army": None if told.broken is None else str(told.broken),
        "volley": None if told.volley is None else _volley_data(told, told.volley),
    }


def _volley_data(told: Told, outcome: Outcome) -> dict[str, Any]:
    """``kills`` are those of all groups; ``joint`` is keyed ``"2,1"``, a number for each group."""
    asked, kills = told.asked, outcome.kills()
    found: dict[str, Any] = {
        "shooters": sum(row.count for row in asked.rows),
        "targets": sum(group.size for group in asked.groups),
        "kills": {str(n): str(chance) for n, chance in kills.items()},
        "at_least": {str(n): str(outcome.at_least(n)) for n in kills},
        "expected": str(outcome.expected()),
        "at_most": told.at_most,
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
        found["lost"] = {str(n): str(chance) for n, chance in outcome.losses().items()}
    return found
