"""The odds of a drafted shot for newcomers: in whole sentences and so many in ten, without
abbreviations."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from skirmish.games.plastic.battle.known_pack import Knowledge, pack_of
from skirmish.games.plastic.battle.odds import VolleyOdds, volley_odds
from skirmish.games.plastic.battle.orders import Again, Fire, Volley
from skirmish.games.plastic.battle.orders.firing import PreparedShot, prepared
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds.pack import draws_of, judged_draws, one_shot
from skirmish.games.plastic.odds.rounding import hundredths, nearest, percent
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.shot import Aim
from skirmish.games.plastic.shot_words import (
    after_comma,
    each_row_words,
    percent_range,
    second_card_note,
    shooters_group_note,
    squads_words,
    target_words,
    targets_group_note,
    whole_percent,
)
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.commands import Forecast
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import Refused

TENTHS = 10
"""For newcomers a chance is so many in ten."""
WORTH_A_SENTENCE = Fraction(1, 100)
"""A chance below this that the army breaks is not mentioned; nor is it named as the lower end of a
range."""


def forecast(state: State, order: Fire | Again, knowledge: Knowledge) -> Forecast:
    """The odds of a drafted shot in whole sentences; or why it cannot be fired."""
    try:
        shot = prepared(state, order)
    except Refused as refused:
        return Forecast(sentences=(refused.refusal.message,))
    known_pack = pack_of(state, shot.side, knowledge)
    if shot.more:
        # No single chance holds for the rows of a mixed volley.
        large, first_sentence = "", each_row_words(state, shot, known_pack.pack)
    else:
        hit = one_shot(shot.aim, known_pack.pack).hit
        # In large words there is no room for "about".
        large = _in_tenths(hit)
        first_sentence = (
            f"{capital(chance_in_words(hit))}, {whole_percent(hit)}%"
            f"{after_comma(known_pack.note)}. "
            f"{what_hits(shot.aim, known_pack.pack.die)}{second_card_note(state, shot.aim)}"
        )
    sentences = [first_sentence]
    volley = volley_odds(state, order, shot, knowledge)
    if volley is not None:
        further_results = _further_results(volley)
        if further_results:
            sentences.append(further_results)
    return Forecast(large, _who_fires_at_whom(state, order, shot), tuple(sentences))


def _who_fires_at_whom(state: State, order: Fire | Again, shot: PreparedShot) -> str:
    """``A Rifle Guy fires at a Tank.``, ``8 Rifle fire at Rifle, 5 in reach.``"""
    if isinstance(order, Volley):
        target = target_words(state, shot)
        return f"{squads_words(state, shot)} fire at {target}, {shot.reach} in reach."
    shooter = f"{a_unit(shot.shooter.name, 'A')}{shooters_group_note(state, shot)}"
    target = f"{a_unit(shot.target.name)}{targets_group_note(state, shot)}"
    return f"{shooter} fires at {target}."


def _further_results(odds: VolleyOdds) -> str:
    """What may come of the fire besides a hit of the first shot; empty where there is nothing."""
    sentences = []
    # Without repeat fire each shooter kills one at most, with the chance that is given above.
    if odds.kills is not None and odds.repeat:
        whose, bound = "his", ""
        if odds.shooters > 1:
            whose = "their"
        if odds.at_most:
            bound = "at most "
        # Where nobody has counted those near the target, there is no average: ``kills`` are then
        # those with as many there as can be hit at most.
        if odds.counted:
            average = f"{bound}{hundredths(odds.kills.expected())} on average"
            sentences.append(f"All {whose} shots kill {average}.")
        if odds.reach > 1:
            chance = f"{bound}{percent(odds.kills.at_least(2))}%"
            two_or_more = f"The chance of two or more kills is {chance}"
            if not odds.counted:
                two_or_more += ", if enough are near"
            sentences.append(f"{two_or_more}.")
    if odds.breaks is not None and odds.breaks.most >= WORTH_A_SENTENCE:
        if odds.breaks.least < WORTH_A_SENTENCE:
            chance = f"at most {percent(odds.breaks.most)}%"
        else:
            chance = percent_range(odds.breaks)
        sentences.append(f"The chance that it breaks their army is {chance}.")
    if odds.pinned is not None:
        pinned = f"{percent_range(odds.pinned)}{after_comma(odds.pin_note)}"
        sentences.append(f"The chance that survivors are pinned is {pinned}.")
    return " ".join(sentences)


def chance_in_words(hit: Fraction) -> str:
    """``7 in 10``, ``about 7 in 10``, ``less than 1 in 10``."""
    tenths = nearest(TENTHS * hit)
    if 0 < tenths < TENTHS and TENTHS * hit != tenths:
        return f"about {_in_tenths(hit)}"
    return _in_tenths(hit)


def _in_tenths(hit: Fraction) -> str:
    """``7 in 10``, whether that is exact or not."""
    if not hit:
        return "no chance"
    if hit == 1:
        return "it always hits"
    tenths = nearest(TENTHS * hit)
    if tenths == 0:
        return "less than 1 in 10"
    if tenths == TENTHS:
        return "more than 9 in 10"
    return f"{tenths} in 10"


def what_hits(aim: Aim, by_die: bool) -> str:
    """``Ace to 8 hits.``; where the colour matters, ``Red: ace to 9 hits. Black: ace hits.``"""
    hits = draws_of(judged_draws(aim, by_die).hits, by_die)
    if by_die:
        if not hits:
            return "No roll hits."
        return f"{_rank_ranges(hits)} hits."
    # Both suits of a colour hit alike.
    red = _rank_ranges([card for card in hits if card.suit == "H"])
    black = _rank_ranges([card for card in hits if card.suit == "S"])
    if red == black:
        if not red:
            return "No card hits."
        return f"{red.capitalize()} hits."
    of_red, of_black = "No red card hits.", "Black never hits."
    if red:
        of_red = f"Red: {red} hits."
    if black:
        of_black = f"Black: {black} hits."
    return f"{of_red} {of_black}"


def _rank_ranges(draws: Iterable[Draw]) -> str:
    """``ace to 5, 7``: consecutive ranks are a range."""
    words_by_rank: dict[int, str] = {}
    for draw in draws:
        words_by_rank[draw.rank] = str(draw.rank)
        if draw.suit:
            words_by_rank[draw.rank] = draw.rank_beside_suit
    parts = []
    for first in sorted(words_by_rank):
        goes_on_from_another = first - 1 in words_by_rank
        if goes_on_from_another:
            continue
        last = first
        while last + 1 in words_by_rank:
            last += 1
        if first == last:
            parts.append(words_by_rank[first])
        else:
            parts.append(f"{words_by_rank[first]} to {words_by_rank[last]}")
    return ", ".join(parts)
