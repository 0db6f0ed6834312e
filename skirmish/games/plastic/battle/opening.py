"""The opening of a battle: from a scenario with its options chosen, or from two armies; where the
sides set up, and which rulings can matter."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from string import ascii_lowercase
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import ToCast
from skirmish.games.plastic.battle.names import row_named, row_side
from skirmish.games.plastic.battle.setup import (
    CARDS_ONLY,
    REINFORCEMENTS,
    Codes,
    Contingent,
    Deadline,
    Level,
    Piece,
    Setup,
    Side,
    concerns,
)
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.games.plastic.rules.checks import why_not_aboard
from skirmish.games.plastic.rules.options import Options
from skirmish.games.plastic.rules.rulings import Needs, PlasticRuling, PlasticRulingBook
from skirmish.games.plastic.scenarios import order_of_battle as oob
from skirmish.games.plastic.scenarios.scenario import (
    AskAtSetup,
    DrawTable,
    MayReveal,
    Scenario,
    swapped,
)
from skirmish.tabletop.chance import Source
from skirmish.tabletop.measure import inches
from skirmish.tabletop.typed import plain


class WayToDraw(NamedTuple):
    """What a side draws from, and how it uses the program (``Level``)."""

    kind: Literal["deck", "die"]
    level: Level


WAYS_TO_DRAW: Mapping[str, WayToDraw] = {
    "deck": WayToDraw("deck", "referee"),
    "die": WayToDraw("die", "referee"),
    "own_deck": WayToDraw("deck", "clerk"),
    "own_die": WayToDraw("die", "clerk"),
    "ledger": WayToDraw("deck", "ledger"),
}
"""By the answer to the question who draws or rolls, as forms give it and campaigns store it."""


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """What players chose at set-up."""

    options: Options = Options()
    levels: Mapping[str, Level] = {}
    """Who draws, by side id."""
    players: Mapping[str, str] = {}
    """The names of the players, by side id."""
    quality: Mapping[str, str | None] = {}
    """The force quality, by side id."""
    lists: Mapping[str, Sequence[int]] = {}
    """By contingent id, the index of the option taken in each of its choices."""
    rulings: Mapping[str, str] = {}
    """The answers that are not the default, by ruling."""
    answers: Mapping[str, Any] = {}
    """The answers to the questions of the scenario, about what its text leaves out."""
    hidden: Mapping[int, int] = {}
    """How many are placed in secret, by the index of the scenario's event that allows it."""
    loads: bool = True
    """Whether all who fit in the vehicles of their contingent start aboard."""


def from_scenario(
    scenario: Scenario,
    catalog: Catalog,
    book: PlasticRulingBook,
    *,
    sources: Mapping[str, Source],
    chosen: Chosen | None = None,
    revision: str = "",
) -> Setup:
    """The set-up of a battle by a scenario. ``sources``: what each side draws from, by its id;
    ``revision`` of the data. Raises ValueError (a sentence) for a choice that does not exist."""
    chosen = chosen or Chosen()
    rulings = book.answered(chosen.rulings)
    # Some rulings exchange units of the scenario, or its last turn.
    scenario = swapped(scenario, rulings)
    if scenario.cards_only and any(source.kind == "die" for source in sources.values()):
        raise ValueError(CARDS_ONLY)
    # Some scenarios have units of their own, with other prices or weapons.
    catalog = catalog.with_variants(scenario.variants)
    answers: dict[str, Any] = {}
    for ask in scenario.questions():
        answers[ask.id] = ask.answered(chosen.answers.get(ask.id, ask.proposal), catalog.units)
    sides: list[Side] = []
    contingents: list[Contingent] = []
    pieces: list[Piece] = []
    for side_id in scenario.order_of_play():
        codes = Codes(side_id, catalog)
        contingents += _contingents(scenario, side_id, answers)
        pieces += _listed_pieces(scenario, side_id, chosen, codes)
        pieces += _answered_pieces(scenario, side_id, answers, codes)
        side = _scenario_side(scenario, side_id, catalog, rulings, sources[side_id])
        sides.append(_as_chosen(side, chosen))
    aboard: dict[str, str] = {}
    if chosen.loads:
        aboard = _loads(scenario, pieces, catalog, rulings)
    return Setup(
        title=scenario.title,
        scenario=scenario,
        sides=(sides[0], sides[1]),
        contingents=tuple(contingents),
        pieces=tuple(pieces),
        options=chosen.options,
        answers=answers,
        hidden=_hidden(scenario, pieces, chosen.hidden),
        aboard=aboard,
        ends_after=_deadline(scenario, sides[1].id, rulings, catalog),
        catalog=catalog,
        rulings=rulings,
        revision=revision,
    )


def _contingents(scenario: Scenario, side: str, answers: Mapping[str, Any]) -> list[Contingent]:
    """The contingents of a side: those of the scenario's list; then one for each answered question
    whose units belong to none of them; then one for reinforcements, if a draw table may bring
    them."""
    contingents = []
    for contingent in scenario.side(side).contingents:
        contingents.append(_contingent(side, contingent, scenario, answers))
    for ask in scenario.questions():
        if ask.side == side and ask.contingent is None and _units_answered(ask, answers):
            contingents.append(Contingent(id=ask.id, side=side, name=ask.id.capitalize()))
    for happening in scenario.happenings:
        if isinstance(happening, DrawTable) and happening.side == side:
            contingents.append(Contingent(id=REINFORCEMENTS, side=side, name="Reinforcements"))
            break  # one is enough for all tables
    return contingents


def _listed_pieces(scenario: Scenario, side: str, chosen: Chosen, codes: Codes) -> list[Piece]:
    """The pieces of the scenario's lists, with what the players took of their choices."""
    pieces = []
    for contingent in scenario.side(side).contingents:
        units = _units_taken(contingent, chosen.lists.get(contingent.id, ()))
        pieces += codes.pieces(contingent.id, units)
    return pieces


def _answered_pieces(
    scenario: Scenario, side: str, answers: Mapping[str, Any], codes: Codes
) -> list[Piece]:
    """The units that the text leaves to the players, such as a number of tanks."""
    pieces = []
    for ask in scenario.questions():
        units = _units_answered(ask, answers)
        if ask.side == side and units:
            pieces += codes.pieces(ask.contingent or ask.id, units)
    return pieces


def _units_answered(ask: AskAtSetup, answers: Mapping[str, Any]) -> dict[str, int]:
    """The units that the answer to a question adds; empty for a question about something else."""
    answer = answers[ask.id]
    if ask.unit and isinstance(answer, int):
        return {ask.unit: answer}
    if isinstance(answer, dict):
        return answer
    return {}


def _scenario_side(
    scenario: Scenario,
    side: str,
    catalog: Catalog,
    rulings: Mapping[str, str],
    source: Source,
) -> Side:
    """A side as the scenario has it, before the players have chosen anything."""
    scenario_side = scenario.side(side)
    return Side(
        id=side,
        name=scenario_side.name,
        people=catalog.nations[side].people,
        nation=side,  # in scenarios a side's id is that of its nation
        source=source,
        breaks=rulings["P58"] == "on",
        works=scenario_side.works(),
    )


def from_armies(
    first: Army,
    second: Army,
    book: PlasticRulingBook,
    *,
    sources: tuple[Source, Source],
    chosen: Chosen | None = None,
    lots: bool = False,
    revision: str = "",
) -> Setup:
    """The basic game; ``first`` places and moves first, or with ``lots`` that is decided by a draw.
    ``sources``: what each side draws from, in the same order. Rulings are those of the armies,
    overridden by the chosen ones. Raises ValueError (a sentence) if the armies disagree about a
    ruling and none was chosen, or if the groups of an army have more rows than there are
    letters."""
    chosen = chosen or Chosen()
    rulings = book.answered(_agreed(first, second, chosen.rulings))
    catalog = first.catalog
    armies = {"first": first, "second": second}
    sides: list[Side] = []
    pieces: list[Piece] = []
    contingents: list[Contingent] = []
    for (side_id, army), source in zip(armies.items(), sources, strict=True):
        codes = Codes(side_id, catalog)
        for group in _groups(side_id, Army(army.army_list, catalog, rulings)):
            contingents.append(Contingent(group.id, side_id, group.name))
            pieces += codes.pieces(group.id, group.units)
        side = _army_side(army, side_id, _people(first, second, side_id), source)
        sides.append(_as_chosen(side, chosen))
    options = chosen.options
    # An army that names its nation was bought at that nation's prices, so its traits are played.
    national = options.nationalities or any(side.nation for side in sides)
    setup = Setup(
        armies=(first.army_list, second.army_list),
        title=plain(f"{first.army_list.name} against {second.army_list.name}"),
        sides=(sides[0], sides[1]),
        contingents=tuple(contingents),
        pieces=tuple(pieces),
        options=replace(options, nationalities=national),
        lots=lots,
        ends_after=Deadline("second", catalog.basic_game.last_turn, draw=True),
        catalog=catalog,
        rulings=rulings,
        revision=revision,
    )
    _check_letters(setup)
    return setup


def _army_side(army: Army, side: str, people: str, source: Source) -> Side:
    """A side as its army list has it, before the players have chosen anything. In the basic game
    every army has a break point."""
    return Side(
        id=side,
        name=plain(army.army_list.name),
        people=people,
        nation=army.army_list.nation,
        quality=army.army_list.quality,
        source=source,
        breaks=True,
        works=dict(army.army_list.works),
    )


class _Group(NamedTuple):
    """A contingent of an army: the army itself, or a group into which its player divided it."""

    id: str
    name: str
    units: Mapping[str, int]


def _groups(side: str, army: Army) -> list[_Group]:
    """The groups into which an army is divided; without any the whole army is one."""
    if not army.army_list.groups:
        return [_Group(side, plain(army.army_list.name), army.fielded())]
    groups = []
    for number, (name, own, free) in enumerate(army.blocks(), 1):
        # Some nations get free units with those that they buy (``free``), of the same kinds.
        units = {unit: count + free.get(unit, 0) for unit, count in own.items()}
        groups.append(_Group(f"{side}_{number}", plain(name), units))
    return groups


def _people(first: Army, second: Army, side: str) -> str:
    """How sentences call a side: by its nation, if that tells the sides apart; else by the name of
    its army, numbered if both armies have the same name."""
    army, number = second, 2
    if side == "first":
        army, number = first, 1
    name = plain(army.army_list.name)
    people = name
    if first.nation and second.nation and first.nation != second.nation:
        assert army.nation is not None
        people = army.nation.people
    if people == name and first.army_list.name == second.army_list.name:
        return f"{name} {number}"
    return people


def _check_letters(setup: Setup) -> None:
    """Raises ValueError if the groups of an army have more rows than there are letters."""
    letters = len(ascii_lowercase)
    for side, army_list in zip(setup.sides, setup.armies, strict=True):
        rows = sum(row_side(row) == side.id for row in setup.letters)
        # An undivided army has one row for each unit that it bought, which are never so many.
        if army_list.groups and rows > letters:
            raise ValueError(
                f"{side.name} has {rows} rows in its groups, and a battle has only {letters} "
                "letters for them. Dissolve a group in the army builder."
            )


def _as_chosen(side: Side, chosen: Chosen) -> Side:
    """The side with the force quality, the player and the level that were chosen for it."""
    # Without a choice the level follows from who draws: where players draw, the program is a clerk.
    level: Level = "referee"
    if side.source.typed:
        level = "clerk"
    return replace(
        side,
        quality=chosen.quality.get(side.id, side.quality),
        player=plain(chosen.players.get(side.id, "")),
        level=chosen.levels.get(side.id, level),
    )


# ------------------------------------------------------------------ lists, options, answers


def _units_taken(contingent: oob.ScenarioContingent, taken: Sequence[int]) -> dict[str, int]:
    """The units of a contingent with the options ``taken`` in its choices, by default the first of
    each."""
    units = dict(contingent.units)
    for index, choice in enumerate(contingent.choices):
        number = 0
        if index < len(taken):
            number = taken[index]
        if not 0 <= number < len(choice.one_of):
            options = f"{contingent.called} has {len(choice.one_of)} options"
            raise ValueError(f"{options}; there is no number {number + 1}.")
        for unit, count in choice.one_of[number].items():
            units[unit] = units.get(unit, 0) + count
    return units


def _contingent(
    side: str,
    contingent: oob.ScenarioContingent,
    scenario: Scenario,
    answers: Mapping[str, Any],
) -> Contingent:
    """A contingent of the scenario in this battle: when and where it enters, and its notes."""
    by = ""  # where it enters; empty for one that starts on the table
    if contingent.entry.over:
        by = contingent.entry.words
    for ask in scenario.questions():
        # By such a question the players choose the edge or the place of its entry.
        if ask.contingent == contingent.id and ask.about in ("option", "place"):
            by = f"{answers[ask.id]} {contingent.entry.over}".strip()
    note = scenario.unmarked(contingent.deploy)
    return Contingent(contingent.id, side, contingent.called, contingent.entry.turn, note, by)


def _hidden(
    scenario: Scenario, pieces: Sequence[Piece], counts: Mapping[int, int]
) -> tuple[str, ...]:
    """The pieces that hide: of each event that allows it as many as the players chose, by default
    all of a contingent if all of it can hide, else none. Raises ValueError for more than can."""
    hidden: list[str] = []
    for index, happening in enumerate(scenario.happenings):
        if not isinstance(happening, MayReveal):
            continue
        able = may_hide(happening, pieces)
        default = 0
        if set(able) == _pieces_of_contingent(happening, pieces):
            default = len(able)
        count = counts.get(index, default)
        if not 0 <= count <= len(able):
            raise ValueError(f"{len(able)} can be hidden, not {count}.")
        hidden += able[:count]
    return tuple(hidden)


def _pieces_of_contingent(happening: MayReveal, pieces: Sequence[Piece]) -> set[str]:
    """The pieces of the contingent that the happening is about."""
    ids = set()
    for piece in pieces:
        if piece.side == happening.side and piece.contingent == happening.contingent:
            ids.add(piece.id)
    return ids


def may_hide(happening: MayReveal, pieces: Sequence[Piece]) -> list[str]:
    """The pieces that may be placed in secret."""
    hideable = []
    for piece in pieces:
        if concerns(happening, piece.side, piece.contingent, piece.unit):
            hideable.append(piece.id)
    return hideable


# ------------------------------------------------------------------ loads, clock, levels


def _loads(
    scenario: Scenario, pieces: Sequence[Piece], catalog: Catalog, rulings: Mapping[str, str]
) -> dict[str, str]:
    """The carriers by rider: a contingent starts aboard if it enters in vehicles or craft with room
    for all of its guys (scenario 10: P71)."""
    aboard: dict[str, str] = {}
    for side in scenario.sides:
        for contingent in side.contingents:
            units = {}
            for piece in pieces:
                if piece.contingent == contingent.id:
                    units[piece.id] = catalog.units[piece.unit]
            from_outside = isinstance(contingent.entry, oob.FROM_OUTSIDE)
            aboard |= _loads_of_contingent(scenario, units, from_outside, rulings)
    return aboard


def _loads_of_contingent(
    scenario: Scenario,
    units: Mapping[str, UnitType],
    from_outside: bool,
    rulings: Mapping[str, str],
) -> dict[str, str]:
    """The carriers by rider of one contingent, whose ``units`` are by piece; empty if it starts on
    foot."""
    carriers = [piece for piece, unit in units.items() if unit.seats]
    afloat = any("landing_craft" in units[carrier].tags for carrier in carriers)
    # Who starts on dry land beside his vehicles, as players see fit, starts on foot.
    if not carriers or not (afloat or from_outside):
        return {}
    # Scenario 10: 33 men and 30 seats in landing craft.
    crowded = afloat and "P71" in scenario.rulings
    extra_seats = crowded and rulings["P71"] == "extra_seats"
    loads = _seated(units, carriers, extra_seats, rulings)
    guys = {piece for piece, unit in units.items() if unit.is_guy}
    # Where not everybody fits, the players decide who rides, so all begin on foot.
    if crowded or loads.keys() >= guys:
        return loads
    return {}


def _seated(
    units: Mapping[str, UnitType],
    carriers: Sequence[str],
    extra_seats: bool,
    rulings: Mapping[str, str],
) -> dict[str, str]:
    """The carriers by rider, of all who find room; with ``extra_seats`` every guy does."""
    inside: dict[str, list[UnitType]] = {carrier: [] for carrier in carriers}
    loads: dict[str, str] = {}
    for rider in _riders(units):
        carrier: str | None
        if extra_seats and units[rider].is_guy:
            carrier = _emptiest(inside)
        else:
            carrier = _first_with_room(units, rider, inside, rulings)
        if carrier is not None:
            inside[carrier].append(units[rider])
            loads[rider] = carrier
    return loads


def _riders(units: Mapping[str, UnitType]) -> list[str]:
    """Those who ride, the cannon first, since they fit into few vehicles."""
    cannon = [piece for piece, unit in units.items() if "cannon" in unit.tags and not unit.is_guy]
    guys = [piece for piece, unit in units.items() if unit.is_guy]
    return [*cannon, *guys]


def _emptiest(inside: Mapping[str, Sequence[UnitType]]) -> str:
    """P71, ``extra_seats``: guys are shared out evenly over the craft."""
    return min(inside, key=lambda carrier: len(inside[carrier]))


def _first_with_room(
    units: Mapping[str, UnitType],
    rider: str,
    inside: Mapping[str, Sequence[UnitType]],
    rulings: Mapping[str, str],
) -> str | None:
    """The first carrier that has room for the rider besides those who are ``inside``; None if none
    has."""
    for carrier, riders in inside.items():
        riding = [*riders, units[rider]]
        if why_not_aboard(units[carrier], riding, rulings) is None:
            return carrier
    return None


def _deadline(
    scenario: Scenario, second: str, rulings: Mapping[str, str], catalog: Catalog
) -> Deadline | None:
    """The player turn after which the battle ends; None: it has no last turn."""
    end = scenario.ends_after
    if end is not None:
        return Deadline(end.side, end.turn)
    # Without a last turn of its own, as scenario 3: the one of the basic game, if P68 says so, or
    # if armies break as in the basic game (P58).
    by_ruling = "P68" in scenario.rulings and rulings["P68"] == "draw_after_30"
    if by_ruling or rulings["P58"] == "on":
        return Deadline(second, catalog.basic_game.last_turn, draw=True)
    return None


def _agreed(first: Army, second: Army, answers: Mapping[str, str]) -> dict[str, str]:
    """The rulings of both armies, overridden by the chosen ``answers``. Raises ValueError if the
    armies disagree and nobody has chosen."""
    of_first, of_second = first.army_list.rulings, second.army_list.rulings
    for ruling in of_first.keys() & of_second.keys() - answers.keys():
        if of_first[ruling] != of_second[ruling]:
            first_plays = f"{first.army_list.name} plays {ruling} as {of_first[ruling]}"
            second_plays = f"{second.army_list.name} as {of_second[ruling]}"
            raise ValueError(f"{first_plays}, {second_plays}: make them agree first.")
    return {**of_first, **of_second, **answers}


# ------------------------------------------------------------------ where the sides set up


def deployment_words(setup: Setup, first: str | None = None) -> str:
    """The set-up instructions, one per line. ``first`` places and moves first; None if lots are
    still to be drawn."""
    if setup.scenario:
        lines = _deployment_of_scenario(setup)
    else:
        lines = _deployment_of_basic_game(setup, first)
    return "\n".join(lines)


def deployment_now(state: State) -> str:
    """The set-up instructions as far as they are known at this moment."""
    casting = any(isinstance(task, ToCast) for task in state.agenda)
    if casting:
        return deployment_words(state.setup)
    return deployment_words(state.setup, state.first)


def _deployment_of_scenario(setup: Setup) -> list[str]:
    """Who sets up first, and where each contingent does that is there in turn 1."""
    assert setup.scenario is not None
    starter = setup.side_by_id[setup.scenario.sets_up_first]
    lines = [f"{setup.does(starter.id, 'set up', 'sets up', article='The')} first."]
    for side in (starter, setup.enemy_of(starter.id)):
        for contingent in setup.contingents:
            at_the_start = contingent.side == side.id and contingent.enters <= 1
            if at_the_start and contingent.note:
                lines.append(f"{side.people}, {contingent.name}: {contingent.note}")
    return lines


def _deployment_of_basic_game(setup: Setup, first: str | None) -> list[str]:
    """The bands along both edges in which the sides set up."""
    bands = setup.catalog.basic_game.deployment
    if bands is None:
        return []
    if first is None and not setup.lots:
        first = setup.sides[0].id
    if first is None:
        starter, follower = "The side with the higher draw sets up first", "Then the other side"
    else:
        starter = f"{setup.does(first, 'set up', 'sets up', article='The')} first"
        follower = f"Then {setup.the(setup.enemy_of(first).id)}"
    starters_band = f"{starter}: within {inches(bands.first)} of the chosen edge"
    if _may_have_pillboxes(setup, first):
        starters_band += f", pillboxes up to {inches(bands.first_pillboxes)}"
    return [
        f"{starters_band}.",
        f"{follower}: within {inches(bands.second)} of the edge opposite.",
    ]


def _may_have_pillboxes(setup: Setup, side: str | None) -> bool:
    """Whether the side has a pillbox; without a side, whether any has."""
    for piece in setup.pieces:
        if side in (None, piece.side) and "pillbox" in setup.unit(piece.unit).tags:
            return True
    return False


# ------------------------------------------------------------------ rulings that can matter


_RULING = re.compile(r"\bP\d+\b")
"""The id of a ruling in the text of a footnote: ``P71``."""


def rulings_that_matter(book: PlasticRulingBook, setup: Setup) -> list[PlasticRuling]:
    """The rulings with a choice that can matter in this battle."""
    scenario_number = None
    if setup.scenario is not None:
        scenario_number = setup.scenario.number
    rulings = []
    for ruling in book.rulings.values():
        has_choice = len(ruling.answers) > 1
        played_here = not ruling.scenarios or scenario_number in ruling.scenarios
        if has_choice and played_here and _meets_needs(setup, ruling.needs):
            rulings.append(ruling)
    return rulings


def footnoted(scenario: Scenario) -> frozenset[str]:
    """The rulings in a scenario's footnotes, which players settle first."""
    names: set[str] = set()
    for note in scenario.footnotes:
        names.update(_RULING.findall(note.text))
    return frozenset(names)


def _meets_needs(setup: Setup, needs: Needs) -> bool:
    """Whether the battle has everything without which a ruling cannot matter."""
    if needs.settled:
        return False
    return _game_meets(setup, needs) and _sides_meet(setup, needs) and _units_meet(setup, needs)


def _game_meets(setup: Setup, needs: Needs) -> bool:
    """Whether this is the kind of game that a ruling is about, basic or scenario, played with the
    option that it is about."""
    game = "basic"
    if setup.scenario is not None:
        game = "scenario"
    if needs.game not in (None, game):
        return False
    return not needs.option or getattr(setup.options, needs.option)


def _sides_meet(setup: Setup, needs: Needs) -> bool:
    """Whether a side draws, breaks, fights and digs in as a ruling is about."""
    if needs.chance and not any(side.source.kind == needs.chance for side in setup.sides):
        return False
    if needs.breaks and not any(side.breaks for side in setup.sides):
        return False
    # Traits of nations only count where nationalities are played.
    nations: set[str] = set()
    if setup.options.nationalities:
        nations = {side.nation for side in setup.sides if side.nation}
    works: set[str] = set()
    for side in setup.sides:
        works.update(side.works)
    return _has_any(nations, needs.nations) and _has_any(works, needs.works)


def _units_meet(setup: Setup, needs: Needs) -> bool:
    """Whether one side has the units that a ruling is about, and the other what they act
    against."""
    if not needs.units:
        return True
    first, second = (_units_and_tags(setup, side.id) for side in setup.sides)
    for own, enemy in ((first, second), (second, first)):
        if _has_any(own, needs.units) and _has_any(enemy, needs.against):
            return True
    return False


def _has_any(there: Collection[str], needed: Collection[str]) -> bool:
    """Whether one of the ids ``needed`` is there; also if none is needed."""
    if not needed:
        return True
    return not set(needed).isdisjoint(there)


def _units_and_tags(setup: Setup, side: str) -> set[str]:
    """The units of a side and their tags, in every row that it may ever have."""
    units_and_tags: set[str] = set()
    for key in setup.letters:
        row = row_named(key)
        if row and row.side == side:
            units_and_tags |= {row.unit, *setup.unit(row.unit).tags}
    return units_and_tags
