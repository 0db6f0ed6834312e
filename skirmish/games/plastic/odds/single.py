"""The odds of one shot: ``judge`` of every draw that can come, counted."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import msgspec

from skirmish.games.plastic.odds.pack import FACES, Pack, bits
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.rules.shot import Aim, judge


class ShotDraws(msgspec.Struct, frozen=True):
    """Sets of bits. ``tests``: each draw that asks for a second one, with those that break the
    weapon."""

    hits: int
    by_cover: int
    by_hull_down: int
    exact: int
    tests: tuple[tuple[int, int], ...]

    @property
    def testing(self) -> int:
        return sum(draw for draw, _ in self.tests)


class ShotOdds(msgspec.Struct, frozen=True, kw_only=True):
    """How many of the ``of`` draws do what; ``broken`` is the chance of a loss to a breakdown.
    Where cover and hull down would both save, cover is named."""

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
    return ShotDraws(
        hits=bits(draw for draw, verdict in verdicts if verdict.hit),
        by_cover=bits(draw for draw, verdict in verdicts if verdict.saved_by == "cover"),
        by_hull_down=bits(draw for draw, verdict in verdicts if verdict.saved_by == "hull_down"),
        exact=bits(draw for draw, verdict in verdicts if verdict.exact_figure),
        tests=tuple(
            (
                bits([draw]),
                bits(then for then in draws if judge(aim, draw, then).breakdown == "broken"),
            )
            for draw, verdict in verdicts
            if verdict.breakdown
        ),
    )


def one_shot(aim: Aim, pack: Pack) -> ShotOdds:
    reading, now = read(aim, pack.die), pack.now
    of = now.bit_count()
    tests, broken = 0, Fraction(0)
    for draw, breaks in reading.tests:
        if now & draw:
            tests += 1
            second = pack.after(draw)
            broken += Fraction((second & breaks).bit_count(), of * second.bit_count())
    return ShotOdds(
        of=of,
        hits=(now & reading.hits).bit_count(),
        by_cover=(now & reading.by_cover).bit_count(),
        by_hull_down=(now & reading.by_hull_down).bit_count(),
        exact_hits=(now & reading.exact).bit_count(),
        tests=tests,
        broken=broken,
    )
