"""The rules of a campaign in whole sentences, with the numbers of its rulings; what the ledger
calls the rungs of its ladder."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from operator import attrgetter
from typing import NamedTuple

from skirmish import resources
from skirmish.games.plastic.campaign.campaign_file import CampaignFile, Rung
from skirmish.games.plastic.campaign.outcome import LEAST_DIFFERENCE
from skirmish.games.plastic.campaign.position import (
    FAR_POSITION_SHARE,
    FOR_POSITION,
    NEAR_POSITION_SHARE,
)
from skirmish.games.plastic.campaign.state import CampaignSetup
from skirmish.games.plastic.campaign.terms import (
    CATCH_UP,
    HIGHEST_RANK,
    CampaignTerms,
    Return,
    ReturnLine,
)
from skirmish.tabletop.measure import NO_BREAK
from skirmish.tabletop.number_words import number_word
from skirmish.tabletop.page import capital

TEXTS = "plastic/texts/campaign.toml"
RANK_SIGNS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q")
"""The signs of the ranks, from the lowest; the deck of these rules has no kings."""
SHARES = {
    Fraction(1, 5): "a fifth",
    Fraction(1, 4): "a quarter",
    Fraction(1, 3): "a third",
    Fraction(1, 2): "half",
}
"""The shares that rulings may name, in words."""


class RulesLine(NamedTuple):
    """A rule: its first words, which stand in bold, and the rest."""

    lead: str
    text: str


class RulesPart(NamedTuple):
    """Some rules below their head, on page 1 or 2 of the rules."""

    page: int
    title: str
    lines: tuple[RulesLine, ...]


class RulesText(NamedTuple):
    """The whole rules of a campaign."""

    intro: str
    parts: tuple[RulesPart, ...]


def rules_text(setup: CampaignSetup) -> RulesText:
    """The rules by which this campaign is played."""
    texts = resources.table(TEXTS)
    words = _words_in_braces(setup)
    parts = []
    for part in texts["part"]:
        lines = []
        for lead, text in part["lines"]:
            lines.append(RulesLine(lead, text.format(**words)))
        parts.append(RulesPart(part["page"], part["title"], tuple(lines)))
    return RulesText(texts["intro"], tuple(parts))


def _words_in_braces(setup: CampaignSetup) -> Mapping[str, str]:
    """What takes the place of each word in braces in the texts: the numbers and the answers to
    rulings of this campaign."""
    terms = setup.terms
    marks_to_rise = terms.marks_for
    return {
        "pool": str(terms.pool),
        "victory": _points(terms.points_of_victory),
        "draw": _points(terms.points_of_draw),
        "last": str(setup.last_battle),
        "apart": str(LEAST_DIFFERENCE),
        "fill": percent(terms.fill_share),
        "near": percent(NEAR_POSITION_SHARE * terms.position_times),
        "far": percent(FAR_POSITION_SHARE * terms.position_times),
        "works": _prices_of_works(setup),
        "missing": _rule_of_missing_men(terms),
        "conceded": _catch_up_after_conceding(terms),
        "exited": _rule_of_exited_men(terms),
        "withdrawing": _rule_of_withdrawing(terms),
        "broken": _rule_of_broken_weapons(terms),
        "mixed": _quality_that_counts(terms),
        "limits": _rule_of_army_limits(terms),
        "passengers": _cards_of_passengers(terms),
        "party": number_word(terms.party_size),
        "exit_field": _field_after_exit(terms),
        "draw_field": _field_after_draw(terms),
        "prisoners": _fate_of_prisoners(terms),
        # A campaign may have a number of its own, which counts instead of that of the ruling.
        "replacements": str(setup.file.replacements or terms.replacements),
        "saving": str(terms.most_saved),
        "catch_up": _catch_up(terms),
        "share": SHARES[terms.most_lost_for_mark],
        "green": capital(number_word(marks_to_rise["green"])),
        "regular": number_word(marks_to_rise["regular"]),
        "few": SHARES[terms.recruits_cost_mark],
        "many": SHARES[terms.recruits_cost_step],
    }


def percent(share: Fraction) -> str:
    """``80%``."""
    return f"{float(share * 100):g}%"


def _points(count: int) -> str:
    """``1 point``, ``3 points``."""
    if count == 1:
        return "1 point"
    return f"{count} points"


def _prices_of_works(setup: CampaignSetup) -> str:
    """``a Small Pillbox for 6 points, a Sandbag Line for 5``: what may be had for a position."""
    pieces = {**setup.units, **setup.works}
    prices: list[str] = []
    for piece_id in FOR_POSITION:
        price = f"a {pieces[piece_id].name} for {pieces[piece_id].price}"
        # The first price has the unit for all of them.
        if not prices:
            price += " points"
        prices.append(price)
    return ", ".join(prices)


# The answers to rulings in words: a sentence, or the part of one that the text of the rules lacks.


def _rule_of_missing_men(terms: CampaignTerms) -> str:
    if terms.attaches:
        return "Who is missing is attached."
    return "The side fights without those who are missing."


def _catch_up_after_conceding(terms: CampaignTerms) -> str:
    if terms.conceding_catches_up:
        return "the side that gave up catches up as after any defeat"
    return "there is no catch-up"


def _rule_of_exited_men(terms: CampaignTerms) -> str:
    if terms.exited_are_safe:
        return "Men who left the table are safe too."
    return "Men who left the table count as lost."


def _rule_of_withdrawing(terms: CampaignTerms) -> str:
    """Whether and when a side may withdraw, and what it costs (C20)."""
    if not terms.may_withdraw:
        return "No side withdraws from a battle that it fights."
    return (
        "A side may withdraw at the start of its own turn, from its turn 2 on, before anybody of "
        "it has moved, fired or got out. It has lost the battle, and so are its men in contact "
        "with the enemy and whatever cannot drive off (a cannon that is not loaded). The rest are "
        "safe."
    )


def _rule_of_broken_weapons(terms: CampaignTerms) -> str:
    if terms.mends_weapons:
        return "Weapons that broke down are mended afterwards."
    return "A guy whose weapon broke down is a Rifle Guy from then on."


def _quality_that_counts(terms: CampaignTerms) -> str:
    if terms.most_decide:
        return "most of them do"
    return "the worst of them"


def _rule_of_army_limits(terms: CampaignTerms) -> str:
    if terms.limits_when_fielding:
        return "The upper limits of an army of the allowance bind what is brought to a free battle."
    return "Army limits bind what is bought, not what is brought."


def _cards_of_passengers(terms: CampaignTerms) -> str:
    if terms.passengers_share:
        return "Who was lost aboard a model has its card, read in his own line."
    return "Who was lost aboard a model has a card of his own."


def _field_after_exit(terms: CampaignTerms) -> str:
    if terms.exit_gives_up_field:
        return "If he had to leave the table to win, and did, the other side holds it."
    return "He does so even if he left the table to win."


def _field_after_draw(terms: CampaignTerms) -> str:
    if terms.both_hold_after_draw:
        return "After a draw both sides hold it."
    return "After a draw nobody holds it."


def _fate_of_prisoners(terms: CampaignTerms) -> str:
    """What becomes of prisoners (C12)."""
    if terms.exchanges:
        return (
            "They are exchanged at once, guy for guy, the longest held first. Those who come home "
            "are ready."
        )
    return "They stay captured to the end of the campaign."


def _catch_up(terms: CampaignTerms) -> str:
    """What the loser of a battle gets (C13)."""
    if not terms.has_catch_up:
        return "None: the loser gets no more than the winner."
    if not terms.may_choose_ground:
        return f"The loser of the battle adds {CATCH_UP} points of replacements."
    return (
        f"The loser of the battle adds {CATCH_UP} points of replacements, or takes the choice of "
        "ground instead: it counts as the high card in both draws of the next free battle."
    )


def ranks(line: ReturnLine, result: Return) -> str:
    """The ranks of a line of the return table with that result: ``A–6``, ``9``, or ``–`` for
    none."""
    ranks_of_result = []
    for rank in range(1, HIGHEST_RANK + 1):
        if line.result(rank) == result:
            ranks_of_result.append(rank)
    if not ranks_of_result:
        return "–"
    # The ranks of a result follow one another. Rank 1 has the first sign, which has index 0.
    first, last = RANK_SIGNS[ranks_of_result[0] - 1], RANK_SIGNS[ranks_of_result[-1] - 1]
    if first == last:
        return first
    return f"{first}–{last}"


def rungs_in_order(file: CampaignFile) -> list[Rung]:
    """The battles before the ladder, then its rungs from the top down."""
    before_ladder = [rung for rung in file.rungs if rung.battle_before_ladder]
    before_ladder.sort(key=attrgetter("battle_before_ladder"))
    return [*before_ladder, *reversed(file.ladder)]


def rung_name(rung: Rung, titles: Mapping[str, str]) -> str:
    """What is fought on a rung: ``The third belt``, ``Scenario 7: Kursk North``."""
    if not rung.scenario:
        return rung.title or "A free battle"
    title = titles.get(str(rung.scenario), "")
    name = f"Scenario {rung.scenario}"
    if title:
        name += f": {title}"
    return name


def rung_terms(rung: Rung, file: CampaignFile) -> str:
    """What is peculiar to a rung, and of a free battle the size of its table and the allowance."""
    facts = []
    if not rung.scenario:
        width, depth = rung.table or file.table
        facts.append(f"{width} × {depth} in".replace(" ", NO_BREAK))
        facts.append(f"{file.allowance(rung)} points")
    if rung.front:
        facts.append(f"groups of the front {rung.front}")
    if rung.attached:
        facts.append("all men attached")
    # The winner of most battles moves the marker by one rung, which needs no words.
    if rung.moves == 0:
        facts.append("the marker stays")
    elif rung.moves > 1:
        facts.append(f"moves the marker {rung.moves} rungs")
    if rung.points:
        facts.append(f"winner: {_points(rung.points)} more")
    if rung.prize:
        facts.append(f"winner: {rung.prize} points of replacements more")
    terms = "; ".join(facts)
    # The ground is described in a sentence of its own.
    if terms and rung.ground:
        return f"{terms}. {rung.ground}"
    return terms or rung.ground
