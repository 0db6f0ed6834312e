"""A campaign is set up: the form that is filled in, and the setup that its answers give. Numbers as
C1 are rulings of campaigns (``terms``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from skirmish.games.plastic.battle.orders.agreements import LONGEST_NAME
from skirmish.games.plastic.campaign.battle_opening import BattleBooks, owners
from skirmish.games.plastic.campaign.campaign_file import (
    USUAL_POOL,
    CampaignFile,
    GroupFile,
    SideFile,
    may_be_in_pool,
    scenario_of,
)
from skirmish.games.plastic.campaign.groups import CampaignGroup, UnitTerms
from skirmish.games.plastic.campaign.state import ArmyLimits, CampaignSetup, CampaignSide
from skirmish.games.plastic.campaign.terms import CampaignTerms, ReturnTable
from skirmish.games.plastic.commander.weights import CommanderWeights, TemperamentId
from skirmish.games.plastic.rules.army import LONGEST_GROUP, Army
from skirmish.games.plastic.rules.catalog import Catalog, total_counts
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioSide
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.setup_form.names import A_PLAYER
from skirmish.games.plastic.setup_form.option_fields import PRESETS
from skirmish.games.plastic.setup_form.side_fields import DRAWS, commanders
from skirmish.tabletop.chance import Source
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.game import Seed
from skirmish.tabletop.presets import PresetBook
from skirmish.tabletop.refusal import nonsense
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.slots import AnswerRow, Words, form_choice
from skirmish.tabletop.typed import plain

# The answers to the questions about rules (``CampaignForm.fields``).
WHO_DRAWS_CARDS = (
    AnswerRow("program", "the program draws", "Space draws all cards of an evening at once."),
    AnswerRow("own", "own cards or d12, typed in", "You draw and type the ranks: 7 q 3."),
)
USES_OF_QUALITY = (
    AnswerRow("off", "for honour only", "Groups gain marks and honours, and fight all alike."),
    AnswerRow("on", "in battle too", "Each group tests at its own force quality."),
)
OPTIONAL_RULES = (
    AnswerRow("usual", "the usual ones", PRESETS["usual"].note),
    AnswerRow("first_game", "none: only moving, firing and counting", PRESETS["first_game"].note),
    AnswerRow("everything", "all of them", PRESETS["everything"].note),
)
SIDES_HEADING, RULES_HEADING = "SIDES", "RULES"
"""The headings of the form."""
RETURN_TABLE = "C22"
"""The ruling that says by which table the cards for the lost are read."""


class CampaignBooks(BattleBooks, frozen=True, kw_only=True):
    """What campaigns are opened with, besides what battles are opened with. ``rulings`` of the base
    are those of battles."""

    files: Mapping[str, CampaignFile]
    """The campaigns by id."""
    terms: PresetBook
    """The rulings of campaigns (C1, C2, ...) and their presets."""
    tables: Mapping[str, ReturnTable]
    """The tables of returns, by the answers to C22."""
    weights: Callable[[], CommanderWeights] | None = None
    """Reads the weights of the program's commander, who may command a side in its battles; None: it
    commands none."""
    templates: Mapping[str, Army] = {}
    """Ready armies, for a campaign without groups of its own."""
    broken: tuple[DataError, ...] = ()
    """What is wrong with the files that cannot be read."""

    def terms_of(self, answers: Mapping[str, str]) -> CampaignTerms:
        """The numbers that these answers stand for."""
        return CampaignTerms(answers, self.tables[answers[RETURN_TABLE]])


class CampaignForm(msgspec.Struct, frozen=True):
    """The form that is filled in before a campaign, and the setup that its answers give.
    ``own_armies``: the armies that the player has stored, by their ids, for sides without groups of
    their own."""

    books: CampaignBooks
    own_armies: Mapping[str, Army]

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        """The fields of the form; some depend on the campaign that is among the ``answers``."""
        file = self._file(answers)
        fields = [self._campaign_field(), *self._army_fields(file)]
        for side in file.sides:
            fields += self._side_fields(side)
        questions_about_rules = (
            form_choice(
                "options", "Which optional rules are played?", OPTIONAL_RULES, "Optional rules"
            ),
            form_choice(
                "quality", "What is the quality of groups for?", USES_OF_QUALITY, "Force quality"
            ),
            form_choice(
                "cards", "Who draws the cards for the lost?", WHO_DRAWS_CARDS, "Cards for the lost"
            ),
        )
        for slot in questions_about_rules:
            fields.append(Field(slot=slot, group=RULES_HEADING))
        return (*fields, *self.books.terms.fields())

    def setup(self, answers: Mapping[str, Any], seed: Seed) -> CampaignSetup:
        """The setup of a campaign. Raises Refused for an unknown army, or for one that costs too
        much."""
        books, file = self.books, self._file(answers)
        rulings = _campaign_rulings(file, books, answers)
        terms = books.terms_of(rulings)
        armies = {side.id: self._army_of(side, answers) for side in file.sides}
        _refuse_dear_armies(armies.values(), terms.pool)
        # The mark is drawn first, then the seed of the cards: this order must not change, so that
        # the same seeds open the same campaign.
        mark = f"c{seed():013x}"
        cards = Source("deck")
        if answers.get("cards") != "own":
            # Without a seed the players draw the cards themselves.
            cards = Source("deck", seed=seed())
        preset = PRESETS[answers.get("options", "usual")]
        return CampaignSetup(
            mark=mark,
            file=file,
            sides=_sides(file, books.catalog, answers, armies),
            groups=tuple(_groups(file, armies)),
            units=_units(file, books),
            works=_works(books.catalog),
            lists=_lists(file, books),
            titles=_titles(file, books),
            rulings=rulings,
            named=books.terms.named(rulings),
            table=books.tables[rulings[RETURN_TABLE]],
            source=cards,
            options=preset.options,
            draws={side.id: answers.get(_draws_key(side), "deck") for side in file.sides},
            programs=_programs(file, answers),
            quality=answers.get("quality") == "on",
            limits=_limits_of_battles(books, terms),
            revision=books.revision,
        )

    def _file(self, answers: Mapping[str, Any]) -> CampaignFile:
        """The campaign that is chosen; the first one until then."""
        first_id = next(iter(self.books.files))
        chosen_id = answers.get("campaign", first_id)
        return self.books.files[chosen_id]

    def _campaign_field(self) -> Field:
        """Which campaign it is."""
        rows = []
        for id, file in self.books.files.items():
            note = f"At most {file.last_battle} battles. {file.history}"
            rows.append(AnswerRow(id, file.title, note))
        return Field(slot=form_choice("campaign", "Which campaign is it?", rows, "Campaign"))

    def _army_fields(self, file: CampaignFile) -> Iterator[Field]:
        """Which army each side without groups of its own brings."""
        armies = list(self._all_armies().items())
        for side in file.sides:
            if side.groups:
                continue
            rows = [_army_row(id, army) for id, army in armies]
            text = f"Which is the {side.name.lower()}?"
            slot = form_choice(_army_key(side), text, rows, side.name)
            yield Field(slot=slot, group=SIDES_HEADING)
            # A form proposes its first row: for the second side that must be another army.
            armies = [*armies[1:], armies[0]]

    def _side_fields(self, side: SideFile) -> Iterator[Field]:
        """Who commands a side in the campaign and in its battles, and who draws for it."""
        people = _people(side, self.books.catalog)
        slots = (
            Words(
                name=_player_key(side),
                label=f"{people}: commanded by",
                text=f"Who commands the {people}?",
                default="",
                longest=LONGEST_NAME,
            ),
            form_choice(
                _draws_key(side),
                f"Who draws or rolls for the {people} in battle?",
                DRAWS,
                f"{people}: who draws",
            ),
            form_choice(
                _program_key(side),
                f"Who commands the {people} in battle?",
                commanders(),
                f"{people}: in battle",
            ),
        )
        for slot in slots:
            yield Field(slot=slot, group=SIDES_HEADING)

    def _army_of(self, side: SideFile, answers: Mapping[str, Any]) -> Army | None:
        """The army that a side without groups of its own brings; None: it has groups."""
        if side.groups:
            return None
        armies = self._all_armies()
        # The form always has an answer. A campaign that is opened without the form and names no
        # army gets the first one for both sides.
        id = answers.get(_army_key(side)) or next(iter(armies))
        if id not in armies:
            raise nonsense("army", f"There is no army {id!r}.")
        return armies[id]

    def _all_armies(self) -> dict[str, Army]:
        """The player's own armies, then the ready ones that are no larger than a usual pool, the
        largest first. There is always one: ready armies come with the program."""
        templates = self.books.templates
        ready_ids = [id for id, army in templates.items() if army.spent <= USUAL_POOL]
        ready_ids.sort(key=lambda id: templates[id].spent, reverse=True)
        armies = dict(self.own_armies)
        for id in ready_ids:
            armies[id] = templates[id]
        return armies


def _army_row(id: str, army: Army) -> AnswerRow:
    """An army as an answer to the question which army a side brings."""
    description = f"{army.spent} points"
    if army.terms:
        description = f"{army.terms}, {description}"
    label = f"{plain(army.army_list.name)}: {description}"
    return AnswerRow(id, label, "Its groups become the groups of the campaign.")


def _army_key(side: SideFile) -> str:
    """The key of the answer that says which army a side brings."""
    return f"army_{side.id}"


def _player_key(side: SideFile) -> str:
    """The key of the answer that says who commands a side in the campaign."""
    return f"player_{side.id}"


def _draws_key(side: SideFile) -> str:
    """The key of the answer that says who draws for a side in battle."""
    return f"draws_{side.id}"


def _program_key(side: SideFile) -> str:
    """The key of the answer that says whether the program commands a side in battle."""
    return f"program_{side.id}"


def _campaign_rulings(
    file: CampaignFile, books: CampaignBooks, answers: Mapping[str, Any]
) -> dict[str, str]:
    """The answers to the rulings of campaigns (C1, C2, ...). A campaign proposes a preset of its
    own, which counts unless another was chosen."""
    chosen = books.terms.chosen(answers)
    # The answer ``rulings`` names the preset that was chosen, which is in ``chosen`` already.
    if "rulings" not in answers and file.preset in books.terms.presets:
        chosen = {**books.terms.presets[file.preset].answers, **chosen}
    return books.terms.answered(chosen)


def _refuse_dear_armies(armies: Iterable[Army | None], pool: int) -> None:
    """Raises Refused if an army costs more points than the ``pool``, which a side may spend."""
    for army in armies:
        if army is not None and army.spent > pool:
            name = plain(army.army_list.name)
            text = f"{name} costs {army.spent} points; a side buys for {pool} (C1)."
            raise nonsense("pool", text)


def _programs(file: CampaignFile, answers: Mapping[str, Any]) -> dict[str, TemperamentId]:
    """The sides that the program commands in battle, with its temperament."""
    programs = {}
    for side in file.sides:
        temperament = answers.get(_program_key(side), A_PLAYER)
        if temperament != A_PLAYER:
            programs[side.id] = temperament
    return programs


def _limits_of_battles(books: CampaignBooks, terms: CampaignTerms) -> ArmyLimits | None:
    """The purchase limits of armies, if they also bind what is brought to a battle (C2). Free
    battles have the default answers to all rulings of battles, and so have the limits."""
    if not terms.limits_when_fielding:
        return None
    return ArmyLimits(books.catalog, books.rulings.defaults())


def _people(side: SideFile, catalog: Catalog) -> str:
    """What the men of a side are called: its own name, or the name of its nation's people."""
    if side.name:
        return side.name
    if side.nation is not None:
        return catalog.nations[side.nation].people
    return side.id.capitalize()


def _sides(
    file: CampaignFile,
    catalog: Catalog,
    answers: Mapping[str, Any],
    armies: Mapping[str, Army | None],
) -> tuple[CampaignSide, CampaignSide]:
    """The two sides."""
    sides = []
    for side, name in zip(file.sides, _names_of_sides(file, catalog, armies), strict=True):
        army = armies[side.id]
        people = name
        nation = side.nation
        if army is not None:
            people = f"men of {name}"
            nation = army.army_list.nation
        player = plain(str(answers.get(_player_key(side), "")))
        sides.append(
            CampaignSide(id=side.id, name=name, people=people, nation=nation, player=player)
        )
    first, second = sides
    return first, second


def _names_of_sides(
    file: CampaignFile, catalog: Catalog, armies: Mapping[str, Army | None]
) -> list[str]:
    """The names of both sides. One that brings an army has the name of the army."""
    names = []
    for side in file.sides:
        army = armies[side.id]
        if army is None:
            names.append(_people(side, catalog))
        else:
            names.append(plain(army.army_list.name))
    if names[0] == names[1]:
        # Both may bring the same army, but in sentences they must have different names.
        names = [f"{names[0]} 1", f"{names[1]} 2"]
    return names


def _groups_of_army(army: Army) -> tuple[GroupFile, ...]:
    """The groups into which a player divided his army, with the free men of its nation, but without
    the units that a side of a campaign cannot own."""
    groups = []
    for block in army.blocks():
        units = total_counts([block.units, block.free])
        owned = {unit: count for unit, count in units.items() if may_be_in_pool(unit, army.catalog)}
        if owned:
            name = plain(block.name)
            if not army.army_list.groups:
                # An army that was not divided is a single block, which has no name of its own.
                name = plain(army.army_list.name)
            groups.append(GroupFile(name=name[:LONGEST_GROUP], units=owned))
    return tuple(groups)


def _groups(file: CampaignFile, armies: Mapping[str, Army | None]) -> Iterable[CampaignGroup]:
    """The groups of both sides at the start, when everybody is ready."""
    for side in file.sides:
        army = armies[side.id]
        if army is None:
            groups = side.groups
            nation = side.nation
        else:
            groups = _groups_of_army(army)
            nation = army.army_list.nation
        for number, group in enumerate(groups, 1):
            # Counts of a group have no zeros, and a file may have some.
            units = {unit: count for unit, count in group.units.items() if count}
            yield CampaignGroup(
                id=f"{side.id}-{number}",
                side=side.id,
                name=group.name,
                nation=group.nation or nation,
                front=group.front,
                enters=group.enters,
                strength=units,
                quality=group.quality,
                ready=dict(units),
            )


def _units(file: CampaignFile, books: BattleBooks) -> dict[str, UnitTerms]:
    """All units by id: those of the rules, and those that only scenarios of the ladder have."""
    catalog = books.catalog
    for scenario in _scenarios(file, books).values():
        catalog = catalog.with_variants(scenario.variants)
    return {id: UnitTerms(unit.name, unit.price, unit.is_guy) for id, unit in catalog.units.items()}


def _works(catalog: Catalog) -> dict[str, UnitTerms]:
    """The works of the rules."""
    return {id: UnitTerms(work.name, work.price, guy=False) for id, work in catalog.works.items()}


def _lists(file: CampaignFile, books: BattleBooks) -> dict[str, dict[str, dict[str, int]]]:
    """The lists of the scenarios of the ladder: how many of each unit, by the rung's scenario and
    by side. Where a list lets players choose, it is the first choice."""
    lists: dict[str, dict[str, dict[str, int]]] = {}
    for id, scenario in _scenarios(file, books).items():
        by_side: dict[str, dict[str, int]] = {side.id: {} for side in file.sides}
        campaign_sides = owners(file, scenario)
        for side in scenario.sides:
            campaign_side = campaign_sides[side.id]
            # Two sides of a scenario may belong to one side of the campaign.
            by_side[campaign_side] = total_counts([by_side[campaign_side], _listed(side)])
        lists[id] = by_side
    return lists


def _listed(side: ScenarioSide) -> dict[str, int]:
    """How many of each unit the lists of a side of a scenario have."""
    lists = []
    for contingent in side.contingents:
        lists.append(contingent.units)
        lists += [choice.one_of[0] for choice in contingent.choices]
    return total_counts(lists)


def _titles(file: CampaignFile, books: BattleBooks) -> dict[str, str]:
    """The titles of the scenarios of the ladder, by the rung's scenario."""
    return {id: scenario.title for id, scenario in _scenarios(file, books).items()}


def _scenarios(file: CampaignFile, books: BattleBooks) -> dict[str, Scenario]:
    """The scenarios of the ladder, by the number or id that their rungs give, as text."""
    scenarios = {}
    for rung in file.rungs:
        scenario = scenario_of(rung, books.scenarios)
        if scenario is not None:
            scenarios[str(rung.scenario)] = scenario
    return scenarios
