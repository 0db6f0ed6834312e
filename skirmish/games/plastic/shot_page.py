"""The drafted shot as a page: its chance, its total effect, and what one change would do."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from skirmish.games.plastic.battle.known_pack import Knowledge, pack_of
from skirmish.games.plastic.battle.odds import VolleyOdds, volley_odds
from skirmish.games.plastic.battle.orders import Again, Fire, Volley
from skirmish.games.plastic.battle.orders.firing import PreparedShot, prepared
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds.pack import one_shot
from skirmish.games.plastic.odds.rounding import hundredths, percent
from skirmish.games.plastic.rules.explanation import aim_words
from skirmish.games.plastic.rules.shot import ranks_that_hit
from skirmish.games.plastic.shot_words import (
    after_comma,
    each_row_words,
    percent_range,
    second_card_note,
    shooter_words,
    squads_words,
    target_words,
    whole_percent,
)
from skirmish.games.plastic.what_if_table import what_if_table
from skirmish.tabletop.page import Block, Page, Paragraph
from skirmish.tabletop.refusal import Refused

GAP = "   "
"""What stands between who fires at whom and what hits."""
MOST_NUMBERS = 9
"""The most numbers of kills that are shown with their chances."""
MOST_NUMBERS_UNCOUNTED = 4
"""The same while the players have not counted how many are in reach."""


def shot_page(state: State, order: Fire | Again, knowledge: Knowledge) -> Page:
    """The chance of the drafted shot, what all of it may do, and what one change would do; or why
    it cannot be fired."""
    try:
        shot = prepared(state, order)
    except Refused as refused:
        return Page("", (Paragraph(refused.refusal.message, lead="No.", tone="bad"),))
    blocks: list[Block]
    if shot.advice:
        blocks = [
            Paragraph(_who_at_whom(state, order, shot) + _needed(order, shot), tone="strong"),
            Paragraph(shot.advice.message, tone="bad", key_note="! fires anyway."),
        ]
    else:
        blocks = [_chance_line(state, order, shot, knowledge)]
        volley = volley_odds(state, order, shot, knowledge)
        if volley is not None:
            total = _all_shots_paragraph(volley)
            if total is not None:
                blocks.append(total)
    changes = what_if_table(state, order, knowledge)
    if changes is not None:
        blocks.append(changes)
    return Page("", tuple(blocks))


def _who_at_whom(state: State, order: Fire | Again, shot: PreparedShot) -> str:
    """``Rifle > Rifle``; of a volley ``3 Rifle > Rifle``, ``8 Rifle, 2 Machinegun > Rifle``."""
    shooter, target = shooter_words(state, shot), target_words(state, shot)
    if shot.more:
        return f"{squads_words(state, shot)} > {target}"
    if isinstance(order, Volley):
        return f"{order.count} {shooter} > {target}"
    return f"{shooter} > {target}"


def _needed(order: Fire | Again, shot: PreparedShot) -> str:
    """What hits, and how many are in reach of a volley, to follow who fires at whom."""
    if shot.more:
        # The rows of a mixed volley need different numbers, which come with their chances.
        return f"{GAP}{shot.reach} in reach"
    if isinstance(order, Volley):
        return f"{GAP}{ranks_that_hit(shot.aim.needs)}, {shot.reach} in reach"
    return f"{GAP}{ranks_that_hit(shot.aim.needs)}"


def _chance_line(
    state: State, order: Fire | Again, shot: PreparedShot, knowledge: Knowledge
) -> Paragraph:
    """Who fires at whom, what hits, and the chance of one shot; of a mixed volley that of each
    row."""
    known_pack = pack_of(state, shot.side, knowledge)
    who, needed = _who_at_whom(state, order, shot), _needed(order, shot)
    if shot.more:
        return Paragraph(each_row_words(state, shot, known_pack.pack), lead=f"{who}{needed}  ")
    odds = one_shot(shot.aim, known_pack.pack)
    chance = (
        f"{whole_percent(odds.hit)}% ({odds.hits} of {odds.draws}){after_comma(known_pack.note)}."
    )
    is_volley = isinstance(order, Volley)
    is_single_shot = isinstance(order, Fire) and not is_volley
    if is_single_shot:
        # A sentence says what it needs, instead of the number.
        needed = ""
        chance += f" {aim_words(shot.aim, die=known_pack.pack.die)}"
    chance += second_card_note(state, shot.aim)
    return Paragraph(chance, lead=f"{who}{needed}  ")


def _all_shots_paragraph(odds: VolleyOdds) -> Paragraph | None:
    """The possible results of a volley or of repeat fire, a breakdown included. Of a single shot,
    whose chance to hit is given above, only whether it breaks an army or pins; None if it can do
    neither."""
    other_effects = list(_other_effects(odds))
    if odds.shooters == 1 and not odds.repeat:
        if not other_effects:
            return None
        return _in_one_sentence(other_effects, "This shot:")
    if odds.kills is None:
        return Paragraph("too many to work out here; try skirmish odds.", lead="In all:")
    if odds.lost:
        other_effects.append(f"breakdown {percent(odds.lost)}%")
    most_killed = max(odds.kills.kills())
    chances = {count: odds.kills.at_least(count) for count in range(1, most_killed + 1)}
    if not chances:
        return _in_one_sentence(["No card that is left kills", *other_effects], "In all:")
    if not odds.counted:
        by_number = _chances_by_number(chances, MOST_NUMBERS_UNCOUNTED)
        return _in_one_sentence([by_number, *other_effects], "Killed, if enough are near:")
    expected = f"{hundredths(odds.kills.expected())} of {odds.reach} killed"
    if odds.at_most:
        expected = f"at most {expected}"
    by_number = _chances_by_number(chances, MOST_NUMBERS)
    return _in_one_sentence([expected, by_number, *other_effects], "In all:")


def _in_one_sentence(parts: list[str], lead: str) -> Paragraph:
    """``In all: 1.75 of 8 killed; breaks their army 12%.``"""
    return Paragraph("; ".join(parts) + ".", lead=lead)


def _other_effects(odds: VolleyOdds) -> Iterator[str]:
    """What the fire may do besides kills."""
    if odds.breaks is not None:
        yield f"breaks their army {percent_range(odds.breaks)}"
    if odds.pinned is not None:
        pinned = f"pinned {percent_range(odds.pinned)}"
        if odds.pin_note:
            pinned += f" ({odds.pin_note})"
        yield pinned


def _chances_by_number(chances: dict[int, Fraction], numbers: int) -> str:
    """``1+ 89%  2+ 60% …``: the chances of so many kills or more. At most so many ``numbers`` of
    kills are shown, those whose chances are nearest to one half; ``…`` stands for the others."""
    uncertain = []
    for count, chance in chances.items():
        # As good as impossible or sure, which tells the players nothing.
        if whole_percent(chance) not in (0, 100):
            uncertain.append(count)
    if not uncertain:
        # If all kills are as good as sure, the highest number says most; otherwise the lowest.
        highest = max(chances)
        uncertain = [1]
        if whole_percent(chances[highest]) == 100:
            uncertain = [highest]

    def distance_from_half(count: int) -> Fraction:
        return abs(chances[count] - Fraction(1, 2))

    nearest_first = sorted(uncertain, key=distance_from_half)
    shown = sorted(nearest_first[:numbers])
    text = "  ".join(f"{count}+ {percent(chances[count])}%" for count in shown)
    if shown[0] > uncertain[0]:
        text = f"… {text}"
    if shown[-1] < uncertain[-1]:
        text = f"{text} …"
    return text
