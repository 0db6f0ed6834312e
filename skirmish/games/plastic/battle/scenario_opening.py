"""The opening of a battle by a scenario, with what its text leaves to the players filled in: which
pieces there are, who hides, who starts in a vehicle or a landing craft, and the last turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skirmish.games.plastic.battle.pieces import REINFORCEMENTS, Codes, Contingent, Piece
from skirmish.games.plastic.battle.setup import (
    CARDS_ONLY,
    Deadline,
    Setup,
    SetupAnswers,
    Side,
    concerns,
)
from skirmish.games.plastic.battle.setup_choices import SetupChoices, with_choices
from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.games.plastic.rules.checks import why_not_aboard
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios import entries
from skirmish.games.plastic.scenarios.happenings import AskAtSetup, DrawTable, MayReveal
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioContingent
from skirmish.games.plastic.scenarios.scenario import Scenario, under_rulings
from skirmish.tabletop.chance import Source


def from_scenario(
    scenario: Scenario,
    catalog: Catalog,
    book: PlasticRulingBook,
    *,
    sources: Mapping[str, Source],
    chosen: SetupChoices | None = None,
    revision: str = "",
) -> Setup:
    """The set-up of a battle by a scenario. ``sources``: what each side draws from, by its id;
    ``revision``: that of the data. Raises ValueError (a sentence) for a choice that does not
    exist."""
    if chosen is None:
        chosen = SetupChoices()
    rulings = book.answered(chosen.rulings)
    # Some rulings change units of the scenario, or its last turn.
    scenario = under_rulings(scenario, rulings)
    kinds_of_source = {source.kind for source in sources.values()}
    if scenario.cards_only and "die" in kinds_of_source:
        raise ValueError(CARDS_ONLY)
    # Some scenarios have units of their own, with other prices or weapons.
    catalog = catalog.with_variants(scenario.variants)
    answers = _answers(scenario, chosen, catalog)
    sides: list[Side] = []
    contingents: list[Contingent] = []
    pieces: list[Piece] = []
    for side_id in scenario.order_of_play():
        codes = Codes(side_id, catalog)
        contingents += _contingents(scenario, side_id, answers)
        pieces += _listed_pieces(scenario, side_id, chosen, codes)
        pieces += _answered_pieces(scenario, side_id, answers, codes)
        side = _scenario_side(scenario, side_id, catalog, rulings, sources[side_id])
        sides.append(with_choices(side, chosen))
    aboard: dict[str, str] = {}
    if chosen.loads:
        aboard = _starting_loads(scenario, pieces, catalog, rulings)
    return Setup(
        title=scenario.title,
        scenario=scenario,
        sides=(sides[0], sides[1]),
        contingents=tuple(contingents),
        pieces=tuple(pieces),
        options=chosen.options,
        answers=answers,
        hidden=_hidden_pieces(scenario, pieces, chosen.hidden),
        aboard=aboard,
        ends_after=_deadline(scenario, sides[1].id, rulings, catalog),
        catalog=catalog,
        rulings=rulings,
        revision=revision,
    )


def _answers(scenario: Scenario, chosen: SetupChoices, catalog: Catalog) -> SetupAnswers:
    """The answers to all questions of the scenario; a question that nobody answered has the answer
    that the scenario proposes. Raises ValueError for an invalid one."""
    answers: SetupAnswers = {}
    for ask in scenario.questions():
        answer = chosen.answers.get(ask.id, ask.proposal)
        answers[ask.id] = ask.valid_answer(answer, catalog.units)
    return answers


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
        # In scenarios a side's id is that of its nation.
        nation=side,
        source=source,
        breaks=rulings["P58"] == "on",
        works=scenario_side.works(),
    )


# ------------------------------------------------------------------ contingents and pieces


def _contingents(scenario: Scenario, side: str, answers: SetupAnswers) -> list[Contingent]:
    """The contingents of a side: those of the scenario's list; then one for each answered question
    whose units belong to none of them; then one for reinforcements, if a draw table may bring
    them."""
    contingents = []
    for contingent in scenario.side(side).contingents:
        contingents.append(_contingent(side, contingent, scenario, answers))
    for ask in scenario.questions():
        brings_units = ask.side == side and _units_answered(ask, answers)
        if brings_units and ask.contingent is None:
            contingents.append(Contingent(id=ask.id, side=side, name=ask.id.capitalize()))
    for happening in scenario.happenings:
        if isinstance(happening, DrawTable) and happening.side == side:
            contingents.append(Contingent(id=REINFORCEMENTS, side=side, name="Reinforcements"))
            # One is enough for all tables.
            break
    return contingents


def _contingent(
    side: str,
    contingent: ScenarioContingent,
    scenario: Scenario,
    answers: SetupAnswers,
) -> Contingent:
    """A contingent of the scenario in this battle: when it enters, and where it does or sets
    up."""
    # ``over`` is ``edge``, ``corner`` or ``road``, or empty for a contingent that sets up on the
    # table.
    place_of_entry = ""
    if contingent.entry.over:
        place_of_entry = contingent.entry.words
    for ask in scenario.questions():
        # By such a question the players choose the edge, the corner or the place.
        if ask.contingent == contingent.id and ask.about in ("option", "place"):
            # ``NE corner``. Where the contingent sets up on the table, the answer is the whole
            # place.
            place_of_entry = f"{answers[ask.id]} {contingent.entry.over}".strip()
    return Contingent(
        id=contingent.id,
        side=side,
        name=contingent.name_in_words,
        enters=contingent.entry.turn,
        note=scenario.unmarked(contingent.deploy),
        place_of_entry=place_of_entry,
    )


def _listed_pieces(
    scenario: Scenario, side: str, chosen: SetupChoices, codes: Codes
) -> list[Piece]:
    """The pieces of the scenario's lists, with what the players took of their choices."""
    pieces = []
    for contingent in scenario.side(side).contingents:
        options_taken = chosen.lists.get(contingent.id, ())
        units = _listed_units(contingent, options_taken)
        pieces += codes.pieces(contingent.id, units)
    return pieces


def _listed_units(contingent: ScenarioContingent, options_taken: Sequence[int]) -> dict[str, int]:
    """The units of a contingent's list, with what its choices add. ``options_taken``: the index of
    the option taken in each choice; without one the first option is taken. Raises ValueError for an
    option that does not exist."""
    units = dict(contingent.units)
    for index, choice in enumerate(contingent.choices):
        option = 0
        if index < len(options_taken):
            option = options_taken[index]
        if not 0 <= option < len(choice.one_of):
            number_of_options = f"{contingent.name_in_words} has {len(choice.one_of)} options"
            # Players count the options from 1.
            raise ValueError(f"{number_of_options}; there is no number {option + 1}.")
        for unit, count in choice.one_of[option].items():
            units[unit] = units.get(unit, 0) + count
    return units


def _answered_pieces(
    scenario: Scenario, side: str, answers: SetupAnswers, codes: Codes
) -> list[Piece]:
    """The pieces of which the scenario leaves the number to the players, such as tanks."""
    pieces = []
    for ask in scenario.questions():
        units = _units_answered(ask, answers)
        if ask.side != side or not units:
            continue
        # Units that belong to no listed contingent have one of their own (``_contingents``).
        contingent = ask.contingent
        if contingent is None:
            contingent = ask.id
        pieces += codes.pieces(contingent, units)
    return pieces


def _units_answered(ask: AskAtSetup, answers: SetupAnswers) -> dict[str, int]:
    """The units that the answer to a question adds; empty for a question about something else."""
    answer = answers[ask.id]
    if ask.unit and isinstance(answer, int):
        return {ask.unit: answer}
    if isinstance(answer, dict):
        return answer
    return {}


# ------------------------------------------------------------------ who hides


def _hidden_pieces(
    scenario: Scenario, pieces: Sequence[Piece], counts: Mapping[int, int]
) -> tuple[str, ...]:
    """The pieces that hide: for each happening of the scenario that allows it as many as the
    players chose. ``counts``: that number, by the index of the happening. Where they chose none, a
    contingent hides if all of it can, else nobody does. Raises ValueError if more should hide than
    can."""
    hidden: list[str] = []
    for index, happening in enumerate(scenario.happenings):
        if not isinstance(happening, MayReveal):
            continue
        hideable = pieces_that_may_hide(happening, pieces)
        usual_count = 0
        if set(hideable) == _pieces_of_contingent(happening, pieces):
            usual_count = len(hideable)
        count = counts.get(index, usual_count)
        if not 0 <= count <= len(hideable):
            raise ValueError(f"{len(hideable)} can be hidden, not {count}.")
        hidden += hideable[:count]
    return tuple(hidden)


def _pieces_of_contingent(happening: MayReveal, pieces: Sequence[Piece]) -> set[str]:
    """The pieces of the contingent that the happening is about."""
    ids = set()
    for piece in pieces:
        if piece.side == happening.side and piece.contingent == happening.contingent:
            ids.add(piece.id)
    return ids


def pieces_that_may_hide(happening: MayReveal, pieces: Sequence[Piece]) -> list[str]:
    """The pieces that may be placed in secret."""
    hideable = []
    for piece in pieces:
        if concerns(happening, piece.side, piece.contingent, piece.unit):
            hideable.append(piece.id)
    return hideable


# ------------------------------------------------------------------ who starts aboard


def _starting_loads(
    scenario: Scenario, pieces: Sequence[Piece], catalog: Catalog, rulings: Mapping[str, str]
) -> dict[str, str]:
    """Which pieces start aboard a vehicle or a landing craft: the carrier of each. A contingent
    does so if it enters the table in vehicles or craft that have room for all of its guys; for
    scenario 10 see P71."""
    aboard: dict[str, str] = {}
    for side in scenario.sides:
        for contingent in side.contingents:
            units = {}
            for piece in pieces:
                if piece.contingent == contingent.id:
                    units[piece.id] = catalog.units[piece.unit]
            from_outside = isinstance(contingent.entry, entries.FROM_OUTSIDE)
            aboard |= _loads_of_contingent(scenario, units, rulings, from_outside=from_outside)
    return aboard


def _loads_of_contingent(
    scenario: Scenario,
    units: Mapping[str, UnitType],
    rulings: Mapping[str, str],
    *,
    from_outside: bool,
) -> dict[str, str]:
    """The carrier of each rider of one contingent; empty if it starts on foot. ``units``: the unit
    of each of its pieces; ``from_outside``: whether it enters from outside the table."""
    carriers = [piece for piece, unit in units.items() if unit.seats]
    is_afloat = any("landing_craft" in units[carrier].tags for carrier in carriers)
    # Men who set up on dry land start beside their vehicles, wherever the players want them.
    sets_up_on_land = not is_afloat and not from_outside
    if not carriers or sets_up_on_land:
        return {}
    # In scenario 10, 33 men have 30 seats in landing craft. The ruling says where the other 3 are:
    # aboard as well, or ashore. All others start aboard in either case.
    is_crowded = is_afloat and "P71" in scenario.rulings
    extra_seats = is_crowded and rulings["P71"] == "extra_seats"
    loads = _seated(units, carriers, rulings, extra_seats=extra_seats)
    guys = {piece for piece, unit in units.items() if unit.is_guy}
    # Elsewhere, if not everybody fits, the players decide who rides, so all begin on foot.
    all_guys_fit = loads.keys() >= guys
    if is_crowded or all_guys_fit:
        return loads
    return {}


def _seated(
    units: Mapping[str, UnitType],
    carriers: Sequence[str],
    rulings: Mapping[str, str],
    *,
    extra_seats: bool,
) -> dict[str, str]:
    """The carrier of each rider who finds room; with ``extra_seats`` every guy does."""
    inside: dict[str, list[UnitType]] = {carrier: [] for carrier in carriers}
    loads: dict[str, str] = {}
    for rider in _riders(units):
        carrier: str | None
        if extra_seats and units[rider].is_guy:
            carrier = _carrier_with_fewest(inside)
        else:
            carrier = _first_with_room(units, rider, inside, rulings)
        if carrier is not None:
            inside[carrier].append(units[rider])
            loads[rider] = carrier
    return loads


def _riders(units: Mapping[str, UnitType]) -> list[str]:
    """The pieces that can ride. Cannon come first, since they fit into few vehicles."""
    cannon: list[str] = []
    guys: list[str] = []
    for piece, unit in units.items():
        if unit.is_guy:
            guys.append(piece)
        elif "cannon" in unit.tags:
            cannon.append(piece)
    return [*cannon, *guys]


def _carrier_with_fewest(inside: Mapping[str, Sequence[UnitType]]) -> str:
    """The carrier with the fewest riders: by ``extra_seats`` (P71) guys are shared out evenly."""

    def riders_aboard(carrier: str) -> int:
        return len(inside[carrier])

    return min(inside, key=riders_aboard)


def _first_with_room(
    units: Mapping[str, UnitType],
    rider: str,
    inside: Mapping[str, Sequence[UnitType]],
    rulings: Mapping[str, str],
) -> str | None:
    """The first carrier with room for the rider beside those who are ``inside``; None if no carrier
    has any."""
    for carrier, riders in inside.items():
        riding = [*riders, units[rider]]
        if why_not_aboard(units[carrier], riding, rulings) is None:
            return carrier
    return None


# ------------------------------------------------------------------ the last turn


def _deadline(
    scenario: Scenario, second_side: str, rulings: Mapping[str, str], catalog: Catalog
) -> Deadline | None:
    """The player turn after which the battle ends; None if it has no last turn. ``second_side``:
    the side that moves second."""
    end = scenario.ends_after
    if end is not None:
        return Deadline(end.side, end.turn)
    # A scenario without a last turn of its own has the one of the basic game if armies break as in
    # the basic game (P58) or, in scenario 3, if P68 says so.
    ends_by_p68 = "P68" in scenario.rulings and rulings["P68"] == "draw_after_30"
    armies_break = rulings["P58"] == "on"
    if ends_by_p68 or armies_break:
        return Deadline(second_side, catalog.basic_game.last_turn, draw=True)
    return None
