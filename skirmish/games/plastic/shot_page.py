"""The shot in hand as a page: its chance, what it comes to in all, what one thing would change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from skirmish.games.plastic.battle.names import row_side
from skirmish.games.plastic.battle.odds import (
    Knowledge,
    Odds,
    VolleyOdds,
    WhatIf,
    odds,
    pack_of,
    volley_odds,
    what_ifs,
)
from skirmish.games.plastic.battle.orders import Again, Fire, Volley
from skirmish.games.plastic.battle.orders.firing import Prepared, prepared
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds.rounding import hundredths, nearest, percent
from skirmish.games.plastic.odds.single import ShotOdds
from skirmish.games.plastic.rules.catalog import DECK, DIE, a_unit
from skirmish.games.plastic.rules.shot import Aim, before, judge, run
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.commands import Outlook
from skirmish.tabletop.page import Block, Page, Paragraph, Table, table
from skirmish.tabletop.refusal import Refusal, Refused

SEEN = {
    "cover": ("c", "in the open", "in cover"),
    "hull_down": ("h", "in full view", "hull down"),
    "rear": ("b", "from the front", "from behind"),
    "close": ("n", "over 3\u00a0in", "within 3\u00a0in"),
    "grouped": ("l", "in a group", "alone"),
    "apart": ("a", "in contact", "not touching"),
}
"""What eyes see of a shot: its key, how it usually is, and how it is otherwise."""
USUAL = {name: bool(getattr(Fire(shooter="", target=""), name)) for name in SEEN}
"""Each of them when nobody says otherwise."""

AGAINST = {
    "no_target": "may not fire at it",
    "already_fired": "has fired",
    "disarmed": "broken down",
    "touch_only": "only in contact",
}
"""Reasons against a shot in a few words."""
FOREGONE = (">99", "100", "<1", "0")
"""Of numbers of kills that are as good as sure, or hardly ever come, none need be told."""
MOST_NUMBERS, MOST_IF_NEAR = 9, 4
"""So many numbers of kills are told, those nearest to one half; and where nobody said how many are
near."""
RANKS = {1: "ace", 11: "jack", 12: "queen", 13: "king"}
TENTHS = 10


def shot_page(state: State, order: Fire | Again, knowledge: Knowledge) -> Page:
    """A shot before it is fired. One that makes no sense says why."""
    try:
        shot = prepared(state, order)
    except Refused as refused:
        return Page("", (Paragraph(refused.refusal.message, lead="No.", tone="bad"),))
    many = f"{order.count} " if isinstance(order, Volley) else ""
    reach = f", {shot.reach} in reach" if isinstance(order, Volley) else ""
    target = shot.shot.target.short
    line = f"{many}{shot.shot.shooter.short} > {target}   {run(shot.aim.needs)}{reach}"
    blocks: list[Block]
    if shot.advice:
        blocks = [
            Paragraph(line, tone="strong"),
            Paragraph(f"{shot.advice.message} ! fires anyway.", tone="bad"),
        ]
    else:
        blocks = [Paragraph(_chance(state, order, shot, knowledge), lead=f"{line}  ")]
        found = volley_odds(state, order, shot, knowledge)
        named = isinstance(order, Fire)
        if found is not None and (said := in_all(found, named=named)):
            blocks.append(said)
    others = what_if_table(state, order, knowledge)
    return Page("", (*blocks, others) if others else tuple(blocks))


def _chance(state: State, order: Fire | Again, shot: Prepared, knowledge: Knowledge) -> str:
    """``67% (32 of 48). Ace to 8 hits.``"""
    found = odds(state, shot.aim, shot.side, knowledge)
    noted = f", {found.note}" if found.note else ""
    die = state.sources[state.source_of(shot.side)].kind == "die"
    more = f" {before(shot.aim, die=die)}" if type(order) is Fire else ""
    return (
        f"{found.percent}% ({found.hits} of {found.of}){noted}.{more}{_left_out(state, shot.aim)}"
    )


def _left_out(state: State, aim: Aim) -> str:
    """Under one answer of P82 a card after the breakdown card may hit; the odds do not reckon
    that."""
    if not aim.may_break or state.setup.rulings["P82"] != "shot_too":
        return ""
    return " A second card that hits is left out."


# ------------------------------------------------------------------ in all


def in_all(found: VolleyOdds, *, named: bool) -> Paragraph | None:
    """What a volley or a chain of shots may come to; None where one shot is all, and breaks
    nothing. ``named``: how many are in reach may still be typed."""
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
        said = "; ".join([_at_least(chances, MOST_IF_NEAR), *beside])
        more = " Type how many are near." if named else ""
        return Paragraph(f"{said}.{more}", lead="Killed, if enough are near:")
    most = "at most " if found.at_most else ""
    expected = f"{most}{hundredths(kills.expected())} of {found.reach} killed"
    said = "; ".join([expected, _at_least(chances, MOST_NUMBERS), *beside])
    return Paragraph(f"{said}.", lead="In all:")


def sentence(found: VolleyOdds) -> str:
    """The same for people who read sentences; empty where there is nothing to add."""
    told = []
    if found.kills is not None and found.repeat:
        two = f"The chance of two or more kills is {percent(found.kills.at_least(2))}%"
        if found.counted:
            told.append(f"All his shots kill {hundredths(found.kills.expected())} on average.")
        if found.reach > 1:
            told.append(f"{two}." if found.counted else f"{two}, if enough are near.")
    if found.breaks is not None:
        told.append(f"The chance that it breaks their army is {spanned(found.breaks)}.")
    if found.pinned is not None:
        noted = f", {found.pin_note}" if found.pin_note else ""
        told.append(f"The chance that survivors are pinned is {spanned(found.pinned)}{noted}.")
    return " ".join(told)


def spanned(chances: tuple[Fraction, Fraction]) -> str:
    """``12%``, or ``12–40%`` where it hangs on who dies."""
    least, most = map(percent, chances)
    return f"{least}%" if least == most else f"{least}–{most}%"


def _beside(found: VolleyOdds) -> Iterator[str]:
    if found.breaks is not None:
        yield f"breaks their army {spanned(found.breaks)}"
    if found.pinned is not None:
        noted = f" ({found.pin_note})" if found.pin_note else ""
        yield f"pinned {spanned(found.pinned)}{noted}"


def _at_least(chances: dict[int, Fraction], numbers: int) -> str:
    """``1+ 89%  2+ 60%``: the numbers of kills that are open, those nearest to one half."""
    every = [count for count, chance in chances.items() if percent(chance) not in FOREGONE]
    most = max(chances)
    every = every or [most if percent(chances[most]) in FOREGONE[:2] else 1]
    near = sorted(every, key=lambda count: abs(chances[count] - Fraction(1, 2)))[:numbers]
    told = "  ".join(f"{count}+ {percent(chances[count])}%" for count in sorted(near))
    fewer, more = min(near) > every[0], max(near) < every[-1]
    return f"{'… ' * fewer}{told}{' …' * more}"


# ------------------------------------------------------------------ what if


def what_if_table(state: State, order: Fire | Again, knowledge: Knowledge) -> Table | None:
    """The shot as it stands, then each change with its key: what it needs, its chance, how many
    points more or less, and the chance that the very man aimed at dies. None where nothing would
    make a difference."""
    side = row_side(order.shooter) if isinstance(order, Fire) else _firer(state)
    found = what_ifs(state, order, pack_of(state, side, knowledge).pack)
    if not found:
        return None
    now = found[0].odds if found[0].against is None else None
    titles = ("", "What if", "needs", "chance", "", "man aimed at")
    return table(titles, [_row(state, one, now) for one in found], numbers=(3, 4, 5))


def _firer(state: State) -> str:
    shot = getattr(state.ask, "shot", None)
    return shot.piece.partition(":")[0] if shot else state.firing_side


def _row(state: State, one: WhatIf, now: ShotOdds | None) -> tuple[str, ...]:
    shot, found = one.shot, one.odds
    first = one.kind == "now"
    key = "" if first else what_if_key(one.kind)
    says = words_of(state, one)
    if one.against is not None:
        return key, says, "", "no", "", _against(one.against)
    assert shot is not None
    assert found is not None
    man = f"{_whole(found.exact)}%" if shot.aim.at_guy else ""
    than = "" if first or now is None else _than(found, now)
    return key, says, run(shot.aim.needs), f"{_whole(found.hit)}%", than, man


def what_if_key(kind: str) -> str:
    """The letter that makes this change."""
    return SEEN[kind][0] if kind in SEEN else {"weapon": "w", "shooter": "o"}[kind]


def words_of(state: State, row: WhatIf) -> str:
    """What a row changes, as it would then be."""
    order, shot = row.order, row.shot
    if row.kind == "now":
        return "as it stands"
    if row.kind == "weapon" and isinstance(order, Fire):
        return state.setup.catalog.weapons[order.weapon or ""].name
    if row.kind == "shooter" and shot is not None:
        return (f"{order.count} " if isinstance(order, Volley) else "") + shot.shot.shooter.short
    return seen_words(order, row.kind)


def seen_words(order: Fire | Again, name: str) -> str:
    """How a thing is seen in an order: ``in cover``."""
    return SEEN[name][1 + (getattr(order, name) != USUAL[name])]


def _whole(chance: Fraction) -> int:
    return nearest(100 * chance)


def _than(found: ShotOdds, now: ShotOdds) -> str:
    """How many points more or less than now, of the numbers that are shown."""
    more = _whole(found.hit) - _whole(now.hit)
    return f"{more:+}" if more else "="


def _against(refusal: Refusal) -> str:
    return AGAINST.get(refusal.code, refusal.message)


# ------------------------------------------------------------------ for newcomers


def outlook(state: State, order: Fire | Again, knowledge: Knowledge) -> Outlook:
    """A shot before it is fired, without abbreviations."""
    try:
        shot = prepared(state, order)
    except Refused as refused:
        return Outlook(says=(refused.refusal.message,))
    shooter, target = shot.shot.shooter, shot.shot.target
    text = f"{a_unit(shooter.name, 'A')} fires at {a_unit(target.name)}."
    if isinstance(order, Volley):
        text = f"{order.count} {shooter.short} fire at {target.short}, {shot.reach} in reach."
    found = odds(state, shot.aim, shot.side, knowledge)
    likely, die = chance(found), state.sources[state.source_of(shot.side)].kind == "die"
    noted = f", {found.note}" if found.note else ""
    hits = what_hits(shot.aim, die)
    more = _left_out(state, shot.aim)
    says = [f"{likely[0].upper()}{likely[1:]}, {found.percent}%{noted}. {hits}{more}"]
    every = volley_odds(state, order, shot, knowledge)
    if every is not None and (more := sentence(every)):
        says.append(more)
    return Outlook(likely.removeprefix("about "), text, tuple(says))


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


def _rank(rank: int) -> str:
    return RANKS.get(rank, str(rank))


def _spans(numbers: Iterable[int], said: Callable[[int], str]) -> str:
    """``ace to 5, 7``: numbers that follow one another as a span."""
    return ", ".join(
        said(span[0]) if len(span) == 1 else f"{said(span[0])} to {said(span[-1])}"
        for span in spans(numbers)
    )


def spans(numbers: Iterable[int]) -> list[list[int]]:
    """Numbers that follow one another together."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return found
