"""The opening of a basic game, between two armies."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_lowercase
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle.names import row_side
from skirmish.games.plastic.battle.pieces import Codes, Contingent, Piece
from skirmish.games.plastic.battle.setup import Deadline, Setup, Side
from skirmish.games.plastic.battle.setup_choices import SetupChoices, with_choices
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.tabletop.chance import Source
from skirmish.tabletop.typed import plain


def from_armies(
    first: Army,
    second: Army,
    book: PlasticRulingBook,
    *,
    sources: tuple[Source, Source],
    chosen: SetupChoices | None = None,
    lots: bool = False,
    revision: str = "",
) -> Setup:
    """The opening of a basic game. ``first`` sets up and moves first; with ``lots`` a draw before
    play may change that. ``sources``: what each side draws from, the first side's first. Rulings
    are those of the armies, overridden by the chosen ones. Raises ValueError (a sentence) if the
    armies disagree about a ruling and no answer was chosen, or if the groups of an army have more
    rows than there are letters."""
    chosen = chosen or SetupChoices()
    rulings = book.answered(_agreed_rulings(first, second, chosen.rulings))
    catalog = first.catalog
    pieces: list[Piece] = []
    contingents: list[Contingent] = []
    for side_id, army in (("first", first), ("second", second)):
        codes = Codes(side_id, catalog)
        # The army counts by the rulings of this battle, which may differ from its own.
        for group in _groups(side_id, Army(army.army_list, catalog, rulings)):
            contingents.append(Contingent(group.id, side_id, group.name))
            pieces += codes.pieces(group.id, group.units)
    source_of_first, source_of_second = sources
    first_side = _army_side(first, "first", _people(first, second, number=1), source_of_first)
    second_side = _army_side(second, "second", _people(second, first, number=2), source_of_second)
    sides = (with_choices(first_side, chosen), with_choices(second_side, chosen))
    options = chosen.options
    # An army that names its nation was bought at that nation's prices, so its traits are played.
    national = options.nationalities or any(side.nation for side in sides)
    setup = Setup(
        armies=(first.army_list, second.army_list),
        title=plain(f"{first.army_list.name} against {second.army_list.name}"),
        sides=sides,
        contingents=tuple(contingents),
        pieces=tuple(pieces),
        options=replace(options, nationalities=national),
        lots=lots,
        ends_after=Deadline(second_side.id, catalog.basic_game.last_turn, draw=True),
        catalog=catalog,
        rulings=rulings,
        revision=revision,
    )
    _check_letters(setup)
    return setup


def _agreed_rulings(first: Army, second: Army, answers: Mapping[str, str]) -> dict[str, str]:
    """The rulings of both armies, overridden by the chosen ``answers``. Raises ValueError if the
    armies disagree and nobody has chosen."""
    of_first, of_second = first.army_list.rulings, second.army_list.rulings
    for ruling, first_answer in of_first.items():
        # An army that has no answer of its own accepts that of the other.
        second_answer = of_second.get(ruling, first_answer)
        if ruling not in answers and first_answer != second_answer:
            first_plays = f"{first.army_list.name} plays {ruling} as {first_answer}"
            second_plays = f"{second.army_list.name} as {second_answer}"
            raise ValueError(f"{first_plays}, {second_plays}: make them agree first.")
    return {**of_first, **of_second, **answers}


def _army_side(army: Army, side: str, people: str, source: Source) -> Side:
    """A side as its army list has it, before the players have chosen anything. ``people``: how
    sentences call it. In the basic game every army has a break point."""
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
    for number, block in enumerate(army.blocks(), 1):
        units = {}
        # Some nations get free men with those that they buy, always of a unit that they buy too.
        for unit, bought in block.units.items():
            units[unit] = bought + block.free.get(unit, 0)
        groups.append(_Group(f"{side}_{number}", plain(block.name), units))
    return groups


def _people(army: Army, enemy: Army, *, number: int) -> str:
    """How sentences call the side of an army: by its nation, if that tells the sides apart; else by
    the name of the army, with its ``number`` if both armies have the same name."""
    name = plain(army.army_list.name)
    if army.nation and enemy.nation and army.nation != enemy.nation:
        people = army.nation.people
        # An army with the name of its people goes on to the check below: its enemy's army may have
        # that name, too, and then both are numbered.
        if people != name:
            return people
    if army.army_list.name == enemy.army_list.name:
        return f"{name} {number}"
    return name


def _check_letters(setup: Setup) -> None:
    """Raises ValueError if the groups of an army have more rows than there are letters."""
    letters = len(ascii_lowercase)
    for side, army_list in zip(setup.sides, setup.armies, strict=True):
        rows = len([row for row in setup.letters if row_side(row) == side.id])
        # An undivided army has one row for each kind of unit, and there are fewer kinds than
        # letters.
        if army_list.groups and rows > letters:
            raise ValueError(
                f"{side.name} has {rows} rows in its groups, and a battle has only {letters} "
                "letters for them. Dissolve a group in the army builder."
            )
