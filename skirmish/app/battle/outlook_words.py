"""What a volley may come to as a whole, in one line below the chance of its first shot."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rich.cells import cell_len

from skirmish.app.battle.draft import Draft
from skirmish.app.battle.mode import Mode, Said
from skirmish.app.battle.what_if_words import GAP, HEAD
from skirmish.app.fitting import shortened
from skirmish.games.plastic.battle.odds import Knowledge, VolleyOdds, volley_odds
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds.firers import VolleyOutcome
from skirmish.games.plastic.odds.rounding import hundredths, percent
from skirmish.tabletop.refusal import Refused

LABEL = f"{'IN ALL':<{len(HEAD)}}"
TOO_MANY = "too many to work out here; try skirmish odds"
FOREGONE = (">99", "100", "<1", "0")
"""Of numbers of kills that are as good as sure, or hardly ever come, none need be told."""
ENOUGH, COUNT_THEM = "killed if enough are near", "type how many"
"""Of one gun with repeat fire at a group that nobody has counted."""
MORE = "…"
"""Stands where numbers of kills are left out that are neither."""


def in_all(state: State, mode: Mode, knowledge: Knowledge, width: int) -> list[Said]:
    """The line of the shot in hand; none where one shot is all, and breaks nothing."""
    found = in_hand(state, mode, knowledge)
    if found is None:
        return []
    if found.shooters == 1 and not found.repeat:
        more = _parts(found)
        return [_joined([("This shot ", "dim")], more[1:], width)] if more else []
    kills = found.kills
    if kills is None:
        return [[(LABEL, "dim"), (shortened(TOO_MANY, width - len(LABEL)), "dim")]]
    label = LABEL + "at most " * found.at_most
    head: Said = [(label, "dim"), (ENOUGH, "")]
    beside, breakdown = _parts(found), _breakdown(found)
    if found.counted:
        head[1:] = [(hundredths(kills.expected()), "strong"), (f" of {found.reach} killed", "")]
    elif not _goes_on(mode):
        beside += [(GAP, ""), (COUNT_THEM, "key")]
    if found.shooters > 1:
        beside += breakdown
    room = width - _cells(head) - _cells(beside) - 1
    rest = [*_at_least(kills, room), *beside]
    if found.shooters == 1 and _cells([*head, *rest, *breakdown]) <= width:
        rest += breakdown
    return [_joined(head, rest, width)]


def in_hand(state: State, mode: Mode, knowledge: Knowledge) -> VolleyOdds | None:
    """What the drafted shot may come to; None where there is none, or the rules forbid it."""
    draft = mode.under
    order = draft.order if isinstance(draft, Draft) else None
    if order is None:
        return None
    try:
        shot = prepared(state, order)
    except Refused:
        return None
    return volley_odds(state, order, shot, knowledge) if shot.advice is None else None


def _goes_on(mode: Mode) -> bool:
    """Whether it is a repeat shot, at a group that can no longer be counted."""
    return isinstance(mode.under, Draft) and mode.under.again


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


def _parts(found: VolleyOdds) -> Said:
    """What else may come of it, each after a gap."""
    return [part for one in _beside(found) for part in ((GAP, ""), *one)]


def _breakdown(found: VolleyOdds) -> Said:
    """The chance that it costs a shooter; of one gun alone it is small, and told if there is
    room."""
    if not found.lost:
        return []
    return [(GAP, ""), ("breakdown ", ""), (f"{percent(found.lost)}%", "strong")]


def _beside(found: VolleyOdds) -> Iterator[Said]:
    if found.breaks is not None:
        yield [("breaks their army ", ""), (spanned(found.breaks), "strong")]
    if found.pinned is not None:
        noted = f" ({found.pin_note})" if found.pin_note else ""
        yield [("pinned ", ""), (spanned(found.pinned), "strong"), (noted, "dim")]


def _at_least(kills: VolleyOutcome, room: int) -> Said:
    """``1+ 89%  2+ 60%``: the numbers of kills that are open, from the one nearest to one half on
    to both sides, as many as there is room for."""
    most = max(kills.kills())
    chances = {count: kills.at_least(count) for count in range(1, most + 1)}
    every = [count for count, chance in chances.items() if percent(chance) not in FOREGONE]
    every = every or [most if percent(chances[most]) in FOREGONE[:2] else 1]
    first = last = min(range(len(every)), key=lambda at: abs(chances[every[at]] - Fraction(1, 2)))
    found = _span(every, first, last, chances)
    if _cells(found) > room:
        return []
    while True:
        wider = [
            (low, high)
            for low, high in ((first - 1, last), (first, last + 1))
            if low >= 0 and high < len(every) and _cells(_span(every, low, high, chances)) <= room
        ]
        if not wider:
            return found
        first, last = min(wider, key=lambda ends: _least_open(every, ends, chances))
        found = _span(every, first, last, chances)


def _least_open(every: list[int], ends: tuple[int, int], chances: dict[int, Fraction]) -> Fraction:
    """How far from one half the further end of a span is."""
    return max(abs(chances[every[at]] - Fraction(1, 2)) for at in ends)


def _span(every: list[int], first: int, last: int, chances: dict[int, Fraction]) -> Said:
    """The numbers of kills between two places, with a sign where there are more."""
    found: Said = [(GAP, "")]
    found += [(f"{MORE} ", "dim")] if first else []
    for at in range(first, last + 1):
        before = "  " if at > first else ""
        found += [(f"{before}{every[at]}+ ", "dim"), (f"{percent(chances[every[at]])}%", "")]
    return [*found, (f" {MORE}", "dim")] if last < len(every) - 1 else found


def _joined(head: Said, rest: Said, width: int) -> Said:
    """One line that is no longer than the screen."""
    found: Said = []
    left = width
    for text, tone in (*head, *rest):
        if left > 0:
            found.append((shortened(text, left), tone))
        left -= cell_len(text)
    return found


def _cells(line: Said) -> int:
    return sum(cell_len(text) for text, _ in line)
