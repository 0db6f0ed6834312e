"""The possible draws: the cards left of a deck of 48, or the faces of the twelve-sided die; the
odds of one shot, by ``judge`` on every possible draw; and the shooters of a volley.

P22 and the like are rulings on gaps in the rules.

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
"""The faces of the twelve-sided die, as draws."""
ALL_CARDS = (1 << len(DECK)) - 1
"""The set of all cards of the deck."""
ALL_FACES = (1 << DIE) - 1
"""The set of all faces of the die."""
_BIT = {card: 1 << index for index, card in enumerate(DECK)}
"""The set that has only this draw in it."""
# A face never equals a card, since it has no suit.
_BIT |= {face: 1 << index for index, face in enumerate(FACES)}
_LONGEST_TEXT = 10_000
"""Characters of a typed deck that are read; the rest is cut off. 48 cards take some 150."""


class OddsError(ValueError):
    """An impossible question; the sentence is the reason."""


class Pack(msgspec.Struct, frozen=True):
    """The possible draws, as a set of bits."""

    left: int = ALL_CARDS
    """The cards that are left; of a die, all faces."""
    die: bool = False
    """Whether they are the faces of a die, which never run out."""
    queen_aside: bool = True
    """Whether the queen of spades lies aside if the deck runs out between her and her second card:
    then it is shuffled without her (P78)."""

    @property
    def possible(self) -> int:
        """The cards to draw from, never none: after the last card the whole deck is shuffled."""
        if self.left == 0:
            return ALL_CARDS
        return self.left

    @property
    def count(self) -> int:
        """How many different draws are possible."""
        return self.possible.bit_count()

    def after(self, drawn: int) -> int:
        """The possible draws after ``drawn`` (one bit), which requires a second draw."""
        if self.die:
            return self.left
        rest = self.possible & ~drawn
        if rest != 0:
            return rest
        if self.queen_aside:
            return ALL_CARDS & ~drawn
        return ALL_CARDS


def fresh(rulings: Mapping[str, str]) -> Pack:
    """A deck just shuffled."""
    return Pack(queen_aside=rulings["P78"] == "aside")


def of_die() -> Pack:
    """The twelve-sided die."""
    return Pack(left=ALL_FACES, die=True)


def without(gone: Iterable[Draw], rulings: Mapping[str, str]) -> Pack:
    """A deck of which these cards were drawn. Raises OddsError where one is not in it, or twice."""
    gone_cards = _set_of_different(gone, "gone")
    return msgspec.structs.replace(fresh(rulings), left=ALL_CARDS & ~gone_cards)


def parse(text: str, rulings: Mapping[str, str]) -> Pack:
    """A deck as it is typed: by the cards that are gone, ``gone: QS 4H`` or just ``QS 4H``, or by
    those that are left, ``left: AS 2D``. Raises OddsError."""
    word = "gone"
    typed_cards = text[:_LONGEST_TEXT]
    first_word = re.match(r"\s*(gone|left)\s*:", typed_cards, re.IGNORECASE)
    if first_word:
        word = first_word[1].lower()
        typed_cards = typed_cards[first_word.end() :]
    names = [name for name in re.split(r"[\s,]+", typed_cards) if name]
    try:
        highest_rank = DECK[-1].rank
        cards = [parse_card(name, highest_rank) for name in names]
    except DrawError as error:
        raise OddsError(f"{error}.") from None
    if word == "gone":
        return without(cards, rulings)
    if not cards:
        raise OddsError("No card is left: say which are, or leave the deck out.")
    return msgspec.structs.replace(fresh(rulings), left=_set_of_different(cards, "left"))


def of_source(source: Source, rulings: Mapping[str, str]) -> Pack:
    """What can be drawn next from the deck or the die of a battle."""
    if source.kind == "die":
        return of_die()
    # Players may insist on typing a card that is gone already: it counts once.
    drawn = set(source.gone)
    # The queen of spades is not in a deck that ran out before her second card was drawn (P78).
    if source.aside:
        drawn.add(source.aside)
    return without(drawn, rulings)


def bits(draws: Iterable[Draw]) -> int:
    """The set of these cards, or of these faces."""
    cards = 0
    for draw in draws:
        cards |= _BIT[draw]
    return cards


def draws_of(cards: int, die: bool = False) -> list[Draw]:
    """The members of a set, in the order of the deck."""
    whole_pack = DECK
    if die:
        whole_pack = FACES
    return [draw for draw in whole_pack if cards & _BIT[draw]]


def _set_of_different(cards: Iterable[Draw], where: str) -> int:
    """The set of these cards. Raises OddsError where one is not in the deck, or named twice;
    ``where`` is ``gone`` or ``left``."""
    listed = list(cards)
    if len(listed) > len(DECK):
        raise OddsError(f"{len(listed)} cards are {where}, but a deck has {len(DECK)}.")
    named = 0
    for card in listed:
        if card not in _BIT:
            raise OddsError(f"{card} is not in this deck: it ends at {DECK[-1].words}.")
        if named & _BIT[card]:
            raise OddsError(f"{card} is {where} twice, but a deck has one of each card.")
        named |= _BIT[card]
    return named


# ------------------------------------------------------------------ one shot


class ShotDraws(msgspec.Struct, frozen=True):
    """What each draw does, as sets of bits."""

    hits: int
    """The draws that hit."""
    by_cover: int
    """Those that would hit, but cover saves the target."""
    by_hull_down: int
    """Those that would hit, but being hull down saves the target."""
    exact_hits: int
    """Those that kill the man aimed at."""
    tests: int
    """Those that require a second draw."""
    breaks: int
    """Those of the second draw that break the weapon."""


class ShotOdds(msgspec.Struct, frozen=True, kw_only=True):
    """How many of all possible draws do what, as in ``ShotDraws``. Where both cover and hull down
    would save, the draw counts for cover."""

    draws: int
    """How many draws are possible."""
    hits: int
    by_cover: int
    by_hull_down: int
    exact_hits: int
    tests: int
    broken: Fraction
    """The chance that the weapon is lost to a breakdown."""

    @property
    def hit(self) -> Fraction:
        """The chance that it hits."""
        return Fraction(self.hits, self.draws)

    @property
    def saved_by_cover(self) -> Fraction:
        """The chance that it would hit but for the cover."""
        return Fraction(self.by_cover, self.draws)

    @property
    def exact(self) -> Fraction:
        """The chance that the very man aimed at dies."""
        return Fraction(self.exact_hits, self.draws)


@lru_cache(maxsize=4096)
def judged_draws(aim: Aim, die: bool = False) -> ShotDraws:
    """What each possible draw does, as the rules judge it."""
    draws = DECK
    if die:
        draws = FACES
    hits, by_cover, by_hull_down, exact_hits, tests = [], [], [], [], []
    for draw in draws:
        verdict = judge(aim, draw)
        if verdict.hit:
            hits.append(draw)
        if verdict.saved_by == "cover":
            by_cover.append(draw)
        if verdict.saved_by == "hull_down":
            by_hull_down.append(draw)
        if verdict.exact_figure:
            exact_hits.append(draw)
        # After a first draw a breakdown is only pending: a second one decides.
        if verdict.breakdown:
            tests.append(draw)
    breaks = []
    if tests:
        # The second draw is judged in the same way whichever the first one was.
        breaks = [second for second in draws if judge(aim, tests[0], second).breakdown == "broken"]
    return ShotDraws(
        hits=bits(hits),
        by_cover=bits(by_cover),
        by_hull_down=bits(by_hull_down),
        exact_hits=bits(exact_hits),
        tests=bits(tests),
        breaks=bits(breaks),
    )


def one_shot(aim: Aim, pack: Pack) -> ShotOdds:
    """The odds of one shot with these cards left."""
    judged = judged_draws(aim, pack.die)
    possible = pack.possible
    # At most one card, or one face, requires a second draw: the queen of spades, or the 12. So the
    # set of those that do is also the card drawn before the second one.
    tests = (possible & judged.tests).bit_count()
    second_draws = pack.after(judged.tests)
    # Of all pairs of draws, those of which the second breaks the weapon.
    breaking_pairs = tests * (second_draws & judged.breaks).bit_count()
    all_pairs = pack.count * second_draws.bit_count()
    return ShotOdds(
        draws=pack.count,
        hits=(possible & judged.hits).bit_count(),
        by_cover=(possible & judged.by_cover).bit_count(),
        by_hull_down=(possible & judged.by_hull_down).bit_count(),
        exact_hits=(possible & judged.exact_hits).bit_count(),
        tests=tests,
        broken=Fraction(breaking_pairs, all_pairs),
    )


# ------------------------------------------------------------------ a volley


class Firer(msgspec.Struct, frozen=True):
    """Somebody who fires, with what each card does for him. Cards are sets of bits.

    Repeat fire is at a new man each time. By default that is one at whom he has not fired yet in
    this run; P22 may say that everybody alive is new. He stops where no new man is left.
    """

    hits: int
    """The cards that hit."""
    repeat: bool = False
    """Whether he fires again after a kill."""
    group: int = 0
    """The index of the group that he fires at."""
    tests: int = 0
    """The cards that require a second draw."""
    breaks: int = 0
    """The cards of the second draw that break his weapon."""
    spared: int = 0
    """The cards that hit, but let the defender choose who dies. If he chooses a man not shot at
    yet, the hit uses up two new men: that one, and the target, who lives (P22)."""
    first_exact: bool = False
    """Whether his first shot is at a man in contact (P11), whom its hit kills: it uses up one new
    man, even with a card that is among ``spared`` for his later shots."""


class VolleyOutcome(msgspec.Struct, frozen=True):
    """What a volley may do, with the chance of each outcome."""

    chances: dict[tuple[int, ...], Fraction]
    """The chance of each outcome, by its kills: of the first group, of the second, …"""
    lost: dict[int, Fraction] = {}
    """The chance of each number of shooters lost to breakdowns; empty if nobody asked for it."""

    def kills(self, group: int | None = None) -> dict[int, Fraction]:
        """The chance of each number of kills, in one group or in all of them together."""
        if group is None:
            return summed((sum(by_group), chance) for by_group, chance in self.chances.items())
        return summed((by_group[group], chance) for by_group, chance in self.chances.items())

    def at_least(self, wanted: int, group: int | None = None) -> Fraction:
        """The chance of so many kills or more, in one group or in all of them together."""
        by_kills = self.kills(group).items()
        return sum((chance for kills, chance in by_kills if kills >= wanted), Fraction(0))

    def worth_at_least(self, wanted: int, worth: Sequence[int]) -> Fraction:
        """The chance that what was killed is worth so much or more; ``worth``: what a unit of each
        group is worth."""
        total = Fraction(0)
        for kills_by_group, chance in self.chances.items():
            killed = 0
            for kills, worth_of_one in zip(kills_by_group, worth, strict=True):
                killed += kills * worth_of_one
            if killed >= wanted:
                total += chance
        return total

    def expected(self, group: int | None = None) -> Fraction:
        """The kills on average, in one group or in all of them together."""
        return sum((kills * chance for kills, chance in self.kills(group).items()), Fraction(0))


def firer_of(aim: Aim, later: Aim | None = None, *, die: bool = False, group: int = 0) -> Firer:
    """A shooter of a volley. ``later`` is the aim of his repeat fire, if it differs from that of
    his first shot."""
    judged = judged_draws(aim, die)
    exact_later = judged.exact_hits
    if later:
        exact_later = judged_draws(later, die).exact_hits
    # An exact hit kills the man aimed at; of any other the defender may choose who dies. Then two
    # men are no new targets any more: who fell, and who was shot at and lives (P22). Which hits are
    # exact is taken from the later shots; ``first_exact`` has what is different in the first one.
    spared = 0
    if aim.repeat is not None and aim.repeat.new_only:
        spared = judged.hits & ~exact_later
    # In contact every hit of the first shot is exact; those of the later ones are not (P11).
    every_first_hit_is_exact = judged.exact_hits == judged.hits
    # Where no card spares anybody, ``first_exact`` makes no difference and stays False.
    somebody_may_be_spared = spared != 0
    return Firer(
        hits=judged.hits,
        repeat=aim.repeat is not None,
        group=group,
        tests=judged.tests,
        breaks=judged.breaks,
        spared=spared,
        first_exact=somebody_may_be_spared and every_first_hit_is_exact,
    )


Key = TypeVar("Key", int, tuple[int, ...])


def summed(pairs: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    """The chances by key, those of equal keys added up, in the order of the keys."""
    total: dict[Key, Fraction] = {}
    for key, chance in pairs:
        total[key] = total.get(key, Fraction(0)) + chance
    return dict(sorted(total.items()))
