"""The drafted shot as a page: its chance, its total effect, and what one change would do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from skirmish.games.plastic.battle.odds import (
    ChanceRange,
    Knowledge,
    VolleyOdds,
    WhatIf,
    pack_of,
    volley_odds,
    what_ifs,
)
from skirmish.games.plastic.battle.orders import Again, Fire, Volley
from skirmish.games.plastic.battle.orders.firing import PreparedShot, prepared
from skirmish.games.plastic.battle.rows import find_row, row_of
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds.pack import Pack, draws_of, judged_draws, one_shot
from skirmish.games.plastic.odds.rounding import hundredths, nearest, percent
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.shot import CLOSE_PHASES, Aim, aim_words, ranks_that_hit
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.commands import Forecast
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import Block, Page, Paragraph, Table, capital, table
from skirmish.tabletop.refusal import Refused


class Circumstance(NamedTuple):
    """What the players see at the table and type: its key, and in words how it is by default and
    how it may be instead."""

    key: str
    default: str
    alternative: str


CIRCUMSTANCES = {
    "cover": Circumstance("c", "in the open", "in cover"),
    "hull_down": Circumstance("h", "in full view", "hull down"),
    "rear": Circumstance("b", "from the front", "from behind"),
    "close": Circumstance("n", "over 3\u00a0in", "within 3\u00a0in"),
    "grouped": Circumstance("l", "in a group", "alone"),
    "apart": Circumstance("a", "in contact", "not touching"),
}
"""The circumstances of a shot, by the field of its order."""
DEFAULTS = {name: bool(getattr(Fire(shooter="", target=""), name)) for name in CIRCUMSTANCES}
"""The default of each circumstance, as an order has it of which nothing else is said."""

AGAINST = {
    "no_target": "may not fire at it",
    "already_fired": "has fired",
    "disarmed": "broken down",
    "touch_only": "only in contact",
}
"""By the code of a refusal, the reason against a shot in a few words, for a narrow column."""
FORBIDDEN = "no"
"""In place of the chance of a shot that the rules forbid."""
AS_GOOD_AS_SURE = (">99", "100")
"""Percentages, as they are printed, of what nearly always happens."""
FOREGONE = (*AS_GOOD_AS_SURE, "<1", "0")
"""Numbers of kills with these percentages, as they are printed, are as good as sure or impossible,
and left out: what is printed as 100 or 0 must not appear, whatever the fraction behind it."""
MOST_NUMBERS, MOST_IF_NEAR = 9, 4
"""The most numbers of kills shown, those nearest to one half; ``MOST_IF_NEAR`` while the number in
reach is open."""
TENTHS = 10
"""For newcomers a chance is so many in ten."""
WORTH_A_SENTENCE = Fraction(1, 100)
"""Chances of a broken army below this are left out where one question is asked at a time."""


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
            total = in_all(volley)
            if total is not None:
                blocks.append(total)
    changes = what_if_table(state, order, knowledge)
    if changes is not None:
        blocks.append(changes)
    return Page("", tuple(blocks))


def _who_at_whom(state: State, order: Fire | Again, shot: PreparedShot) -> str:
    """``3 Rifle > Rifle``, ``8 Rifle, 2 Machinegun > Rifle``"""
    shooter, target = _shooter(state, shot), _target(state, shot)
    if shot.more:
        return f"{_squads(state, shot)} > {target}"
    if isinstance(order, Volley):
        return f"{order.count} {shooter} > {target}"
    return f"{shooter} > {target}"


def _needed(order: Fire | Again, shot: PreparedShot) -> str:
    """What hits, and how many are in reach of a volley. The rows of a mixed one need different
    numbers, which stand after it."""
    if shot.more:
        return f"   {shot.reach} in reach"
    if isinstance(order, Volley):
        return f"   {ranks_that_hit(shot.aim.needs)}, {shot.reach} in reach"
    return f"   {ranks_that_hit(shot.aim.needs)}"


def _chance_line(
    state: State, order: Fire | Again, shot: PreparedShot, knowledge: Knowledge
) -> Paragraph:
    """Who fires at whom, what hits, and the chance of one shot; of a mixed volley that of each
    row."""
    known_pack = pack_of(state, shot.side, knowledge)
    who, needed = _who_at_whom(state, order, shot), _needed(order, shot)
    if shot.more:
        return Paragraph(_each_row(state, shot, known_pack.pack), lead=f"{who}{needed}  ")
    odds = one_shot(shot.aim, known_pack.pack)
    chance = f"{_whole(odds.hit)}% ({odds.hits} of {odds.of}){_noted(known_pack.note)}."
    # Neither a volley, which is a kind of `Fire`, nor a repeat shot.
    if type(order) is Fire:
        # A sentence says what it needs, instead of the number.
        needed = ""
        chance += f" {aim_words(shot.aim, die=known_pack.pack.die)}"
    chance += _left_out(state, shot.aim)
    return Paragraph(chance, lead=f"{who}{needed}  ")


def reach_words(state: State, shooter: str) -> str:
    """``A Tank reaches 36 in with its Cannon, 24 in with its Machinegun.`` Empty in contact, where
    no range counts, and for a row that is gone."""
    row = find_row(state, shooter)
    if row is None or state.clock.phase in CLOSE_PHASES:
        return ""
    # A unit with two weapons of a kind has that weapon twice; its reach is said once.
    weapons = {weapon.id: weapon for weapon in row.weapons}.values()
    parts = []
    for weapon in weapons:
        reach = inches(weapon.range)
        if len(weapons) > 1:
            reach += f" with its {weapon.name}"
        # A sniper sees men farther.
        if weapon.guys is not None and weapon.guys.range is not None:
            reach += f", {inches(weapon.guys.range)} at guys"
        parts.append(reach)
    if not parts:
        return ""
    words = f"{a_unit(row.unit.name, 'A')} reaches {', '.join(parts)}."
    if state.sight_in is not None:
        words += f" Nobody sees beyond {inches(state.sight_in)} now."
    return words


def same_shot_words(state: State, order: Fire) -> str:
    """``Rifle > Rifle, in cover``: a shot that could be fired as it was before. Empty if the rules
    refuse it or advise against it."""
    try:
        shot = prepared(state, order)
    except Refused:
        return ""
    if shot.advice is not None:
        return ""
    shooter = _shooter(state, shot)
    if isinstance(order, Volley):
        shooter = f"{order.count} {shooter}"
    words = [f"{shooter} > {_target(state, shot)}"]
    for name in CIRCUMSTANCES:
        if getattr(order, name) != DEFAULTS[name]:
            words.append(circumstance_words(order, name))
    return ", ".join(words)


def _shooter(state: State, shot: PreparedShot) -> str:
    """``Rifle``, or ``Rifle (Rearguard)`` if his side has riflemen in several groups."""
    return f"{shot.shooter.short}{_shooters_group(state, shot)}"


def _target(state: State, shot: PreparedShot) -> str:
    """The unit aimed at, with its group like ``_shooter``."""
    return f"{shot.target.short}{_targets_group(state, shot)}"


def _shooters_group(state: State, shot: PreparedShot) -> str:
    """`` (Rearguard)``; empty where his side has his unit in one group only."""
    return state.words.contingent_note(row_of(state, shot.shooting.piece))


def _targets_group(state: State, shot: PreparedShot) -> str:
    """``_shooters_group`` for the unit aimed at."""
    return state.words.contingent_note(shot.shooting.target)


def _squads(state: State, shot: PreparedShot) -> str:
    """``8 Rifle, 2 Machinegun``: who fires in a mixed volley."""
    return ", ".join(f"{len(squad.pieces)} {_shooter(state, squad)}" for squad in shot.squads)


def _each_row(state: State, shot: PreparedShot, pack: Pack) -> str:
    """What each row of a mixed volley needs, and its chance."""
    parts = []
    for squad in shot.squads:
        hit = _whole(one_shot(squad.aim, pack).hit)
        parts.append(f"{_shooter(state, squad)} {ranks_that_hit(squad.aim.needs)}, {hit}%")
    return "; ".join(parts) + "."


def _noted(note: str) -> str:
    """``, fresh deck``; nothing without a note."""
    if not note:
        return ""
    return f", {note}"


def _left_out(state: State, aim: Aim) -> str:
    """The note that the odds leave out a card after the breakdown card, which may hit under one
    answer to P82."""
    if not aim.may_break or state.setup.rulings["P82"] != "shot_too":
        return ""
    return " A second card that hits is left out."


# ------------------------------------------------------------------ in all


def in_all(odds: VolleyOdds) -> Paragraph | None:
    """The possible results of a volley or of repeat fire, a breakdown included. Of a single shot,
    whose chance to hit stands above, only whether it breaks an army or pins; None if it can do
    neither. What may still be typed is said by the question below it."""
    beside = list(_beside(odds))
    if odds.shooters == 1 and not odds.repeat:
        if not beside:
            return None
        return _in_one_sentence(beside, "This shot:")
    if odds.kills is None:
        return Paragraph("too many to work out here; try skirmish odds.", lead="In all:")
    if odds.lost:
        beside.append(f"breakdown {percent(odds.lost)}%")
    most_killed = max(odds.kills.kills())
    chances = {count: odds.kills.at_least(count) for count in range(1, most_killed + 1)}
    if not chances:
        return _in_one_sentence(["No card that is left kills", *beside], "In all:")
    if not odds.counted:
        lead = "Killed, if enough are near:"
        return _in_one_sentence([_at_least(chances, MOST_IF_NEAR), *beside], lead)
    expected = f"{hundredths(odds.kills.expected())} of {odds.reach} killed"
    if odds.at_most:
        expected = f"at most {expected}"
    return _in_one_sentence([expected, _at_least(chances, MOST_NUMBERS), *beside], "In all:")


def _in_one_sentence(parts: list[str], lead: str) -> Paragraph:
    """``In all: 1.75 of 8 killed; breaks their army 12%.``"""
    return Paragraph("; ".join(parts) + ".", lead=lead)


def sentence(odds: VolleyOdds) -> str:
    """What ``in_all`` says, for newcomers, without abbreviations; empty where there is nothing."""
    sentences = []
    if odds.kills is not None and odds.repeat:
        if odds.counted:
            sentences.append(f"All his shots kill {hundredths(odds.kills.expected())} on average.")
        if odds.reach > 1:
            two_or_more = f"The chance of two or more kills is {percent(odds.kills.at_least(2))}%"
            if not odds.counted:
                two_or_more += ", if enough are near"
            sentences.append(f"{two_or_more}.")
    if odds.breaks is not None:
        chance = spanned(odds.breaks)
        if odds.breaks.least < WORTH_A_SENTENCE:
            chance = f"at most {percent(odds.breaks.most)}%"
        if odds.breaks.most >= WORTH_A_SENTENCE:
            sentences.append(f"The chance that it breaks their army is {chance}.")
    if odds.pinned is not None:
        pinned = f"{spanned(odds.pinned)}{_noted(odds.pin_note)}"
        sentences.append(f"The chance that survivors are pinned is {pinned}.")
    return " ".join(sentences)


def spanned(chances: ChanceRange) -> str:
    """``12%``, or ``12–40%`` if it depends on who dies."""
    least, most = percent(chances.least), percent(chances.most)
    if least == most:
        return f"{least}%"
    return f"{least}–{most}%"


def _beside(odds: VolleyOdds) -> Iterator[str]:
    """What it may do besides kills."""
    if odds.breaks is not None:
        yield f"breaks their army {spanned(odds.breaks)}"
    if odds.pinned is not None:
        pinned = f"pinned {spanned(odds.pinned)}"
        if odds.pin_note:
            pinned += f" ({odds.pin_note})"
        yield pinned


def _at_least(chances: dict[int, Fraction], numbers: int) -> str:
    """``1+ 89% 2+ 60%``: the uncertain numbers of kills, those nearest to one half; ``…`` where
    there are others."""
    uncertain = []
    for count, chance in chances.items():
        if percent(chance) not in FOREGONE:
            uncertain.append(count)
    if not uncertain:
        # All as good as sure: the highest number says most. Else the lowest one does.
        highest = max(chances)
        uncertain = [1]
        if percent(chances[highest]) in AS_GOOD_AS_SURE:
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


# ------------------------------------------------------------------ what if


def what_if_table(state: State, order: Fire | Again, knowledge: Knowledge) -> Table | None:
    """The shot, then each change with its key: the number needed, the chance, the difference in
    points, and the chance that the target itself dies. None if no change makes a difference."""
    changes = what_ifs(state, order)
    if not changes:
        return None
    as_it_stands = changes[0]
    shot = as_it_stands.shot
    # The shots of a mixed volley differ, so no number holds for all of them.
    if shot is None or shot.more:
        return None
    pack = pack_of(state, shot.side, knowledge).pack
    present_chance = None
    if not as_it_stands.against:
        present_chance = one_shot(shot.aim, pack).hit
    rows = [_row(state, change, pack, present_chance) for change in changes]
    titles = ("", "What if", "needs", "chance", "", "man aimed at")
    return table(titles, rows, numbers=(3, 4, 5))


class ChangeRow(NamedTuple):
    """The cells of a change in the table of what-ifs: its key (empty for the shot as it stands),
    its words, the number needed, the chance, the ``difference`` in points to the shot as it stands,
    and the chance that the man aimed at dies. A change that the rules forbid has the chance ``no``,
    and the reason in place of the last."""

    key: str
    words: str
    needs: str
    chance: str
    difference: str
    man_aimed_at: str

    @property
    def is_forbidden(self) -> bool:
        """Whether the rules forbid the shot with this change."""
        return self.chance == FORBIDDEN


def _row(state: State, change: WhatIf, pack: Pack, present_chance: Fraction | None) -> ChangeRow:
    """The line of one change of a shot. ``present_chance`` is that of the shot as it stands, None
    if it is forbidden."""
    key = ""
    if change.kind != "now":
        key = what_if_key(change.kind)
    text = words_of(state, change)
    if change.against is not None:
        why_not = AGAINST.get(change.against.code, change.against.message)
        return ChangeRow(key, text, "", FORBIDDEN, "", why_not)
    if change.shot is None:
        return ChangeRow(key, text, "", FORBIDDEN, "", "")
    odds = one_shot(change.shot.aim, pack)
    difference = ""
    if key and present_chance is not None:
        difference = _difference(odds.hit, present_chance)
    man_aimed_at = ""
    if change.shot.aim.at_guy:
        man_aimed_at = f"{_whole(odds.exact)}%"
    needs = ranks_that_hit(change.shot.aim.needs)
    return ChangeRow(key, text, needs, f"{_whole(odds.hit)}%", difference, man_aimed_at)


def _difference(chance: Fraction, present_chance: Fraction) -> str:
    """``+8``, ``=``: in points, of the numbers that are shown, so that they add up."""
    points = _whole(chance) - _whole(present_chance)
    if not points:
        return "="
    return f"{points:+}"


def what_if_key(kind: str) -> str:
    """The key that makes a change."""
    if kind == "weapon":
        return "w"
    if kind == "shooter":
        return "o"
    return CIRCUMSTANCES[kind].key


def words_of(state: State, change: WhatIf) -> str:
    """What a change is: other circumstances, another weapon, another shooter."""
    order, shot = change.order, change.shot
    if change.kind == "now":
        return "as it stands"
    if change.kind == "weapon" and isinstance(order, Fire):
        return state.setup.catalog.weapons[order.weapon or ""].name
    if change.kind == "shooter" and shot is not None:
        if isinstance(order, Volley):
            return f"{order.count} {_shooter(state, shot)}"
        return _shooter(state, shot)
    return circumstance_words(order, change.kind)


def circumstance_words(order: Fire | Again, name: str) -> str:
    """How a circumstance stands in an order: ``in the open``, ``in cover``."""
    circumstance = CIRCUMSTANCES[name]
    if getattr(order, name) == DEFAULTS[name]:
        return circumstance.default
    return circumstance.alternative


def _whole(chance: Fraction) -> int:
    """A chance in whole percent."""
    return nearest(100 * chance)


# ------------------------------------------------------------------ for newcomers


def forecast(state: State, order: Fire | Again, knowledge: Knowledge) -> Forecast:
    """The odds of a drafted shot, without abbreviations."""
    try:
        shot = prepared(state, order)
    except Refused as refused:
        return Forecast(sentences=(refused.refusal.message,))
    shooter, target = shot.shooter, shot.target
    who = f"{a_unit(shooter.name, 'A')}{_shooters_group(state, shot)}"
    text = f"{who} fires at {a_unit(target.name)}{_targets_group(state, shot)}."
    if isinstance(order, Volley):
        text = f"{_squads(state, shot)} fire at {_target(state, shot)}, {shot.reach} in reach."
    known_pack = pack_of(state, shot.side, knowledge)
    in_all_words = ""
    volley = volley_odds(state, order, shot, knowledge)
    if volley is not None:
        in_all_words = sentence(volley)
    if shot.more:
        large, first_sentence = "", _each_row(state, shot, known_pack.pack)
    else:
        hit = one_shot(shot.aim, known_pack.pack).hit
        # In large words there is no room for "about".
        large = _in_tenths(hit)
        first_sentence = (
            f"{capital(chance_in_words(hit))}, {_whole(hit)}%{_noted(known_pack.note)}. "
            f"{what_hits(shot.aim, known_pack.pack.die)}{_left_out(state, shot.aim)}"
        )
    sentences = [first_sentence]
    if in_all_words:
        sentences.append(in_all_words)
    return Forecast(large, text, tuple(sentences))


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


def what_hits(aim: Aim, die: bool) -> str:
    """``Ace to 8 hits.`` If the colour matters, both colours are named."""
    hits = draws_of(judged_draws(aim, die).hits, die)
    if die:
        if not hits:
            return "No roll hits."
        return f"{_spans(hits)} hits."
    # Both suits of a colour hit alike.
    red = _spans([card for card in hits if card.suit == "H"])
    black = _spans([card for card in hits if card.suit == "S"])
    if red == black:
        if not red:
            return "No card hits."
        return f"{red.capitalize()} hits."
    reds, blacks = "No red card hits.", "Black never hits."
    if red:
        reds = f"Red: {red} hits."
    if black:
        blacks = f"Black: {black} hits."
    return f"{reds} {blacks}"


def _spans(draws: Iterable[Draw]) -> str:
    """``ace to 5, 7``: consecutive ranks are a range."""
    words_by_rank: dict[int, str] = {}
    for draw in draws:
        words_by_rank[draw.rank] = str(draw.rank)
        if draw.suit:
            words_by_rank[draw.rank] = draw.rank_beside_suit
    spans: list[list[int]] = []
    for rank in sorted(words_by_rank):
        if spans and rank == spans[-1][-1] + 1:
            spans[-1].append(rank)
        else:
            spans.append([rank])
    parts = []
    for span in spans:
        first, last = words_by_rank[span[0]], words_by_rank[span[-1]]
        if len(span) == 1:
            parts.append(first)
        else:
            parts.append(f"{first} to {last}")
    return ", ".join(parts)
