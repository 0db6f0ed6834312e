"""The words for what a scenario holds: dates, moments, sizes, sides, units, questions, happenings.
Pages and sheets are made of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import TypeAlias

from skirmish.games.plastic.rules.catalog import Catalog, UnitType, listed, plural
from skirmish.games.plastic.rules.firing_table import NONE
from skirmish.games.plastic.scenarios.happenings import (
    AnyHappening,
    AskAtSetup,
    Charges,
    Darkness,
    DrawTable,
    DrawTableRow,
    MayConvert,
    MayReveal,
    NeedsService,
    Remind,
    ToggleOnCard,
    Trait,
)
from skirmish.games.plastic.scenarios.order_of_battle import (
    Bounds,
    ScenarioContingent,
    ScenarioSide,
)
from skirmish.games.plastic.scenarios.scenario import Scenario, SideLimit, TableSize
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.measure import NO_BREAK, inches


def date_in_words(written: str) -> str:
    """``1939-09`` as ``September 1939``, ``1942-06-20`` as ``20 June 1942``."""
    # A month gets a first day, and from a whole date the addition is cut off again.
    try:
        day = date.fromisoformat(f"{written}-01"[:10])
    except ValueError:
        # Of a draft whose date is not right yet.
        return written
    month = f"{day:%B %Y}"
    if len(written) == len("1939-09"):
        return month
    return f"{day.day} {month}"


def entry_in_words(contingent: ScenarioContingent) -> str:
    """``W edge, turn 3``, ``zone A, before play``"""
    way_in = contingent.entry
    if way_in.turn:
        return f"{way_in.words}, turn {way_in.turn}"
    return f"{way_in.words}, before play"


def nation_name(side: str, catalog: Catalog) -> str:
    """The name of a side, whose id is its nation; of one that the catalog does not know (in a
    battle that was stored with another), its id in words."""
    if side in catalog.nations:
        return catalog.nations[side].name
    return side.replace("_", " ").title()


def length_in_words(scenario: Scenario, catalog: Catalog) -> str:
    """``To the end of German turn 11``"""
    end = scenario.ends_after
    if end is None:
        return "No last turn"
    return f"To the end of {nation_name(end.side, catalog)} turn {end.turn}"


def size_in_words(table_size: TableSize, *, turned: bool = False) -> str:
    """``8 ft × 5 ft, N at the top``, with the footnote's mark; ``turned``: without what is at the
    top, for a map that is turned."""
    sides = f"{_feet(table_size.width_in)} × {_feet(table_size.depth_in)}"
    top = ""
    if not turned:
        top = f", {table_size.up} at the top"
    return f"{sides}{top}{table_size.mark or ''}"


def _feet(side: int) -> str:
    """Whole feet, else inches."""
    if side % 12:
        return inches(side)
    return f"{side // 12}{NO_BREAK}ft"


def bounds_in_words(bounds: Bounds) -> str:
    """``43`` or ``104–110``."""
    if bounds.least == bounds.most:
        return str(bounds.least)
    return f"{bounds.least}–{bounds.most}"


def names_of_additions(scenario: Scenario, side: str) -> list[str]:
    """What a side may get besides its order of battle: ids of questions, and reinforcements."""
    more = []
    for ask in scenario.questions():
        if ask.side == side and ask.about == "units":
            more.append(ask.id)
    for happening in scenario.happenings:
        if isinstance(happening, DrawTable) and happening.side == side:
            more.append("reinforcements")
            break
    return more


def role_in_words(side: ScenarioSide, scenario: Scenario) -> str:
    """``attacker · moves first``"""
    parts = []
    if side.role:
        parts.append(str(side.role))
    if side.id == scenario.sets_up_first:
        parts.append("sets up first")
    if side.id == scenario.moves_first:
        parts.append("moves first")
    return " · ".join(parts)


def units_in_words(counts: Mapping[str, int], catalog: Catalog) -> str:
    """``4 Rifle Guys, 1 Tank``"""
    return ", ".join(catalog.units[unit].named(count) for unit, count in counts.items())


def ranks_in_words(between: tuple[int, int]) -> str:
    """``A-5``, ``8``, ``J-Q``: ranks as the rules print them."""
    lowest, highest = _rank(between[0]), _rank(between[1])
    if lowest == highest:
        return lowest
    return f"{lowest}-{highest}"


def _rank(rank: int) -> str:
    """``A``, ``8``, ``J``."""
    # A card is written as its rank and a letter for its suit.
    return str(Draw(rank, "S")).removesuffix("S")


def proposal_in_words(asked: AskAtSetup, catalog: Catalog) -> str:
    """The possible answers to a question before play, and our proposal; only the answers if the
    text leaves the choice to a side."""
    if asked.sides_choice and asked.options:
        whose = "the players"
        if asked.side in catalog.nations:
            whose = f"the {catalog.nations[asked.side].people}"
        return f"{' or '.join(asked.options)}, as {whose} choose."
    answer = f"Our proposal: {_proposed_answer(asked, catalog).rstrip('.')}."
    if asked.options:
        answer = f"{' / '.join(asked.options)}. {answer}"
    if asked.at_least and asked.at_least > 1:
        answer += f" At least{NO_BREAK}{asked.at_least}."
    return _unbroken(answer)


def _unbroken(text: str) -> str:
    """``text`` whose numbers, and a last word that is one letter, stand on the line of what they
    belong to."""
    text = re.sub(r"(?<=\d) (?=[A-Z])", NO_BREAK, text)
    return re.sub(r" (?=\w\.$)", NO_BREAK, text)


def _proposed_answer(asked: AskAtSetup, catalog: Catalog) -> str:
    """What is proposed: units, so many of one unit, or words."""
    if isinstance(asked.proposal, dict):
        return units_in_words(asked.proposal, catalog)
    if isinstance(asked.proposal, int) and asked.unit:
        return catalog.units[asked.unit].named(asked.proposal)
    return str(asked.proposal)


def limit_in_words(limit: SideLimit, scenario: Scenario, catalog: Catalog) -> tuple[str, str]:
    """Who may not do something, and what."""
    who = nation_name(limit.side, catalog)
    for contingent in scenario.side(limit.side).contingents:
        if contingent.id == limit.contingent:
            who += f", {contingent.name_in_words}"
    text = limit.text
    until = f"turn {limit.before_turn}"
    # Most texts name the turn themselves.
    if limit.before_turn is not None and until not in text:
        text += f" Until {until}."
    return who, text


def happening_heading(happening: AnyHappening, catalog: Catalog) -> str:
    """The heading of a scenario event: whose it is, and what of."""
    match happening:
        case AskAtSetup(side=side):
            if side is None:
                return ""
            return nation_name(side, catalog)
        case Remind(side=side):
            if side is None:
                return "Both sides"
            return nation_name(side, catalog)
        case DrawTable():
            return f"{nation_name(happening.side, catalog)} draws"
        case ToggleOnCard():
            state = happening.state.replace("_", " ")
            words = f"{happening.card}, {state}: sight {inches(happening.sight_in)}"
            if happening.cards_only:
                words += "; cards only"
            return words
        case Darkness():
            turns = f"from turn {happening.from_turn}"
            if happening.before_turn is not None:
                turns = f"turns {happening.from_turn} to {happening.before_turn - 1}"
            return f"Dark, {turns}: sight {inches(happening.sight_in)}"
        case Charges():
            highest = ranks_in_words((1, happening.needs))
            from_turn = f"from turn {happening.from_turn} on"
            return f"{nation_name(happening.side, catalog)} charges, {from_turn}: {highest}"
        case MayConvert():
            before, after = catalog.units[happening.unit], catalog.units[happening.becomes]
            return f"{nation_name(happening.side, catalog)} {before.name} into {after.name}"
        case NeedsService() | MayReveal() | Trait():
            names = [plural(catalog.units[unit].name) for unit in happening.units]
            return f"{nation_name(happening.side, catalog)} {listed(names)}"


def draws_of_table(
    draw_table: DrawTable, catalog: Catalog
) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Each draw of a table by its number, with its lines: ``A-5``, ``4 Rifle Guys``."""
    for draw in range(1, draw_table.draws + 1):
        lines = []
        for row in draw_table.rows:
            if row.draw == draw:
                lines.append((ranks_in_words(row.ranks), _outcome(row, catalog)))
        yield draw, lines


HappeningWithoutRule: TypeAlias = (
    DrawTable | ToggleOnCard | Darkness | Charges | NeedsService | MayReveal | MayConvert | Trait
)
"""Happenings that need not belong to a special rule."""


def happenings_without_rule(scenario: Scenario) -> Iterator[HappeningWithoutRule]:
    """The reminders: scenario events that are neither asked before play nor in a special rule."""
    for happening in scenario.happenings:
        if not isinstance(happening, AskAtSetup | Remind) and not happening.rule:
            yield happening


def special_units(
    scenario: Scenario, catalog: Catalog, answers: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The scenario's own units and those of the designer's notes in numbers: price, moves, weapons
    under these rulings, note."""
    present: set[str] = set()
    for side in scenario.sides:
        for contingent in side.contingents:
            present.update(contingent.most_units())
    for unit in catalog.units.values():
        if unit.id in present and unit.source != "rules":
            yield unit.name, _in_numbers(unit, catalog, answers)


def _in_numbers(unit: UnitType, catalog: Catalog, answers: Mapping[str, str]) -> str:
    """``12 points, moves 8 in; Cannon (48 in). Its note.``"""
    move = "does not move"
    if unit.move:
        move = f"moves {inches(unit.move)}"
        if unit.road_move:
            move += f" ({inches(unit.road_move)} on road)"
    weapons = [
        f"{weapon.name} ({inches(weapon.range)})" for weapon in catalog.weapons_of(unit, answers)
    ]
    guns = ", ".join(weapons) or NONE
    return f"{unit.price} points, {move}; {guns}. {unit.note}".strip()


def _outcome(row: DrawTableRow, catalog: Catalog) -> str:
    """What a row of a draw table brings."""
    if row.units:
        return units_in_words(row.units, catalog)
    if row.entry:
        return f"at point {row.entry}"
    if row.choice:
        return "any of these"
    return "nobody"
