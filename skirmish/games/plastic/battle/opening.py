"""How a battle begins: out of a scenario with its options chosen, or out of two armies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from skirmish.games.plastic.battle.names import piece_name
from skirmish.games.plastic.battle.setup import Contingent, Deadline, Piece, Setup, Side
from skirmish.games.plastic.rules.army import Army, break_point, worth
from skirmish.games.plastic.rules.catalog import Catalog, Nation
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.games.plastic.scenarios.scenario import Scenario, swapped
from skirmish.tabletop.chance import Source
from skirmish.tabletop.typed import plain


def from_scenario(
    scenario: Scenario,
    catalog: Catalog,
    book: RulingBook,
    *,
    sources: Mapping[str, Source],
    options: Mapping[str, Sequence[int]] | None = None,
    answers: Mapping[str, str] | None = None,
    nationalities: bool = False,
    revision: str = "",
) -> Setup:
    """The opening of a scenario.

    ``sources`` by side id; ``options`` by contingent id, the option taken in each of its choices
    (the first where nothing is said); ``answers`` are rulings other than default. Raises
    ValueError (a sentence) for an option or an answer that does not exist.
    """
    rulings = book.answered(answers or {})
    scenario = swapped(scenario, rulings)
    catalog = catalog.with_variants(scenario.variants)
    breaks = rulings["P58"] == "on"
    sides: list[Side] = []
    contingents: list[Contingent] = []
    pieces: list[Piece] = []
    for side_id in scenario.order_of_play():
        side = scenario.side(side_id)
        nation = catalog.nations[side_id]
        codes = Codes(side_id, catalog)
        own: list[Piece] = []
        for group in side.contingents:
            units = dict(group.units)
            taken = (options or {}).get(group.id, ())
            for index, choice in enumerate(group.choices):
                number = taken[index] if index < len(taken) else 0
                if not 0 <= number < len(choice.one_of):
                    raise ValueError(
                        f"{group.called} has {len(choice.one_of)} options; there is no "
                        f"number {number + 1}."
                    )
                for unit, count in choice.one_of[number].items():
                    units[unit] = units.get(unit, 0) + count
            contingents.append(
                Contingent(group.id, side_id, group.called, group.entry.turn, group.deploy)
            )
            own += codes.pieces(group.id, units)
        pieces += own
        traits = nation if nationalities else None
        pdg = _strength(own, traits, catalog, rulings)
        sides.append(
            Side(
                id=side_id,
                name=side.name,
                people=nation.people,
                nation=side_id if nationalities else None,
                source=sources[side_id],
                pdg=pdg,
                break_at=break_point(pdg, catalog, rulings) if pdg and breaks else None,
            )
        )
    end = scenario.ends_after
    deadline = Deadline(end.side, end.turn) if end else None
    if breaks and deadline is None:
        deadline = Deadline(sides[1].id, catalog.basic_game.last_turn, draw=True)
    return Setup(
        title=scenario.title,
        scenario=scenario,
        sides=(sides[0], sides[1]),
        contingents=tuple(contingents),
        pieces=tuple(pieces),
        ends_after=deadline,
        catalog=catalog,
        rulings=rulings,
        revision=revision,
    )


def from_armies(
    first: Army,
    second: Army,
    book: RulingBook,
    *,
    sources: tuple[Source, Source],
    answers: Mapping[str, str] | None = None,
    revision: str = "",
) -> Setup:
    """The basic game between two armies; ``first`` has placed first and moves first.

    Rulings are those of the armies, and ``answers`` on top. Raises ValueError (a sentence) if the
    armies disagree about one that ``answers`` leaves open.
    """
    chosen = _agreed(first, second, answers or {})
    rulings = book.answered(chosen)
    catalog = first.catalog
    same = first.nation == second.nation or not (first.nation and second.nation)
    sides: list[Side] = []
    pieces: list[Piece] = []
    for side_id, army, source in zip(("first", "second"), (first, second), sources, strict=True):
        fought = Army(army.listed, catalog, rulings)
        own = Codes(side_id, catalog).pieces(side_id, fought.fielded())
        pieces += own
        name = plain(army.listed.name)
        people = name if same or army.nation is None else army.nation.people
        if first.listed.name == second.listed.name and people == name:
            people = f"{name} {len(sides) + 1}"
        sides.append(
            Side(
                id=side_id,
                name=name,
                people=people,
                nation=army.listed.nation,
                quality=army.listed.quality,
                source=source,
                pdg=fought.pdg,
                break_at=fought.break_at if fought.pdg else None,
            )
        )
    last = catalog.basic_game.last_turn
    return Setup(
        armies=(first.listed, second.listed),
        title=plain(f"{first.listed.name} against {second.listed.name}"),
        sides=(sides[0], sides[1]),
        contingents=tuple(Contingent(side.id, side.id, side.name) for side in sides),
        pieces=tuple(pieces),
        ends_after=Deadline("second", last, draw=True),
        catalog=catalog,
        rulings=rulings,
        revision=revision,
    )


class Codes:
    """Gives every piece of a side its code: the unit's letter and a running number."""

    def __init__(self, side: str, catalog: Catalog) -> None:
        self._side = side
        self._catalog = catalog
        self._given: dict[str, int] = {}

    def pieces(self, contingent: str, units: Mapping[str, int]) -> list[Piece]:
        """The pieces of a contingent, in the order of the catalog."""
        made = []
        for name, unit in self._catalog.units.items():
            for _ in range(units.get(name, 0)):
                letter = unit.letter.upper()
                number = self._given[letter] = self._given.get(letter, 0) + 1
                made.append(Piece(piece_name(self._side, f"{letter}{number}"), contingent, name))
        return made


def _strength(
    pieces: Iterable[Piece], nation: Nation | None, catalog: Catalog, rulings: Mapping[str, str]
) -> int:
    return sum(worth(catalog.units[piece.unit], nation, catalog, rulings) for piece in pieces)


def _agreed(first: Army, second: Army, answers: Mapping[str, str]) -> dict[str, str]:
    one, other = first.listed.rulings, second.listed.rulings
    for ruling in one.keys() & other.keys() - answers.keys():
        if one[ruling] != other[ruling]:
            raise ValueError(
                f"{first.listed.name} plays {ruling} as {one[ruling]}, {second.listed.name} as "
                f"{other[ruling]}: make them agree first."
            )
    return {**one, **other, **answers}
