"""Sentences for children and newcomers: the chance, the cards that hit, why it hit or did not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from skirmish.app.battle.verdict_words import check_is_large, last_events, reason
from skirmish.games.plastic.battle.events import Judged, Lost, Tested
from skirmish.games.plastic.battle.odds import Odds
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.odds.rounding import nearest
from skirmish.games.plastic.rules.catalog import DECK, DIE, plural
from skirmish.games.plastic.rules.shot import Aim, judge
from skirmish.tabletop.chance import Draw

TENTHS = 10
RANKS = {1: "ace", 11: "jack", 12: "queen", 13: "king"}
SAVED = {"cover": "in cover", "hull_down": "hull down"}


def chance(found: Odds) -> str:
    """``7 in 10``, ``about 7 in 10``, ``less than 1 in 10``."""
    if not found.hits:
        return "no chance"
    if found.hits == found.of:
        return "it always hits"
    tenths = nearest(Fraction(TENTHS * found.hits, found.of))
    if tenths == 0:
        return "less than 1 in 10"
    if tenths == TENTHS:
        return "more than 9 in 10"
    exactly = TENTHS * found.hits == tenths * found.of
    return f"{tenths} in 10" if exactly else f"about {tenths} in 10"


def what_hits(aim: Aim, die: bool) -> str:
    """``Ace to 8 hits.`` Where the colour matters both are told."""
    if die:
        faces = [face for face in range(1, DIE + 1) if judge(aim, Draw(face)).hit]
        return f"{_spans(faces, str)} hits." if faces else "No roll hits."
    ranks = sorted({card.rank for card in DECK})
    red, black = (
        [rank for rank in ranks if judge(aim, Draw(rank, suit)).hit] for suit in ("H", "S")
    )
    if red == black:
        return f"{_spans(red, _rank).capitalize()} hits." if red else "No card hits."
    reds = f"Red: {_spans(red, _rank)} hits." if red else "No red card hits."
    return f"{reds} Black: {_spans(black, _rank)} hits." if black else f"{reds} Black never hits."


def because(play: BattlePlay) -> tuple[str, ...]:
    """The verdict as one would tell it to a child: the draw, what it had to be, who is gone."""
    said = reason(play)
    told = ["".join(text for text, _ in line) for line in said]
    verdict, checked = play.state.verdict, play.state.checked
    if checked is not None and check_is_large(play):
        if checked.check == "pin" and checked.draw is not None:
            told = [_drawn(checked.draw)]
    elif verdict is not None and said and said[0][0][0] == verdict.draw.words.upper():
        told[:2] = _judged(verdict) if isinstance(verdict, Judged) else _tested(verdict)
    return (*told, *_gone(play))


def _tested(tested: Tested) -> tuple[str, ...]:
    ends = "The weapon breaks." if tested.broken else "The weapon is all right."
    return (f"Drawn to see whether the weapon breaks: {tested.draw.words}.", ends)


def _judged(judged: Judged) -> tuple[str, ...]:
    draw, drawn = judged.draw, _drawn(judged.draw)
    highest = _rank(judged.needs) if draw.is_card else str(judged.needs)
    if judged.hit:
        return (drawn, f"{_article(highest)} or lower was needed: a hit.".capitalize())
    if judged.saved_by:
        where = SAVED.get(judged.saved_by, judged.saved_by)
        colour = "Black misses there." if draw.is_card else "That roll misses there."
        return (drawn, f"It would hit, but the target is {where}. {colour}")
    return (drawn, f"Too high: {_article(highest)} or lower was needed.")


def _drawn(draw: Draw) -> str:
    return f"Drawn: {draw.words}." if draw.is_card else f"{draw.words[:1].upper()}{draw.words[1:]}."


def _gone(play: BattlePlay) -> tuple[str, ...]:
    """Whom the newest line took off the table."""
    state = play.state
    names = [state.setup.unit(e.unit).name for e in last_events(play) if isinstance(e, Lost)]
    if not names:
        return ()
    counts = ((names.count(name), name) for name in dict.fromkeys(names))
    counted = ", ".join(f"{count} {name if count == 1 else plural(name)}" for count, name in counts)
    return (f"Taken off the table: {counted}.",)


def _rank(rank: int) -> str:
    return RANKS.get(rank, str(rank))


def _article(rank: str) -> str:
    return f"{'an' if rank in ('ace', '8', '11') else 'a'} {rank}"


def _spans(ranks: Iterable[int], said: Callable[[int], str]) -> str:
    """``ace to 5, 7``: ranks that follow one another as a span."""
    spans: list[list[int]] = []
    for rank in ranks:
        if spans and rank == spans[-1][-1] + 1:
            spans[-1].append(rank)
        else:
            spans.append([rank])
    return ", ".join(
        said(span[0]) if len(span) == 1 else f"{said(span[0])} to {said(span[-1])}"
        for span in spans
    )
