"""What the shot panel says of a shot: the question that is open, what can change it, its odds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from skirmish.app.battle.mode import Mode, Said
from skirmish.app.guard import extra
from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.names import row_side
from skirmish.games.plastic.battle.odds import Knowledge, odds
from skirmish.games.plastic.battle.orders import Volley
from skirmish.games.plastic.battle.orders.firing import Prepared, prepared
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import find
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.shot import before, run
from skirmish.tabletop.measure import inches
from skirmish.tabletop.refusal import Refused

if TYPE_CHECKING:
    from skirmish.app.battle.draft import Draft


def lines_of(mode: Mode, play: BattlePlay, knowledge: Knowledge) -> list[Said]:
    """What a mode says; the chances of a shot with what may be known of the deck."""
    from skirmish.app.battle.draft import Draft

    draft = mode.under
    if isinstance(draft, Draft):
        return list(drafted(play.state, draft, knowledge))
    return mode.lines(play)


def drafted(state: State, draft: Draft, knowledge: Knowledge = "full") -> Iterator[Said]:
    """A shot as far as it is put together."""
    order = draft.order
    if isinstance(state.ask, RepeatAsk) and draft.again:
        yield _repeat_offer(state, state.ask)
    if order is None:
        yield _first_question(state, draft)
        return
    try:
        shot = prepared(state, order)
    except Refused as refused:
        yield [("NO  ", "key"), (refused.refusal.says, "")]
        return
    many = f"{order.count} " if isinstance(order, Volley) else ""
    line: Said = [
        (f"{many}{shot.shot.shooter.short} > {shot.shot.target.short}", "strong"),
        (f"   {run(shot.aim.needs)} ", "key"),
    ]
    if isinstance(order, Volley):
        line.append((f" {shot.reach} in reach ", "strong" if draft.reach else ""))
    if draft.weapons(state) and shot.shot.weapon:
        line += [(" w ", "key"), (shot.shot.weapon.name, "")]
    for key, words, unusual in draft.toggles(state):
        shown = f" {key} " if draft.naming(state) is None else "  "
        line += [(shown, "key"), (words, "strong" if unusual else "")]
    yield line
    yield from _last_line(state, draft, shot, knowledge)


def _last_line(state: State, draft: Draft, shot: Prepared, knowledge: Knowledge) -> Iterator[Said]:
    if shot.advice:
        yield [(shot.advice.says, "alarm"), ("  ! fires anyway", "key"), ("  F1 why", "key")]
        return

    def told() -> str:
        found = odds(state, shot.aim, shot.side, knowledge)
        noted = f", {found.note}" if found.note else ""
        return f"{found.percent}% ({found.hits} of {found.of}){noted}"

    chance = extra("The odds are", told, lambda says: says.removesuffix("."))
    if draft.again:
        line: Said = [(f"next: {chance}", "dim")]
        row = find(state, shot.shooting.target)
        if row is not None and not draft.named:
            line += [("   ", ""), (row.letter, "key"), (" for cover or distance", "dim")]
        yield line
        return
    die = state.sources[state.source_of(shot.side)].kind == "die"
    more = "" if isinstance(draft.order, Volley) else f" {before(shot.aim, die=die)}"
    yield [(f"{chance}.{more}", "dim"), ("  Space draws", "key")]


def _repeat_offer(state: State, ask: RepeatAsk) -> Said:
    return [
        ("FIRE AGAIN? ", "key"),
        (f"(within {inches(ask.within)} of the {ask.of})  ", ""),
        ("Space", "key"),
        (" fires, ", ""),
        ("letter", "key"),
        (" re-aims, ", ""),
        ("Esc", "key"),
        (" stops", ""),
    ]


def _first_question(state: State, draft: Draft) -> Said:
    if draft.shooter is None:
        unit = a_unit(state.setup.of(state.firing_side, "unit"))
        many = f"{draft.count} OF WHICH UNIT FIRE?  " if draft.count else "WHO FIRES?  "
        return [(many, "key"), (f"Choose {unit}.", "")]
    row = find(state, draft.shooter)
    name = row.unit.short if row else ""
    many = f"{draft.count} " if draft.count else ""
    enemy = state.setup.of(state.setup.enemy_of(row_side(draft.shooter)).id, "unit")
    return [
        (f"{many}{name} > ", "strong"),
        ("AT WHOM?  ", "key"),
        (f"Choose {a_unit(enemy)}.", ""),
    ]
