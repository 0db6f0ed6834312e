"""The possible draws: the cards left of a deck of 48, or the faces of the twelve-sided die; the
odds of one shot, by ``judge`` on every possible draw; and the shooters of a volley.

A set of cards is an integer: bit ``i`` stands for ``DECK[i]`` (with a die, face ``i + 1``), so that
set operations take no loop.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

import msgspec

from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.games.plastic.rules.shot import Aim, judge
from skirmish.tabletop.chance import Draw, DrawError, Source, parse_card

FACES = tuple(Draw(face) for face in range(1, DIE + 1))
ALL_CARDS = (1 << len(DECK)) - 1
ALL_FACES = (1 << DIE) - 1
_BIT = {draw: 1 << index for draws in (DECK, FACES) for index, draw in enumerate(draws)}
_LONGEST = 10_000


class OddsError(ValueError):
    """An impossible question; the sentence is the reason."""


class Pack(msgspec.Struct, frozen=True):
    """The possible draws as a set of bits. ``die``: faces, which never run out. ``aside``: a deck
    that runs out between the queen of spades and her second card is shuffled without her (P78)."""

    left: int = ALL_CARDS
    die: bool = False
    aside: bool = True

    @property
    def now(self) -> int:
        """The cards to draw from, never empty: after the last card a full shuffle."""
        return self.left or ALL_CARDS

    @property
    def count(self) -> int:
        return self.now.bit_count()

    def after(self, drawn: int) -> int:
        """The possible draws after ``drawn`` (one bit), which requires a second draw."""
        if self.die:
            return self.left
        rest = self.now & ~drawn
        return rest or (ALL_CARDS & ~drawn if self.aside else ALL_CARDS)


def fresh(rulings: Mapping[str, str]) -> Pack:
    return Pack(aside=rulings["P78"] == "aside")


def die() -> Pack:
    return Pack(left=ALL_FACES, die=True)


def without(gone: Iterable[Draw], rulings: Mapping[str, str]) -> Pack:
    """Raises OddsError."""
    return msgspec.structs.replace(fresh(rulings), left=ALL_CARDS & ~_once(gone, "gone"))


def parse(text: str, rulings: Mapping[str, str]) -> Pack:
    """``gone: QS 4H`` (or without a word) or ``left: AS 2D``; raises OddsError."""
    found = re.fullmatch(r"\s*(?:(gone|left)\s*:)?(.*)", text[:_LONGEST], re.I | re.S)
    word, rest = (found[1] or "gone", found[2]) if found else ("gone", text)
    written = re.split(r"[\s,]+", rest.strip())
    try:
        cards = [parse_card(card, DECK[-1].rank) for card in written if card]
    except DrawError as error:
        raise OddsError(f"{error}.") from None
    if word.lower() == "gone":
        return without(cards, rulings)
    if not cards:
        raise OddsError("No card is left: say which are, or leave the deck out.")
    return msgspec.structs.replace(fresh(rulings), left=_once(cards, "left"))


def of_source(source: Source, rulings: Mapping[str, str]) -> Pack:
    if source.kind == "die":
        return die()
    # A card typed twice was overruled by its player; it is gone nevertheless.
    seen = {*source.gone, *([source.aside] if source.aside else [])}
    return without(seen, rulings)


def bits(draws: Iterable[Draw]) -> int:
    found = 0
    for draw in draws:
        found |= _BIT[draw]
    return found


def draws_of(found: int, die: bool = False) -> list[Draw]:
    every = FACES if die else DECK
    return [draw for index, draw in enumerate(every) if found >> index & 1]


def _once(cards: Iterable[Draw], where: str) -> int:
    named, found = list(cards), 0
    if len(named) > len(DECK):
        raise OddsError(f"{len(named)} cards are {where}, but a deck has {len(DECK)}.")
    for card in named:
        if card not in _BIT:
            raise OddsError(f"{card} is not in this deck: it ends at {DECK[-1].words}.")
        if found & _BIT[card]:
            raise OddsError(f"{card} is {where} twice, but a deck has one of each card.")
        found |= _BIT[card]
    return found


# ------------------------------------------------------------------ one shot


class ShotDraws(msgspec.Struct, frozen=True):
    """Sets of bits. ``tests`` requires a second draw, of which ``breaks`` break the weapon."""

    hits: int
    by_cover: int
    by_hull_down: int
    exact_hits: int
    tests: int
    breaks: int


class ShotOdds(msgspec.Struct, frozen=True, kw_only=True):
    """Counts out of ``of`` draws; ``broken`` is the chance of a loss to a breakdown. If both cover
    and hull down would save, cover is named."""

    of: int
    hits: int
    by_cover: int
    by_hull_down: int
    exact_hits: int
    tests: int
    broken: Fraction

    @property
    def hit(self) -> Fraction:
        return Fraction(self.hits, self.of)

    @property
    def saved_by_cover(self) -> Fraction:
        return Fraction(self.by_cover, self.of)

    @property
    def exact(self) -> Fraction:
        return Fraction(self.exact_hits, self.of)


@lru_cache(maxsize=4096)
def read(aim: Aim, die: bool = False) -> ShotDraws:
    draws = FACES if die else DECK
    verdicts = [(draw, judge(aim, draw)) for draw in draws]
    tests = [draw for draw, verdict in verdicts if verdict.breakdown]
    broken = (then for then in draws if tests and judge(aim, tests[0], then).breakdown == "broken")
    return ShotDraws(
        hits=bits(draw for draw, verdict in verdicts if verdict.hit),
        by_cover=bits(draw for draw, verdict in verdicts if verdict.saved_by == "cover"),
        by_hull_down=bits(draw for draw, verdict in verdicts if verdict.saved_by == "hull_down"),
        exact_hits=bits(draw for draw, verdict in verdicts if verdict.exact_figure),
        tests=bits(tests),
        breaks=bits(broken),
    )


def one_shot(aim: Aim, pack: Pack) -> ShotOdds:
    reading, now = read(aim, pack.die), pack.now
    names = ("hits", "by_cover", "by_hull_down", "exact_hits", "tests")
    counts = {name: (now & getattr(reading, name)).bit_count() for name in names}
    second = pack.after(reading.tests)
    breaks = counts["tests"] * (second & reading.breaks).bit_count()
    broken = Fraction(breaks, pack.count * second.bit_count())
    return ShotOdds(of=pack.count, broken=broken, **counts)


# ------------------------------------------------------------------ a volley


class Firer(msgspec.Struct, frozen=True):
    """``hits`` and ``tests`` (which require a second draw, one of ``breaks`` breaks him) are sets
    of bits. After a kill he fires again if he may ``repeat``. ``spared`` are the hits after which
    the defender may choose another man, not shot at yet: they use up two new men (P22). With
    ``first_exact`` his first shot is not among them, as it is fired at a man in contact (P11)."""

    hits: int
    repeat: bool = False
    group: int = 0
    tests: int = 0
    breaks: int = 0
    spared: int = 0
    first_exact: bool = False

    def begins(self, standing: int) -> int:
        return standing if self.repeat else min(1, standing)

    def uses_up(self, draw: int) -> int:
        return bool(self.hits & draw) + bool(self.spared & draw)

    def left(self, new: int, used: int, standing: int) -> int:
        """The number of ``new`` men left for his next shot."""
        return min(max(new - used, 0), standing) if self.repeat else 0


class VolleyOutcome(msgspec.Struct, frozen=True):
    """Chances of (kills of the first group, the second, …), and of each number of shooters broken
    down, if requested."""

    chances: dict[tuple[int, ...], Fraction]
    lost: dict[int, Fraction] = {}

    def kills(self, group: int | None = None) -> dict[int, Fraction]:
        return summed(
            (sum(key) if group is None else key[group], chance)
            for key, chance in self.chances.items()
        )

    def at_least(self, wanted: int, group: int | None = None) -> Fraction:
        found = self.kills(group).items()
        return sum((chance for kills, chance in found if kills >= wanted), Fraction(0))

    def worth_at_least(self, wanted: int, worth: Sequence[int]) -> Fraction:
        """The chance that the kills, weighted by group with ``worth``, reach the total."""
        total = Fraction(0)
        for key, chance in self.chances.items():
            if sum(k * w for k, w in zip(key, worth, strict=True)) >= wanted:
                total += chance
        return total

    def expected(self, group: int | None = None) -> Fraction:
        return sum((kills * chance for kills, chance in self.kills(group).items()), Fraction(0))


def firer(aim: Aim, later: Aim | None = None, *, die: bool = False, group: int = 0) -> Firer:
    """``later`` is the aim of his repeat fire, if it differs from that of his first shot."""
    reading = read(aim, die)
    later_exact = (read(later, die) if later else reading).exact_hits
    spares = aim.repeat is not None and aim.repeat.uses_up(exact=False) > 1
    spared = reading.hits & ~later_exact if spares else 0
    return Firer(
        hits=reading.hits,
        repeat=aim.repeat is not None,
        group=group,
        tests=reading.tests,
        breaks=reading.breaks,
        spared=spared,
        first_exact=bool(spared) and reading.exact_hits == reading.hits != later_exact,
    )


Key = TypeVar("Key", int, tuple[int, ...])


def summed(pairs: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    total: dict[Key, Fraction] = {}
    for key, chance in pairs:
        total[key] = total.get(key, Fraction(0)) + chance
    return dict(sorted(total.items()))
