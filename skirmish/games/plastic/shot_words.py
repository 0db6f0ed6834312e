"""Phrases about a shot: who fires at whom, how far a weapon reaches, chances in percent."""

from __future__ import annotations

from fractions import Fraction

from skirmish.games.plastic.battle.odds import ChanceRange
from skirmish.games.plastic.battle.orders import Fire, Volley
from skirmish.games.plastic.battle.orders.firing import PreparedShot, prepared
from skirmish.games.plastic.battle.rows import find_row, row_of
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds.pack import Pack, one_shot
from skirmish.games.plastic.odds.rounding import nearest, percent
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.shot import CLOSE_PHASES, Aim, ranks_that_hit
from skirmish.games.plastic.shot_circumstances import CIRCUMSTANCES, DEFAULTS, circumstance_words
from skirmish.tabletop.measure import inches
from skirmish.tabletop.refusal import Refused


def reach_words(state: State, shooter: str) -> str:
    """``A Tank reaches 36 in with its Cannon, 24 in with its Machinegun.`` Empty in phases 3 and 4,
    where only units in contact fight, for a row that is gone, and for one without a weapon."""
    row = find_row(state, shooter)
    if row is None or state.clock.phase in CLOSE_PHASES:
        return ""
    # A unit with two weapons of a kind has that weapon twice; its reach is given once.
    weapons = {weapon.id: weapon for weapon in row.weapons}.values()
    parts = []
    for weapon in weapons:
        reach = inches(weapon.range)
        if len(weapons) > 1:
            reach += f" with its {weapon.name}"
        # A sniper reaches guys farther away than models.
        if weapon.guys is not None and weapon.guys.range is not None:
            reach += f", {inches(weapon.guys.range)} at guys"
        parts.append(reach)
    if not parts:
        return ""
    words = f"{a_unit(row.unit.name, 'A')} reaches {', '.join(parts)}."
    if state.sight_in is not None:
        words += f" Nobody sees beyond {inches(state.sight_in)} now."
    return words


def same_shot_words(state: State, order: Fire, arrow: str = " > ") -> str:
    """``Rifle > Rifle, in cover``: an earlier order, which could be given again, with an
    ``arrow`` between shooter and target. Empty if the rules refuse it by now or advise against
    it."""
    try:
        shot = prepared(state, order)
    except Refused:
        return ""
    if shot.advice is not None:
        return ""
    shooter = shooter_words(state, shot)
    if isinstance(order, Volley):
        shooter = f"{order.count} {shooter}"
    words = [f"{shooter}{arrow}{target_words(state, shot)}"]
    for name in CIRCUMSTANCES:
        if getattr(order, name) != DEFAULTS[name]:
            words.append(circumstance_words(order, name))
    return ", ".join(words)


def shooter_words(state: State, shot: PreparedShot) -> str:
    """``Rifle``, or ``Rifle (Rearguard)`` if the side has riflemen in several groups."""
    return f"{shot.shooter.short}{shooters_group_note(state, shot)}"


def target_words(state: State, shot: PreparedShot) -> str:
    """The unit aimed at, with its group as in ``shooter_words``."""
    return f"{shot.target.short}{targets_group_note(state, shot)}"


def shooters_group_note(state: State, shot: PreparedShot) -> str:
    """`` (Rearguard)``; empty where the side has this unit in one group only."""
    return state.words.contingent_note(row_of(state, shot.shooting.piece))


def targets_group_note(state: State, shot: PreparedShot) -> str:
    """The group of the unit aimed at, as in ``shooters_group_note``."""
    return state.words.contingent_note(shot.shooting.target)


def squads_words(state: State, shot: PreparedShot) -> str:
    """``8 Rifle, 2 Machinegun``: who fires in a mixed volley."""
    return ", ".join(f"{len(squad.pieces)} {shooter_words(state, squad)}" for squad in shot.squads)


def each_row_words(state: State, shot: PreparedShot, pack: Pack) -> str:
    """``Rifle A-6, 50%; Machinegun A-8, 67%.``: what each row of a mixed volley needs, and its
    chance."""
    parts = []
    for squad in shot.squads:
        hit = whole_percent(one_shot(squad.aim, pack).hit)
        parts.append(f"{shooter_words(state, squad)} {ranks_that_hit(squad.aim.needs)}, {hit}%")
    return "; ".join(parts) + "."


def after_comma(note: str) -> str:
    """``, fresh deck``; nothing without a note."""
    if not note:
        return ""
    return f", {note}"


def second_card_note(state: State, aim: Aim) -> str:
    """The note that the odds leave out a card: under one answer to P82 the card that is drawn for a
    breakdown is read as the shot, too, and may hit."""
    if not aim.may_break or state.setup.rulings["P82"] != "shot_too":
        return ""
    return " A second card that hits is left out."


def percent_range(chances: ChanceRange) -> str:
    """``12%``, or ``12–40%`` if it depends on who dies."""
    least, most = percent(chances.least), percent(chances.most)
    if least == most:
        return f"{least}%"
    return f"{least}–{most}%"


def whole_percent(chance: Fraction) -> int:
    """A chance in whole percent."""
    return nearest(100 * chance)
