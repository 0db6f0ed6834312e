"""Questions to the odds (``skirmish odds``), and the answer as a page and as data.

P22 and the like are rulings on gaps in the rules. The ``place`` of a group is its index among the
groups of the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from skirmish.games.plastic.odds.pack import (
    ALL_CARDS,
    Firer,
    OddsError,
    Pack,
    ShotOdds,
    VolleyOutcome,
    firer_of,
    fresh,
    of_die,
    one_shot,
)
from skirmish.games.plastic.odds.pinning import chance_of_pin
from skirmish.games.plastic.odds.rounding import hundredths, tenths
from skirmish.games.plastic.odds.volley import volley
from skirmish.games.plastic.rules.catalog import Catalog, Quality, UnitType
from skirmish.games.plastic.rules.explanation import aim_words
from skirmish.games.plastic.rules.shot import Aim, Shot, aim, circumstances_of_next_man
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.page import Bar, Bars, Block, Heading, Note, Page, Paragraph

MOST_JOINT = 30
"""The most lines for the kills of all groups together; the likeliest are shown."""


class TargetGroup(msgspec.Struct, frozen=True):
    """So many units of a kind, close together."""

    unit: UnitType
    size: int

    @property
    def name(self) -> str:
        """``3 Rifle Guys``."""
        return self.unit.named(self.size)


class VolleyRow(msgspec.Struct, frozen=True):
    """Units that fire the same shot one after the other."""

    count: int
    """How many units fire it."""
    shot: Shot
    aim: Aim
    group: int
    """The index of the group that they fire at."""


class OddsQuestion(msgspec.Struct, frozen=True):
    """Fire of which the odds are asked."""

    rows: tuple[VolleyRow, ...]
    """Who fires, in this order."""
    groups: tuple[TargetGroup, ...]
    """Whom they fire at."""
    pack: Pack
    """The cards that are left to draw, or the die."""
    rulings: Mapping[str, str]
    """The id of the answer to each ruling, by the id of the ruling."""
    quality: Quality | None
    """The force quality of the army fired at; None where it is not played."""
    breaks: int | None
    """How much more strength that army may lose until it breaks; None: that is not asked."""
    catalog: Catalog

    @property
    def firers(self) -> list[Firer]:
        """Every shooter in the order of fire."""
        firers: list[Firer] = []
        for row in self.rows:
            # A repeat shot may need another number, or be exact no longer.
            circumstances = circumstances_of_next_man(row.shot.circumstances, self.catalog.fire)
            next_shot = msgspec.structs.replace(row.shot, circumstances=circumstances)
            later = aim(next_shot, self.catalog, self.rulings)
            shooter = firer_of(row.aim, later, die=self.pack.die, group=row.group)
            firers += [shooter] * row.count
        return firers

    @property
    def is_volley(self) -> bool:
        """Whether there is more to answer than the first shot: several shooters, repeat fire at
        several targets, or deaths that may break the army."""
        if len(self.firers) > 1 or self.breaks is not None:
            return True
        # The single shooter fires at the first group.
        return self.groups[0].size > 1 and self.rows[0].aim.repeat is not None

    @property
    def op_fire(self) -> int:
        """How many machineguns fire at the men of the first group while these move, in phase 1 (Op
        Fire), which may pin them. The chance of a pin is worked out for the first group only."""
        machineguns = 0
        for row in self.rows:
            if row.group == 0 and _is_pinning_op_fire(row.shot):
                machineguns += row.count
        return machineguns

    @property
    def pin_draws(self) -> int:
        """How many draws may pin: one for each machinegun. With P55 per_shot there is one for each
        shot, and nobody knows how many there will be: then pins are left out, as if there were
        none."""
        if self.rulings["P55"] == "per_shot":
            return 0
        return self.op_fire


def _is_pinning_op_fire(shot: Shot) -> bool:
    """Whether it is fired in phase 1 at men, with a weapon that pins them."""
    if shot.weapon is None or not shot.weapon.pins:
        return False
    return shot.target.is_guy and shot.circumstances.phase == 1


class Foreseen(NamedTuple):
    """What comes of the fire. ``outcome``: None for a single shot that can neither pin nor break an
    army. ``at_most``: the kills are an upper bound. The volley is too mixed to follow whom the
    defender spares, so every man shot at is taken to die (P22)."""

    outcome: VolleyOutcome | None
    at_most: bool = False


class _Attempt(NamedTuple):
    """A way to work a volley out: for these shooters, and with their ``losses`` or without.
    ``at_most`` as in ``Foreseen``."""

    firers: list[Firer]
    losses: bool
    at_most: bool = False

    def foreseen(self, question: OddsQuestion) -> Foreseen:
        """What it comes to. Raises OddsError with a sentence where that takes too long."""
        sizes = [group.size for group in question.groups]
        outcome = volley(self.firers, sizes, question.pack, self.losses)
        return Foreseen(outcome, self.at_most)


def _foreseen(question: OddsQuestion) -> Foreseen:
    """The exact odds, with losses of shooters unless that takes too long; where even that does, an
    upper bound of the kills. Raises OddsError with a sentence where that takes too long as well."""
    if not question.is_volley and not question.pin_draws:
        return Foreseen(None)
    firers = question.firers
    # From the most exact to the quickest; each is given up once it takes too long.
    attempts = [_Attempt(firers, losses=True), _Attempt(firers, losses=False)]
    # The same shooters, as if the defender spared nobody.
    unspared = [msgspec.structs.replace(firer, spared=0) for firer in firers]
    if unspared != firers:
        attempts.append(_Attempt(unspared, losses=True, at_most=True))
        attempts.append(_Attempt(unspared, losses=False, at_most=True))
    *attempts_before, last_attempt = attempts
    for attempt in attempts_before:
        try:
            return attempt.foreseen(question)
        except OddsError:
            continue
    return last_attempt.foreseen(question)


class _PinOdds(NamedTuple):
    """The chances that somebody of the first group is left, and that he is pinned if he is left."""

    left: Fraction
    pinned_if_left: Fraction

    @property
    def left_and_pinned(self) -> Fraction:
        """The chance that somebody is left, and that he is pinned."""
        return self.left * self.pinned_if_left


def _pin_odds(question: OddsQuestion, outcome: VolleyOutcome) -> _PinOdds:
    """The chance that somebody of the first group survives, and that he is pinned then."""
    first_group = question.groups[0]
    left = 1 - outcome.at_least(first_group.size, group=0)
    # Whoever is dead is not pinned.
    if left == 0:
        return _PinOdds(Fraction(0), Fraction(0))
    # The side fired at draws for the pin (P55). Its deck is not in the question: it is taken to be
    # just shuffled.
    pack = fresh(question.rulings)
    if question.pack.die:
        pack = of_die()
    if_left = chance_of_pin(
        question.quality, pack, question.catalog, question.rulings, question.pin_draws
    )
    return _PinOdds(left, if_left)


def _chance_to_break(question: OddsQuestion, outcome: VolleyOutcome, breaks: int) -> Fraction:
    """The chance that the army loses the strength at which it ``breaks``."""
    worth = [question.catalog.strength_of(group.unit) for group in question.groups]
    return outcome.worth_at_least(breaks, worth)


# ------------------------------------------------------------------ as a page


def answer_page(question: OddsQuestion) -> Page:
    """The first shot and, if there is more, the volley, in words and bars. Raises OddsError with a
    sentence."""
    first = question.rows[0]
    outcome, at_most = _foreseen(question)
    explained = f"{aim_words(first.aim, die=question.pack.die)} {_drawn_from(question.pack)}"
    odds = one_shot(first.aim, question.pack)
    blocks: list[Block] = [Paragraph(explained), _bars(_lines_of_one_shot(odds, first.aim))]
    if outcome is not None and question.is_volley:
        blocks += _volley_blocks(question, outcome)
    if at_most:
        text = (
            "This volley is too mixed to follow whom the defender spares. Every man shot at is "
            "taken to die, so repeat fire never runs short of new targets (P22): no more than this "
            "is to be expected."
        )
        blocks.append(Paragraph(text))
    if outcome is not None and question.pin_draws:
        blocks.append(_pinning_paragraph(question, outcome))
    if outcome is not None and question.breaks is not None:
        chance = _chance_to_break(question, outcome, question.breaks)
        text = (
            f"The army breaks if it loses {question.breaks} more strength (a guy is 1, a model "
            f"{question.catalog.strength.model}): {tenths(chance)}."
        )
        blocks.append(Paragraph(text))
    return Page(_heading(first), tuple(blocks))


def _pinning_paragraph(question: OddsQuestion, outcome: VolleyOutcome) -> Paragraph:
    """The chances of a pin in a sentence."""
    odds = _pin_odds(question, outcome)
    troops = "Troops without force quality"
    if question.quality:
        troops = f"{question.quality.name} troops"
    draws = f"{question.pin_draws} pin draws then pin"
    if question.pin_draws == 1:
        draws = "1 pin draw then pins"
    return Paragraph(
        f"{troops}: {tenths(odds.left_and_pinned)} chance of being pinned. Somebody survives: "
        f"{tenths(odds.left)}; their {draws} them: {tenths(odds.pinned_if_left)}."
    )


def _volley_blocks(question: OddsQuestion, outcome: VolleyOutcome) -> Iterator[Block]:
    """Who fires at whom, the kills of each group, of all together, and the losses."""
    rows, groups = question.rows, question.groups
    killed = f"{hundredths(outcome.expected())} killed on average."
    if len(rows) == 1 and len(groups) == 1:
        shooters = rows[0].shot.shooter.named(rows[0].count)
        yield Paragraph(f"{shooters}, {groups[0].size} in reach: {killed}")
    else:
        shots = []
        for row in rows:
            shots.append(f"{row.shot.shooter.named(row.count)} at {groups[row.group].name}")
        yield Paragraph(f"In this order: {', '.join(shots)}.")
        yield Paragraph(killed)
    for place, group in enumerate(groups):
        if len(groups) > 1:
            average = hundredths(outcome.expected(place))
            yield Heading(f"{group.name}, {average} killed on average:", 3)
        yield _bars(_kills_of_group(outcome, place))
    if len(groups) > 1:
        yield from _blocks_of_all_groups(groups, outcome)
    # Nothing is known of losses where the odds had to be worked out without them.
    if outcome.lost and any(row.aim.may_break for row in rows):
        lost = tenths(1 - outcome.lost.get(0, Fraction(0)))
        yield Paragraph(f"A breakdown costs a shooter or his weapon: {lost}.")


def _kills_of_group(outcome: VolleyOutcome, place: int) -> Iterator[BarLine]:
    """A line for each number of kills of the group in that place."""
    for kills, chance in outcome.kills(place).items():
        # Players ask "at least two?" more often than "exactly two?".
        or_more = tenths(outcome.at_least(kills, place))
        yield BarLine(f"{kills} killed", f"{kills} or more {or_more}", chance)


def _blocks_of_all_groups(groups: Sequence[TargetGroup], outcome: VolleyOutcome) -> Iterator[Block]:
    """What may happen to all groups at once."""
    yield Heading("All groups together, most likely first:", 3)
    # Of equal chances, fewer kills come first: a sort leaves equal ones in the order they have.
    results = sorted(outcome.chances)
    results.sort(key=outcome.chances.__getitem__, reverse=True)
    lines = []
    for kills_by_group in results[:MOST_JOINT]:
        killed = []
        for kills, group in zip(kills_by_group, groups, strict=True):
            killed.append(f"{kills} {group.unit.short}")
        chance = outcome.chances[kills_by_group]
        lines.append(BarLine(", ".join(killed), words="", chance=chance))
    yield _bars(lines)
    if len(results) > MOST_JOINT:
        yield Note(f"{len(results) - MOST_JOINT} less likely results; --json lists all.")


class BarLine(NamedTuple):
    """A line of a diagram; ``words`` stand after its percentage: the chance in other words, or
    nothing."""

    name: str
    words: str
    chance: Fraction


def _bars(lines: Iterable[BarLine]) -> Bars:
    """Lines as bars, with their chances in percent before the words."""
    bars = []
    for line in lines:
        text = f"{tenths(line.chance):>6}  {line.words}".rstrip()
        bars.append(Bar(line.name, float(line.chance), text))
    return Bars(tuple(bars), full=1.0)


def _heading(row: VolleyRow) -> str:
    """``Rifle at Rifle, 6 in, in cover, phase 2``"""
    shot, circumstances = row.shot, row.shot.circumstances
    if circumstances.touching:
        where = ["in contact"]
    else:
        where = [inches(circumstances.distance)]
    if circumstances.cover:
        where.append("in cover")
    if circumstances.hull_down:
        where.append("hull down")
    if circumstances.rear:
        where.append("from behind")
    phase = circumstances.phase
    return f"{shot.shooter.name} at {shot.target.name}, {', '.join(where)}, phase {phase}"


def _drawn_from(pack: Pack) -> str:
    """What is drawn from, as a sentence."""
    if pack.die:
        return "With the d12."
    if not pack.left:
        return "All cards have been drawn: the deck is shuffled first."
    if pack.left == ALL_CARDS:
        return "From a fresh deck."
    if pack.count == 1:
        return "1 card is left."
    return f"{pack.count} cards are left."


def _lines_of_one_shot(odds: ShotOdds, aimed: Aim) -> Iterator[BarLine]:
    """What can come of the first shot; what cannot is left out."""
    draws_by_result = {"Hit": odds.hits}
    if "cover" in aimed.saves:
        draws_by_result["Saved by cover"] = odds.by_cover
    if "hull_down" in aimed.saves:
        draws_by_result["Saved by hull down"] = odds.by_hull_down
    if aimed.at_guy:
        draws_by_result["The man aimed at dies"] = odds.exact_hits
    for name, draws in draws_by_result.items():
        yield BarLine(name, f"{draws}/{odds.draws}", Fraction(draws, odds.draws))
    if aimed.may_break:
        words = f"0/{odds.draws}"
        # Two draws decide it, so the chance is not so many of the cards that are left.
        if odds.broken:
            words = str(odds.broken)
        yield BarLine("Lost to breakdown", words, odds.broken)


# ------------------------------------------------------------------ as data


def answer_data(question: OddsQuestion) -> dict[str, Any]:
    """Chances are exact fractions, ``"1/3"``; ``joint`` is keyed ``"2,1"``, a number for each
    group. Raises OddsError with a sentence."""
    first = question.rows[0]
    outcome, at_most = _foreseen(question)
    data = _data_of_one_shot(first, question.pack)
    # Every key is there in every answer, null where it has no meaning.
    data |= {"pinned": None, "pinned_if_left": None, "breaks_army": None, "volley": None}
    if outcome is None:
        return data
    if question.pin_draws:
        odds = _pin_odds(question, outcome)
        data |= {
            "pinned": str(odds.left_and_pinned),
            "pinned_if_left": str(odds.pinned_if_left),
        }
    if question.breaks is not None:
        data["breaks_army"] = str(_chance_to_break(question, outcome, question.breaks))
    if question.is_volley:
        data["volley"] = _data_of_volley(question, outcome, at_most)
    return data


def _data_of_one_shot(row: VolleyRow, pack: Pack) -> dict[str, Any]:
    """The first shot of a row, for other programs; chances are exact fractions."""
    shot, circumstances = row.shot, row.shot.circumstances
    odds = one_shot(row.aim, pack)
    weapon = None
    if shot.weapon:
        weapon = shot.weapon.id
    source = "cards"
    if pack.die:
        source = "die"
    return {
        "shooter": shot.shooter.id,
        "weapon": weapon,
        "target": shot.target.id,
        "distance": circumstances.distance,
        "phase": circumstances.phase,
        "needs": row.aim.needs,
        # Other programs get plain spaces, not those that keep a number and its unit together.
        "explain": aim_words(row.aim, die=pack.die).replace(NO_BREAK, " "),
        "from": source,
        "draws": odds.draws,
        "hit": str(odds.hit),
        "saved_by_cover": str(odds.saved_by_cover),
        "saved_by_hull_down": str(Fraction(odds.by_hull_down, odds.draws)),
        "exact_figure": str(odds.exact),
        "breakdown_drawn": str(Fraction(odds.tests, odds.draws)),
        "broken": str(odds.broken),
    }


def _data_of_volley(
    question: OddsQuestion, outcome: VolleyOutcome, at_most: bool
) -> dict[str, Any]:
    """The whole volley, for other programs; chances are exact fractions. ``at_most`` as in
    ``Foreseen``."""
    kills = outcome.kills()
    groups = []
    for place, group in enumerate(question.groups):
        data = {
            "target": group.unit.id,
            "size": group.size,
            "kills": _keyed_by_number(outcome.kills(place)),
            "expected": str(outcome.expected(place)),
        }
        groups.append(data)
    joint = {}
    for kills_by_group, chance in outcome.chances.items():
        joint[",".join(map(str, kills_by_group))] = str(chance)
    return {
        "shooters": len(question.firers),
        "targets": sum(group.size for group in question.groups),
        "kills": _keyed_by_number(kills),
        "at_least": {str(count): str(outcome.at_least(count)) for count in kills},
        "expected": str(outcome.expected()),
        "at_most": at_most,
        "groups": groups,
        "joint": joint,
        # Null where the odds had to be worked out without losses.
        "lost": _keyed_by_number(outcome.lost) or None,
    }


def _keyed_by_number(chances: Mapping[int, Fraction]) -> dict[str, str]:
    """The chances of numbers of men, with keys that JSON can have."""
    return {str(number): str(chance) for number, chance in chances.items()}
