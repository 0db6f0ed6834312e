"""The drafted shot as a page: its chance, its total effect, and what one change would do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby

from skirmish.games.plastic.battle.odds import (
    Knowledge,
    VolleyOdds,
    WhatIf,
    pack_of,
    volley_odds,
    what_ifs,
)
from skirmish.games.plastic.battle.orders import Again, Fire, Volley
from skirmish.games.plastic.battle.orders.firing import Prepared, prepared
from skirmish.games.plastic.battle.rows import find, row_of
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds.pack import Pack, draws_of, one_shot, read
from skirmish.games.plastic.odds.rounding import hundredths, nearest, percent
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.shot import CLOSE_PHASES, Aim, before, run
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.commands import Outlook
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import Block, Page, Paragraph, Table, table
from skirmish.tabletop.refusal import Refused

SEEN = {
    "cover": ("c", "in the open", "in cover"),
    "hull_down": ("h", "in full view", "hull down"),
    "rear": ("b", "from the front", "from behind"),
    "close": ("n", "over 3\u00a0in", "within 3\u00a0in"),
    "grouped": ("l", "in a group", "alone"),
    "apart": ("a", "in contact", "not touching"),
}
"""The circumstances of a shot: key, default and alternative."""
DEFAULTS = {name: bool(getattr(Fire(shooter="", target=""), name)) for name in SEEN}
"""The default of each circumstance."""

AGAINST = {
    "no_target": "may not fire at it",
    "already_fired": "has fired",
    "disarmed": "broken down",
    "touch_only": "only in contact",
}
"""Reasons against a shot in a few words."""
FOREGONE = (">99", "100", "<1", "0")
"""Numbers of kills with these percentages are as good as sure or impossible, and left out."""
MOST_NUMBERS, MOST_IF_NEAR = 9, 4
"""The most numbers of kills shown, those nearest to one half; ``MOST_IF_NEAR`` while the number in
reach is open."""
TENTHS = 10
WORTH_A_SENTENCE = Fraction(1, 100)
"""Chances of a broken army below this are left out where one question is asked at a time."""


def shot_page(state: State, order: Fire | Again, knowledge: Knowledge) -> Page:
    try:
        shot = prepared(state, order)
    except Refused as refused:
        return Page("", (Paragraph(refused.refusal.message, lead="No.", tone="bad"),))
    target, needs = _target(state, shot), f"   {run(shot.aim.needs)}"
    line = f"{_shooter(state, shot)} > {target}"
    if isinstance(order, Volley):
        line, needs = f"{order.count} {line}", f"{needs}, {shot.reach} in reach"
    if shot.more:
        line, needs = f"{_squads(state, shot)} > {target}", f"   {shot.reach} in reach"
    blocks: list[Block]
    if shot.advice:
        blocks = [
            Paragraph(f"{line}{needs}", tone="strong"),
            Paragraph(f"{shot.advice.message} ! fires anyway.", tone="bad"),
        ]
    else:
        known = pack_of(state, shot.side, knowledge)
        found = one_shot(shot.aim, known.pack)
        chance = f"{_whole(found.hit)}% ({found.hits} of {found.of}){_noted(known.note)}."
        if type(order) is Fire:  # with the number in a sentence
            chance, needs = f"{chance} {before(shot.aim, die=known.pack.die)}", ""
        chance += _left_out(state, shot.aim)
        if shot.more:
            chance = _each(state, shot, known.pack)
        blocks = [Paragraph(chance, lead=f"{line}{needs}  ")]
        volley = volley_odds(state, order, shot, knowledge)
        if volley is not None and (text := in_all(volley)):
            blocks.append(text)
    others = what_if_table(state, order, knowledge)
    return Page("", (*blocks, others) if others else tuple(blocks))


def reach_words(state: State, shooter: str) -> str:
    """``A Tank reaches 36 in with its Cannon, 24 in with its Machinegun.`` Empty in contact, where
    no range counts, and for a row that is gone."""
    row = find(state, shooter)
    if row is None or state.clock.phase in CLOSE_PHASES:
        return ""
    weapons = {weapon.id: weapon for weapon in row.weapons}.values()
    parts = []
    for weapon in weapons:
        reach = inches(weapon.range)
        if len(weapons) > 1:
            reach += f" with its {weapon.name}"
        if weapon.guys is not None and weapon.guys.range is not None:  # a sniper sees men farther
            reach += f", {inches(weapon.guys.range)} at guys"
        parts.append(reach)
    if not parts:
        return ""
    return f"{a_unit(row.unit.name, 'A')} reaches {', '.join(parts)}."


def same_shot_words(state: State, order: Fire) -> str:
    """``Rifle > Rifle, in cover``: a shot that could be fired as it was before. Empty if the rules
    refuse it or advise against it."""
    try:
        shot = prepared(state, order)
    except Refused:
        return ""
    if shot.advice is not None:
        return ""
    count = f"{order.count} " if isinstance(order, Volley) else ""
    words = [f"{count}{_shooter(state, shot)} > {_target(state, shot)}"]
    for name in SEEN:
        if getattr(order, name) != DEFAULTS[name]:
            words.append(seen_words(order, name))
    return ", ".join(words)


def _shooter(state: State, shot: Prepared) -> str:
    """``Rifle``, or ``Rifle (Rearguard)`` if his side has riflemen in several groups."""
    return f"{shot.shot.shooter.short}{_shooters_group(state, shot)}"


def _target(state: State, shot: Prepared) -> str:
    """The unit aimed at, with its group like ``_shooter``."""
    return f"{shot.shot.target.short}{_targets_group(state, shot)}"


def _shooters_group(state: State, shot: Prepared) -> str:
    return state.words.group_of(row_of(state, shot.shooting.piece))


def _targets_group(state: State, shot: Prepared) -> str:
    return state.words.group_of(shot.shooting.target)


def _squads(state: State, shot: Prepared) -> str:
    """``8 Rifle, 2 Machinegun``: who fires in a mixed volley."""
    return ", ".join(f"{len(squad.pieces)} {_shooter(state, squad)}" for squad in shot.squads)


def _each(state: State, shot: Prepared, pack: Pack) -> str:
    """What each row of a mixed volley needs, and its chance."""
    parts = []
    for squad in shot.squads:
        hit = _whole(one_shot(squad.aim, pack).hit)
        parts.append(f"{_shooter(state, squad)} {run(squad.aim.needs)}, {hit}%")
    return "; ".join(parts) + "."


def _noted(note: str) -> str:
    return f", {note}" if note else ""


def _left_out(state: State, aim: Aim) -> str:
    """The note that the odds leave out a card after the breakdown card, which may hit under one
    answer to P82."""
    if not aim.may_break or state.setup.rulings["P82"] != "shot_too":
        return ""
    return " A second card that hits is left out."


# ------------------------------------------------------------------ in all


def in_all(found: VolleyOdds) -> Paragraph | None:
    """The possible results of a volley or a chain of shots; None for a single shot that breaks
    nothing. What may still be typed is said by the question below it."""
    beside = list(_beside(found))
    if found.shooters == 1 and not found.repeat:
        return Paragraph("; ".join(beside) + ".", lead="This shot:") if beside else None
    kills = found.kills
    if kills is None:
        return Paragraph("too many to work out here; try skirmish odds.", lead="In all:")
    if found.lost:
        beside.append(f"breakdown {percent(found.lost)}%")
    chances = {count: kills.at_least(count) for count in range(1, max(kills.kills()) + 1)}
    if not chances:
        return Paragraph("; ".join(["No card that is left kills", *beside]) + ".", lead="In all:")
    if not found.counted:
        numbers = "; ".join([_at_least(chances, MOST_IF_NEAR), *beside])
        return Paragraph(f"{numbers}.", lead="Killed, if enough are near:")
    most = "at most " if found.at_most else ""
    expected = f"{most}{hundredths(kills.expected())} of {found.reach} killed"
    numbers = "; ".join([expected, _at_least(chances, MOST_NUMBERS), *beside])
    return Paragraph(f"{numbers}.", lead="In all:")


def sentence(found: VolleyOdds) -> str:
    sentences = []
    if found.kills is not None and found.repeat:
        two = f"The chance of two or more kills is {percent(found.kills.at_least(2))}%"
        if found.counted:
            sentences.append(f"All his shots kill {hundredths(found.kills.expected())} on average.")
        if found.reach > 1:
            sentences.append(f"{two}." if found.counted else f"{two}, if enough are near.")
    if found.breaks is not None and found.breaks[1] >= WORTH_A_SENTENCE:
        least, most = found.breaks
        chance = spanned(found.breaks)
        if least < WORTH_A_SENTENCE:
            chance = f"at most {percent(most)}%"
        sentences.append(f"The chance that it breaks their army is {chance}.")
    if found.pinned is not None:
        pinned = f"{spanned(found.pinned)}{_noted(found.pin_note)}"
        sentences.append(f"The chance that survivors are pinned is {pinned}.")
    return " ".join(sentences)


def spanned(chances: tuple[Fraction, Fraction]) -> str:
    """``12%``, or ``12–40%`` if it depends on who dies."""
    least, most = map(percent, chances)
    return f"{least}%" if least == most else f"{least}–{most}%"


def _beside(found: VolleyOdds) -> Iterator[str]:
    if found.breaks is not None:
        yield f"breaks their army {spanned(found.breaks)}"
    if found.pinned is not None:
        noted = f" ({found.pin_note})" if found.pin_note else ""
        yield f"pinned {spanned(found.pinned)}{noted}"


def _at_least(chances: dict[int, Fraction], numbers: int) -> str:
    """``1+ 89% 2+ 60%``: the uncertain numbers of kills, those nearest to one half."""
    every = [count for count, chance in chances.items() if percent(chance) not in FOREGONE]
    most = max(chances)
    every = every or [most if percent(chances[most]) in FOREGONE[:2] else 1]
    near = sorted(every, key=lambda count: abs(chances[count] - Fraction(1, 2)))[:numbers]
    shown = "  ".join(f"{count}+ {percent(chances[count])}%" for count in sorted(near))
    fewer, more = min(near) > every[0], max(near) < every[-1]
    return f"{'… ' * fewer}{shown}{' …' * more}"


# ------------------------------------------------------------------ what if


def what_if_table(state: State, order: Fire | Again, knowledge: Knowledge) -> Table | None:
    """The shot, then each change with its key: the number needed, the chance, the difference in
    points, and the chance that the target itself dies. None if no change makes a difference."""
    found = what_ifs(state, order)
    if not found or found[0].shot is None or found[0].shot.more:
        return None  # the shots of a mixed volley differ
    pack = pack_of(state, found[0].shot.side, knowledge).pack
    now = None if found[0].against else one_shot(found[0].shot.aim, pack).hit
    titles = ("", "What if", "needs", "chance", "", "man aimed at")
    return table(titles, [_row(state, one, pack, now) for one in found], numbers=(3, 4, 5))


def _row(state: State, one: WhatIf, pack: Pack, now: Fraction | None) -> tuple[str, ...]:
    key = "" if one.kind == "now" else what_if_key(one.kind)
    text = words_of(state, one)
    if one.against is not None or one.shot is None:
        why_not = AGAINST.get(one.against.code, one.against.message) if one.against else ""
        return key, text, "", "no", "", why_not
    found = one_shot(one.shot.aim, pack)
    man = f"{_whole(found.exact)}%" if one.shot.aim.at_guy else ""
    than = ""
    if key and now is not None:  # of the numbers that are shown
        more = _whole(found.hit) - _whole(now)
        than = f"{more:+}" if more else "="
    return key, text, run(one.shot.aim.needs), f"{_whole(found.hit)}%", than, man


def what_if_key(kind: str) -> str:
    return SEEN[kind][0] if kind in SEEN else {"weapon": "w", "shooter": "o"}[kind]


def words_of(state: State, row: WhatIf) -> str:
    order, shot = row.order, row.shot
    if row.kind == "now":
        return "as it stands"
    if row.kind == "weapon" and isinstance(order, Fire):
        return state.setup.catalog.weapons[order.weapon or ""].name
    if row.kind == "shooter" and shot is not None:
        return (f"{order.count} " if isinstance(order, Volley) else "") + _shooter(state, shot)
    return seen_words(order, row.kind)


def seen_words(order: Fire | Again, name: str) -> str:
    return SEEN[name][1 + (getattr(order, name) != DEFAULTS[name])]


def _whole(chance: Fraction) -> int:
    return nearest(100 * chance)


# ------------------------------------------------------------------ for newcomers


def outlook(state: State, order: Fire | Again, knowledge: Knowledge) -> Outlook:
    """The odds of a drafted shot, without abbreviations."""
    try:
        shot = prepared(state, order)
    except Refused as refused:
        return Outlook(sentences=(refused.refusal.message,))
    shooter, target = shot.shot.shooter, shot.shot.target
    who = f"{a_unit(shooter.name, 'A')}{_shooters_group(state, shot)}"
    text = f"{who} fires at {a_unit(target.name)}{_targets_group(state, shot)}."
    if isinstance(order, Volley):
        text = f"{_squads(state, shot)} fire at {_target(state, shot)}, {shot.reach} in reach."
    known = pack_of(state, shot.side, knowledge)
    if shot.more:
        every = volley_odds(state, order, shot, knowledge)
        more = sentence(every) if every is not None else ""
        return Outlook(
            text=text, sentences=tuple(filter(None, (_each(state, shot, known.pack), more)))
        )
    found = one_shot(shot.aim, known.pack)
    likely = chance(found.hit)
    percent = f"{likely[0].upper()}{likely[1:]}, {_whole(found.hit)}%{_noted(known.note)}."
    sentences = [f"{percent} {what_hits(shot.aim, known.pack.die)}{_left_out(state, shot.aim)}"]
    every = volley_odds(state, order, shot, knowledge)
    if every is not None and (more := sentence(every)):
        sentences.append(more)
    return Outlook(likely.removeprefix("about "), text, tuple(sentences))


def chance(hit: Fraction) -> str:
    """``7 in 10``, ``about 7 in 10``, ``less than 1 in 10``."""
    if not hit:
        return "no chance"
    if hit == 1:
        return "it always hits"
    tenths = nearest(TENTHS * hit)
    if tenths == 0:
        return "less than 1 in 10"
    if tenths == TENTHS:
        return "more than 9 in 10"
    return f"{tenths} in 10" if TENTHS * hit == tenths else f"about {tenths} in 10"


def what_hits(aim: Aim, die: bool) -> str:
    """``Ace to 8 hits.`` If the colour matters, both colours are named."""
    hits = draws_of(read(aim, die).hits, die)
    if die:
        return f"{_spans(hits)} hits." if hits else "No roll hits."
    red, black = (_spans([card for card in hits if card.suit == suit]) for suit in "HS")
    if red == black:
        return f"{red.capitalize()} hits." if red else "No card hits."
    reds = f"Red: {red} hits." if red else "No red card hits."
    return f"{reds} Black: {black} hits." if black else f"{reds} Black never hits."


def _spans(draws: Iterable[Draw]) -> str:
    """``ace to 5, 7``: consecutive ranks are a range."""
    ranks = {
        one.rank: one.words.partition(" of ")[0] if one.suit else str(one.rank) for one in draws
    }
    together = groupby(enumerate(sorted(ranks)), lambda at: at[1] - at[0])
    spans = ([ranks[rank] for _, rank in span] for _, span in together)
    return ", ".join(span[0] if len(span) == 1 else f"{span[0]} to {span[-1]}" for span in spans)
