"""The words for what a scenario holds: dates, moments, sizes, sides, units, questions, happenings.
Pages and sheets are made of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

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
from skirmish.games.plastic.scenarios.scenario import Scenario, SideLimit, TableSize, date_of
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.measure import NO_BREAK, inches


class NamedText(NamedTuple):
    """A text with what it is about."""

    name: str
    text: str


def date_in_words(written: str) -> str:
    """``1939-09`` as ``September 1939``, ``1942-06-20`` as ``20 June 1942``."""
    day = date_of(written)
    if day is None:
        # The date of a draft may not be right yet.
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
    """The name of a side, whose id is its nation. A battle that was stored with another catalog may
    have a nation that this one does not know; then it is the id in words."""
    if side in catalog.nations:
        return catalog.nations[side].name
    return side.replace("_", " ").title()


def end_in_words(scenario: Scenario, catalog: Catalog) -> str:
    """``To the end of German turn 11``"""
    end = scenario.ends_after
    if end is None:
        return "No last turn"
    return f"To the end of {nation_name(end.side, catalog)} turn {end.turn}"


def size_in_words(table_size: TableSize, *, turned: bool = False) -> str:
    """``8 ft × 5 ft, N at the top``, with the mark of its footnote. If the map is printed
    ``turned``, the edge at its top is another, and is left out."""
    sides = f"{_feet(table_size.width_in)} × {_feet(table_size.depth_in)}"
    top = ""
    if not turned:
        top = f", {table_size.up} at the top"
    return f"{sides}{top}{table_size.mark or ''}"


def _feet(side: int) -> str:
    """So many inches in feet, if they are whole feet; else in inches."""
    feet, inches_left = divmod(side, 12)
    if inches_left:
        return inches(side)
    return f"{feet}{NO_BREAK}ft"


def bounds_in_words(bounds: Bounds) -> str:
    """``43`` or ``104–110``."""
    if bounds.least == bounds.most:
        return str(bounds.least)
    return f"{bounds.least}–{bounds.most}"


def names_of_additions(scenario: Scenario, side: str) -> list[str]:
    """What a side may get besides its order of battle: units that are agreed before play, which the
    id of the question names, and reinforcements."""
    additions = []
    for question in scenario.questions():
        if question.side == side and question.about == "units":
            additions.append(question.id)
    for happening in scenario.happenings:
        if isinstance(happening, DrawTable) and happening.side == side:
            additions.append("reinforcements")
            # Several tables of a side are named once.
            break
    return additions


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


def ranks_in_words(lowest: int, highest: int) -> str:
    """``A-5``, ``8``, ``J-Q``: ranks as the rules print them."""
    if lowest == highest:
        return _rank(lowest)
    return f"{_rank(lowest)}-{_rank(highest)}"


def _rank(rank: int) -> str:
    """``A``, ``8``, ``J``."""
    # A card is written as its rank and a letter for its suit; spades stand for any suit here.
    return str(Draw(rank, "S")).removesuffix("S")


def proposal_in_words(question: AskAtSetup, catalog: Catalog) -> str:
    """The possible answers to a question before play, and our proposal. If the text leaves the
    choice among several answers to a side, there is no proposal of ours; for a number that a side
    chooses there is."""
    if question.sides_choice and question.options:
        whose = "the players"
        if question.side in catalog.nations:
            whose = f"the {catalog.nations[question.side].people}"
        return f"{' or '.join(question.options)}, as {whose} choose."
    answer = f"Our proposal: {_proposed_answer(question, catalog).rstrip('.')}."
    if question.options:
        answer = f"{' / '.join(question.options)}. {answer}"
    if question.at_least and question.at_least > 1:
        answer += f" At least{NO_BREAK}{question.at_least}."
    return _unbroken(answer)


def _unbroken(text: str) -> str:
    """The text with no line break after a number before a name (``6 Aircraft``), nor before a
    single letter at the end (``zone A.``)."""
    text = re.sub(r"(?<=\d) (?=[A-Z])", NO_BREAK, text)
    return re.sub(r" (?=\w\.$)", NO_BREAK, text)


def _proposed_answer(question: AskAtSetup, catalog: Catalog) -> str:
    """The proposed answer: counts of several units, a count of one unit, or words."""
    if isinstance(question.proposal, dict):
        return units_in_words(question.proposal, catalog)
    if isinstance(question.proposal, int) and question.unit:
        return catalog.units[question.unit].named(question.proposal)
    return str(question.proposal)


def limit_in_words(limit: SideLimit, scenario: Scenario, catalog: Catalog) -> NamedText:
    """Who may not do something, and what it is."""
    who = nation_name(limit.side, catalog)
    for contingent in scenario.side(limit.side).contingents:
        if contingent.id == limit.contingent:
            who += f", {contingent.name_in_words}"
    text = limit.text
    if limit.before_turn is not None:
        turn = f"turn {limit.before_turn}"
        # Most texts name the turn themselves. (Turn 12 does not name turn 1.)
        if re.search(rf"{turn}\b", text) is None:
            text += f" Until {turn}."
    return NamedText(who, text)


def happening_heading(happening: AnyHappening, catalog: Catalog) -> str:
    """The heading of a happening: whose it is, and what it is about. Empty for a question that
    concerns no side."""
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
                last_dark_turn = happening.before_turn - 1
                turns = f"turns {happening.from_turn} to {last_dark_turn}"
            return f"Dark, {turns}: sight {inches(happening.sight_in)}"
        case Charges():
            ranks = ranks_in_words(1, happening.needs)
            from_turn = f"from turn {happening.from_turn} on"
            return f"{nation_name(happening.side, catalog)} charges, {from_turn}: {ranks}"
        case MayConvert():
            before, after = catalog.units[happening.unit], catalog.units[happening.becomes]
            return f"{nation_name(happening.side, catalog)} {before.name} into {after.name}"
        case NeedsService() | MayReveal() | Trait():
            names = [plural(catalog.units[unit].name) for unit in happening.units]
            return f"{nation_name(happening.side, catalog)} {listed(names)}"


class DrawOfTable(NamedTuple):
    """A draw of a draw table by its number, with its rows: ``A-5``, ``4 Rifle Guys``."""

    number: int
    rows: list[tuple[str, str]]


def draws_of_table(draw_table: DrawTable, catalog: Catalog) -> Iterator[DrawOfTable]:
    """Each draw of a table with its rows in words."""
    for number in range(1, draw_table.draws + 1):
        rows = []
        for row in draw_table.rows:
            if row.draw == number:
                lowest, highest = row.ranks
                rows.append((ranks_in_words(lowest, highest), _outcome(row, catalog)))
        yield DrawOfTable(number, rows)


HappeningWithoutRule: TypeAlias = (
    DrawTable | ToggleOnCard | Darkness | Charges | NeedsService | MayReveal | MayConvert | Trait
)
"""Happenings that a sheet has to mention itself where no special rule does. Questions before play
and reminders stand elsewhere on it."""


def happenings_without_rule(scenario: Scenario) -> Iterator[HappeningWithoutRule]:
    """The happenings that no special rule explains."""
    for happening in scenario.happenings:
        if not isinstance(happening, AskAtSetup | Remind) and not happening.rule:
            yield happening


def special_units(
    scenario: Scenario, catalog: Catalog, answers: Mapping[str, str]
) -> Iterator[NamedText]:
    """The units in this scenario that are not in the unit list of the rules, but are its own or are
    from the designer's notes: their price, moves, weapons under these answers to rulings, note."""
    present: set[str] = set()
    for side in scenario.sides:
        for contingent in side.contingents:
            present.update(contingent.most_units())
    for unit in catalog.units.values():
        if unit.id in present and unit.source != "rules":
            yield NamedText(unit.name, _unit_in_numbers(unit, catalog, answers))


def _unit_in_numbers(unit: UnitType, catalog: Catalog, answers: Mapping[str, str]) -> str:
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
