"""The opening of a battle: from a scenario with its options chosen, or from two armies; where the
sides set up, and which rulings can matter."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from string import ascii_lowercase
from typing import Any

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
from skirmish.games.plastic.scenarios.scenario import DrawTable, MayReveal, Scenario, swapped
from skirmish.tabletop.chance import Source
from skirmish.tabletop.measure import inches
from skirmish.tabletop.typed import plain


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """``levels``, ``quality``, names of ``players`` by side id; ``lists`` by contingent id, the
    option taken in each of its choices; ``answers`` to what the text leaves out, by question;
    ``hidden`` how many are placed in secret, by the place of the happening; ``loads``: who fits in
    the vehicles of his contingent starts aboard."""

    options: Options = Options()
    levels: Mapping[str, Level] = {}
    players: Mapping[str, str] = {}
    quality: Mapping[str, str | None] = {}
    lists: Mapping[str, Sequence[int]] = {}
    rulings: Mapping[str, str] = {}
    answers: Mapping[str, Any] = {}
    hidden: Mapping[int, int] = {}
    loads: bool = True


def from_scenario(
    scenario: Scenario,
    catalog: Catalog,
    book: PlasticRulingBook,
    *,
    sources: Mapping[str, Source],
    chosen: Chosen | None = None,
    revision: str = "",
) -> Setup:
    """``sources`` by side id. Raises ValueError (a sentence) for a choice that does not exist."""
    chosen = chosen or Chosen()
    rulings = book.answered(chosen.rulings)
    scenario = swapped(scenario, rulings)
    if scenario.cards_only and any(source.kind == "die" for source in sources.values()):
        raise ValueError(CARDS_ONLY)
    catalog = catalog.with_variants(scenario.variants)
    answers = {
        ask.id: ask.answered(chosen.answers.get(ask.id, ask.proposal), catalog.units)
        for ask in scenario.questions()
    }
    sides: list[Side] = []
    contingents: list[Contingent] = []
    pieces: list[Piece] = []
    for side_id in scenario.order_of_play():
        side = scenario.side(side_id)
        codes = Codes(side_id, catalog)
        for group in side.contingents:
            contingents.append(_contingent(side_id, group, scenario, answers))
            pieces += codes.pieces(group.id, _listed(group, chosen.lists.get(group.id, ())))
        for ask in scenario.questions():
            answer = answers[ask.id]
            if ask.unit and isinstance(answer, int):
                answer = {ask.unit: answer}
            if ask.side == side_id and answer and isinstance(answer, dict):
                if ask.contingent is None:
                    contingents.append(Contingent(ask.id, side_id, ask.id.capitalize()))
                pieces += codes.pieces(ask.contingent or ask.id, answer)
        if any(isinstance(k, DrawTable) and k.side == side_id for k in scenario.happenings):
            contingents.append(Contingent(REINFORCEMENTS, side_id, "Reinforcements"))
        made = Side(
            id=side_id,
            name=side.name,
            people=catalog.nations[side_id].people,
            nation=side_id,
            source=sources[side_id],
            breaks=rulings["P58"] == "on",
            works=side.works(),
        )
        sides.append(_as_chosen(made, chosen))
    return Setup(
        title=scenario.title,
        scenario=scenario,
        sides=(sides[0], sides[1]),
        contingents=tuple(contingents),
        pieces=tuple(pieces),
        options=chosen.options,
        answers=answers,
        hidden=_hidden(scenario, pieces, chosen.hidden),
        aboard=_loads(scenario, pieces, catalog, rulings) if chosen.loads else {},
        ends_after=_deadline(scenario, sides[1].id, rulings, catalog),
        catalog=catalog,
        rulings=rulings,
        revision=revision,
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
    Rulings are those of the armies, overridden by the chosen ones. Raises ValueError (a sentence)
    if the armies disagree about an open ruling, or if a group has more rows than there are
    letters."""
    chosen = chosen or Chosen()
    rulings = book.answered(_agreed(first, second, chosen.rulings))
    catalog = first.catalog
    same = first.nation == second.nation or not (first.nation and second.nation)
    sides: list[Side] = []
    pieces: list[Piece] = []
    contingents: list[Contingent] = []
    for side_id, army, source in zip(("first", "second"), (first, second), sources, strict=True):
        fought = Army(army.listed, catalog, rulings)
        codes, name = Codes(side_id, catalog), plain(army.listed.name)
        groups: list[tuple[str, str, Mapping[str, int]]] = [(side_id, name, fought.fielded())]
        if army.listed.groups:
            groups = [
                (f"{side_id}_{at}", plain(group), {u: n + free.get(u, 0) for u, n in own.items()})
                for at, (group, own, free) in enumerate(fought.blocks(), 1)
            ]
        for id, called, units in groups:
            contingents.append(Contingent(id, side_id, called))
            pieces += codes.pieces(id, units)
        people = name if same or army.nation is None else army.nation.people
        if first.listed.name == second.listed.name and people == name:
            people = f"{name} {len(sides) + 1}"
        made = Side(
            id=side_id,
            name=name,
            people=people,
            nation=army.listed.nation,
            quality=army.listed.quality,
            source=source,
            breaks=True,
            works=dict(army.listed.works),
        )
        sides.append(_as_chosen(made, chosen))
    options = chosen.options
    national = options.nationalities or any(side.nation for side in sides)
    setup = Setup(
        armies=(first.listed, second.listed),
        title=plain(f"{first.listed.name} against {second.listed.name}"),
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
    letters = len(ascii_lowercase)
    for side, army in zip(sides, (first, second), strict=True):
        rows = sum(row_side(row) == side.id for row in setup.letters)
        if army.listed.groups and rows > letters:
            raise ValueError(
                f"{side.name} has {rows} rows in its groups, and a battle has only {letters} "
                "letters for them. Dissolve a group in the army builder."
            )
    return setup


def _as_chosen(side: Side, chosen: Chosen) -> Side:
    return replace(
        side,
        quality=chosen.quality.get(side.id, side.quality),
        player=plain(chosen.players.get(side.id, "")),
        level=chosen.levels.get(side.id, "clerk" if side.source.typed else "referee"),
    )


# ------------------------------------------------------------------ lists, options, answers


def _listed(group: oob.ScenarioContingent, taken: Sequence[int]) -> dict[str, int]:
    units = dict(group.units)
    for index, choice in enumerate(group.choices):
        number = taken[index] if index < len(taken) else 0
        if not 0 <= number < len(choice.one_of):
            options = f"{group.called} has {len(choice.one_of)} options"
            raise ValueError(f"{options}; there is no number {number + 1}.")
        for unit, count in choice.one_of[number].items():
            units[unit] = units.get(unit, 0) + count
    return units


def _contingent(
    side: str, group: oob.ScenarioContingent, scenario: Scenario, answers: Mapping[str, Any]
) -> Contingent:
    by = group.entry.words if group.entry.over else ""
    for ask in scenario.questions():
        if ask.contingent == group.id and ask.about in ("option", "place"):
            by = f"{answers[ask.id]} {group.entry.over}".strip()
    note = scenario.unmarked(group.deploy)
    return Contingent(group.id, side, group.called, group.entry.turn, note, by)


def _hidden(
    scenario: Scenario, pieces: Sequence[Piece], counts: Mapping[int, int]
) -> tuple[str, ...]:
    """By default a contingent hides if all of it can; otherwise as many as players chose."""
    found: list[str] = []
    for index, kind in enumerate(scenario.happenings):
        if not isinstance(kind, MayReveal):
            continue
        able = may_hide(kind, pieces)
        whole = {p.id for p in pieces if p.side == kind.side and p.contingent == kind.contingent}
        default = len(able) if set(able) == whole else 0
        count = counts.get(index, default)
        if not 0 <= count <= len(able):
            raise ValueError(f"{len(able)} can be hidden, not {count}.")
        found += able[:count]
    return tuple(found)


def may_hide(kind: MayReveal, pieces: Sequence[Piece]) -> list[str]:
    return [one.id for one in pieces if concerns(kind, one.side, one.contingent, one.unit)]


# ------------------------------------------------------------------ loads, clock, levels


def _loads(
    scenario: Scenario, pieces: Sequence[Piece], catalog: Catalog, rulings: Mapping[str, str]
) -> dict[str, str]:
    """Loads a contingent that enters in vehicles or craft with room for all of its guys (scenario
    10: P71, where they are shared out evenly)."""
    aboard: dict[str, str] = {}
    units = {piece.id: catalog.units[piece.unit] for piece in pieces}
    for group in (group for side in scenario.sides for group in side.contingents):
        own = [piece.id for piece in pieces if piece.contingent == group.id]
        inside: dict[str, list[UnitType]] = {piece: [] for piece in own if units[piece].seats}
        afloat = any("landing_craft" in units[piece].tags for piece in inside)
        if not inside or not (afloat or isinstance(group.entry, _FROM_OUTSIDE)):
            continue
        crowded = "P71" in scenario.rulings and afloat
        riders = [p for p in own if units[p].is_guy or "cannon" in units[p].tags]
        loads: dict[str, str] = {}
        for rider in sorted(riders, key=lambda one: units[one].is_guy):  # cannon first
            unit = units[rider]
            if crowded and unit.is_guy and rulings["P71"] == "extra_seats":
                fitting = [min(inside, key=lambda carrier: len(inside[carrier]))]
            else:
                fitting = [
                    carrier
                    for carrier, there in inside.items()
                    if why_not_aboard(units[carrier], [*there, unit], rulings) is None
                ]
            if fitting:
                inside[fitting[0]].append(unit)
                loads[rider] = fitting[0]
        if crowded or all(rider in loads for rider in riders if units[rider].is_guy):
            aboard |= loads
    return aboard


_FROM_OUTSIDE = oob.EdgeEntry | oob.RoadEntry | oob.CornerEntry


def _deadline(
    scenario: Scenario, second: str, rulings: Mapping[str, str], catalog: Catalog
) -> Deadline | None:
    end = scenario.ends_after
    if end is not None:
        return Deadline(end.side, end.turn)
    by_ruling = "P68" in scenario.rulings and rulings["P68"] == "draw_after_30"
    if by_ruling or rulings["P58"] == "on":
        return Deadline(second, catalog.basic_game.last_turn, draw=True)
    return None


def _agreed(first: Army, second: Army, answers: Mapping[str, str]) -> dict[str, str]:
    one, other = first.listed.rulings, second.listed.rulings
    for ruling in one.keys() & other.keys() - answers.keys():
        if one[ruling] != other[ruling]:
            raise ValueError(
                f"{first.listed.name} plays {ruling} as {one[ruling]}, {second.listed.name} as "
                f"{other[ruling]}: make them agree first."
            )
    return {**one, **other, **answers}


# ------------------------------------------------------------------ where the sides set up


def deployment_words(setup: Setup, first: str | None = None) -> str:
    """The set-up instructions, one per line. ``first`` places and moves first; None if lots are
    still to be drawn."""
    return "\n".join(_of_scenario(setup) if setup.scenario else _of_basic_game(setup, first))


def deployment_now(state: State) -> str:
    casting = any(isinstance(task, ToCast) for task in state.agenda)
    return deployment_words(state.setup, None if casting else state.first)


def _of_scenario(setup: Setup) -> list[str]:
    assert setup.scenario is not None
    starter = setup.side_by_id[setup.scenario.sets_up_first]
    lines = [f"{setup.does(starter.id, 'set up', 'sets up', 'The')} first."]
    for side in (starter, setup.enemy_of(starter.id)):
        own = [group for group in setup.contingents if group.side == side.id]
        lines += [
            f"{side.people}, {group.name}: {group.note}"
            for group in own
            if group.enters <= 1 and group.note
        ]
    return lines


def _of_basic_game(setup: Setup, first: str | None) -> list[str]:
    bands = setup.catalog.basic_game.deployment
    if bands is None:
        return []
    if first is None and not setup.lots:
        first = setup.sides[0].id
    if first is None:
        one, other = "The side with the higher draw sets up first", "then the other side"
    else:
        one = f"{setup.does(first, 'set up', 'sets up', 'The')} first"
        other = f"then {setup.the(setup.enemy_of(first).id)}"
    own = (piece.unit for piece in setup.pieces if first in (None, piece.side))
    pillboxes = any("pillbox" in setup.unit(unit).tags for unit in own)
    return [
        f"{one}: within {inches(bands.first)} of the chosen edge"
        + (f", pillboxes up to {inches(bands.first_pillboxes)}." if pillboxes else "."),
        f"{other[0].upper()}{other[1:]}: within {inches(bands.second)} of the edge opposite.",
    ]


# ------------------------------------------------------------------ rulings that can matter


_RULING = re.compile(r"\bP\d+\b")


def rulings_that_matter(book: PlasticRulingBook, setup: Setup) -> list[PlasticRuling]:
    """The rulings with a choice that can matter in this battle."""
    number = setup.scenario.number if setup.scenario else None
    return [
        ruling
        for ruling in book.rulings.values()
        if len(ruling.answers) > 1
        and (not ruling.scenarios or number in ruling.scenarios)
        and _has(setup, ruling.needs)
    ]


def footnoted(scenario: Scenario) -> frozenset[str]:
    """The rulings in a scenario's footnotes, which players settle first."""
    return frozenset(name for note in scenario.footnotes for name in _RULING.findall(note.text))


def _has(setup: Setup, needs: Needs) -> bool:
    sides, options = setup.sides, setup.options
    nations = {side.nation or "" for side in sides if options.nationalities}
    met = (
        not needs.settled
        and needs.game in (None, "scenario" if setup.scenario else "basic")
        and (not needs.option or getattr(options, needs.option))
        and (not needs.chance or any(side.source.kind == needs.chance for side in sides))
        and (not needs.breaks or any(side.breaks for side in sides))
        and _meets(nations, needs.nations)
        and _meets({work for side in sides for work in side.works}, needs.works)
    )
    traits = [_traits(setup, side.id) for side in sides] if met and needs.units else []
    pairs = zip(traits, reversed(traits), strict=True)
    return bool(met) and (
        not traits or any(_meets(a, needs.units) and _meets(b, needs.against) for a, b in pairs)
    )


def _meets(traits: Collection[str], wanted: Collection[str]) -> bool:
    return not wanted or any(word in traits for word in wanted)


def _traits(setup: Setup, side: str) -> set[str]:
    found: set[str] = set()
    for key in setup.letters:
        row = row_named(key)
        if row and row.side == side:
            found |= {row.unit, *setup.unit(row.unit).tags}
    return found
