"""The form of a new battle as a whole: which fields it has, and which battle its answers make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.orders import AnyOrder, Appoint, Seal
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup import Deadline, Level, Setup
from skirmish.games.plastic.battle.setup_choices import WAYS_TO_DRAW, SetupChoices
from skirmish.games.plastic.commander.weights import CommanderWeights
from skirmish.games.plastic.first_evening import FIRST_EVENING
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.army_reading import FirstEvening
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.limits import is_legal
from skirmish.games.plastic.rules.options import FIRST_GAME
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioContingent
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.setup_form.choices import FORCES, choice_field
from skirmish.games.plastic.setup_form.names import (
    A_PLAYER,
    ALOUD,
    ARMIES,
    AS_LISTED,
    BATTLE,
    EVENING,
    FIRST_ARMY,
    LEDGER,
    LOADS,
    LOTS,
    NO_QUALITY,
    SECOND_ARMY,
    WHO_IS_FIRST,
    YES,
    Answers,
    HiddenMen,
    SealedNote,
    commander_field,
    draws_field,
    list_field,
    plan_field,
    player_field,
    quality_field,
    question_field,
)
from skirmish.games.plastic.setup_form.option_fields import (
    option_fields,
    options_in,
    with_matching_preset_and_switches,
)
from skirmish.games.plastic.setup_form.rulings_of_form import RulingsOfForm
from skirmish.games.plastic.setup_form.scenario_fields import riders_field, scenario_fields
from skirmish.games.plastic.setup_form.side_fields import SideFields
from skirmish.tabletop.chance import Source
from skirmish.tabletop.game import Seed
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.slots import AnswerRow, Choose, Option
from skirmish.tabletop.typed import plain

FIRST_EVENING_SIDES = ("Americans", "Germans")
"""What the two equal armies of a first evening are called."""
NO_ARMIES = (
    "There is no army yet. Build one first, or start from a template: choose Armies on the home "
    "screen."
)
ARMY_LABELS = {FIRST_ARMY: "First army", SECOND_ARMY: "Second army"}
"""What the form calls the two armies of the basic game, by the names of their fields."""
WAYS_TO_BE_FIRST = (
    AnswerRow(
        LOTS,
        "draw for it",
        "The higher draw places terrain first. The higher of a second draw chooses an edge, sets "
        "up first and moves first. Ties are drawn again.",
    ),
    AnswerRow(FIRST_ARMY, "the first army", "It sets up first and moves first."),
    AnswerRow(SECOND_ARMY, "the second army", "It sets up first and moves first."),
)
"""The answers to who sets up and moves first in the basic game."""


class BattleForm(msgspec.Struct, frozen=True):
    """The form of a new battle: it asks for what must be known, and makes the battle of the
    answers."""

    catalog: Catalog
    book: PlasticRulingBook
    scenarios: Callable[[], Mapping[int, Scenario]]
    """The scenarios by number; they are read when a battle is set up."""
    first_evening: Callable[[], FirstEvening]
    weights: Callable[[], CommanderWeights]
    """The weights of the program's commander."""
    revision: str
    """The version of the data, which a battle stores."""
    armies: Mapping[str, Army] = {}
    """The player's armies, by id."""
    level: Level = "referee"
    """How the player's side usually uses the program."""
    chance: Literal["cards", "die"] = "cards"
    """What the player usually draws from."""
    preferred_answers: Mapping[str, str] = {}
    """The answers to rulings that the player prefers to the defaults."""

    # ------------------------------------------------------------------ fields

    def fields(self, answers: Answers) -> tuple[Field, ...]:
        """The questions of the form. Which there are depends on the ``answers`` so far."""
        which_battle = Field(slot=self._battle_slot())
        battle = str(answers.get(BATTLE, which_battle.slot.proposed))
        # A first evening has its own answers to everything.
        if battle == EVENING:
            return (which_battle,)
        # Without armies nothing else can be asked about the basic game.
        if battle == ARMIES and not self.armies:
            return (which_battle,)
        scenario = self._scenario(battle)
        if scenario is None:
            forces = list(self._army_fields())
            sides = list(self._army_side_fields(answers))
            options = list(option_fields("the default rules"))
        else:
            forces = list(self._scenario_fields(scenario))
            sides = list(self._scenario_side_fields(scenario, answers))
            options = list(option_fields("what the scenario needs"))
        fields_so_far = [which_battle, *forces, *sides, *options]
        # What was not answered yet has the answer that its field proposes.
        proposed = {field.slot.name: field.slot.proposed for field in fields_so_far}
        answers = {**proposed, **answers}
        riders = []
        if scenario is not None:
            riders = list(self._riders_fields(scenario, answers))
        return (
            which_battle,
            *forces,
            *riders,
            *sides,
            *options,
            *self._ruling_fields(answers),
        )

    def follow(self, changed: str, answers: Answers) -> Answers:
        """The answers after the field ``changed``, with those that depend on it."""
        return with_matching_preset_and_switches(changed, answers)

    def _scenario(self, battle: str) -> Scenario | None:
        """The scenario that is the answer to the first question; None for the basic game."""
        if battle == ARMIES:
            return None
        return self.scenarios()[int(battle)]

    def _battle_slot(self) -> Choose:
        """The first question: a scenario by its number, two armies, or the first evening."""
        options = []
        for number, scenario in self.scenarios().items():
            # Its number as on the sheets, not the next free letter.
            key = str(number)
            options.append(Option(value=key, key=key, label=scenario.title))
        why_not = NO_ARMIES
        if self.armies:
            why_not = ""
        label = "The basic game: two armies"
        options.append(Option(value=ARMIES, label=label, key="a", why_not=why_not))
        options.append(Option(value=EVENING, label=FIRST_EVENING, key="f"))
        return Choose(
            name=BATTLE, text="Which battle?", options=tuple(options), default=options[0].value
        )

    def _army_fields(self) -> Iterator[Field]:
        """What the basic game asks of its forces: both armies, and who is first."""
        proposed = self._proposed_armies()
        rows = []
        for id, army in self.armies.items():
            name_and_points = _name_and_points(army)
            # It is also the note: the line of a field may cut its label short.
            rows.append(AnswerRow(id, label=name_and_points, note=name_and_points))
        for name, label in ARMY_LABELS.items():
            text = f"Which is the {label.lower()}?"
            yield choice_field(
                FORCES, name, text=text, label=label, rows=rows, default=proposed[name]
            )
        yield choice_field(
            FORCES,
            WHO_IS_FIRST,
            text="Who sets up and moves first?",
            label="Sets up and moves first",
            rows=WAYS_TO_BE_FIRST,
        )

    def _proposed_armies(self) -> dict[str, str]:
        """The first two of the player's armies; if there is only one, it fights against itself."""
        ids = list(self.armies)
        proposed = {FIRST_ARMY: ids[0], SECOND_ARMY: ids[0]}
        if len(ids) > 1:
            proposed[SECOND_ARMY] = ids[1]
        return proposed

    def _army_side_fields(self, answers: Answers) -> Iterator[Field]:
        """What the basic game asks about each army."""
        proposed = self._proposed_armies()
        for name, label in ARMY_LABELS.items():
            # No army is chosen yet when the form opens.
            army_id = answers.get(name, proposed[name])
            # Where the answer is none of the player's armies, the proposed one counts.
            if army_id not in self.armies:
                army_id = proposed[name]
            side = SideFields(
                side=name,
                people=label,
                level=self.level,
                chance=self.chance,
                qualities=self.catalog.qualities,
                army=self.armies[army_id],
            )
            yield from side.fields(answers)

    def _scenario_fields(self, scenario: Scenario) -> Iterator[Field]:
        """What a scenario asks of its forces."""
        catalog = self.catalog.with_variants(scenario.variants)
        yield from scenario_fields(scenario, catalog, self._plain_setup(scenario))

    def _scenario_side_fields(self, scenario: Scenario, answers: Answers) -> Iterator[Field]:
        """What a scenario asks about each side, the first mover first."""
        catalog = self.catalog.with_variants(scenario.variants)
        for side_id in scenario.order_of_play():
            side = SideFields(
                side=side_id,
                people=catalog.nations[side_id].people,
                level=self.level,
                chance=self.chance,
                qualities=self.catalog.qualities,
                cards_only=scenario.cards_only,
            )
            yield from side.fields(answers)

    def _riders_fields(self, scenario: Scenario, answers: Answers) -> Iterator[Field]:
        """The question who starts aboard, if anybody may. Who rides depends on lists and rulings;
        while the answers to these contradict one another, the riders are those of the plain
        scenario."""
        plain_setup = self._plain_setup(scenario)
        if not plain_setup.aboard:
            return
        # With everybody aboard, even if the answer is that they start on foot: the question says
        # how many would ride, and in what.
        setup = self._setup_so_far({**answers, LOADS: YES})
        if setup is None or not setup.aboard:
            setup = plain_setup
        yield riders_field(setup)

    def _plain_setup(self, scenario: Scenario) -> Setup:
        """The scenario with the first answer to everything."""
        # Nothing is drawn from these decks; a set-up cannot be made without.
        sources = {side.id: Source("deck") for side in scenario.sides}
        return from_scenario(scenario, self.catalog, self.book, sources=sources)

    def _ruling_fields(self, answers: Answers) -> Iterator[Field]:
        """The rulings; none while the other answers contradict one another."""
        setup = self._setup_so_far(answers)
        if setup is not None:
            yield from self._rulings(answers).fields(answers, setup)

    def _rulings(self, answers: Answers) -> RulingsOfForm:
        """The rulings of the chosen battle."""
        armies: tuple[Army, ...] = ()
        if self._scenario(answers[BATTLE]) is None:
            armies = tuple(self.armies[answers[name]] for name in ARMY_LABELS)
        return RulingsOfForm(self.book, self.preferred_answers, armies)

    # ------------------------------------------------------------------ the battle of the answers

    def _setup_so_far(self, answers: Answers) -> Setup | None:
        """The battle that the answers make so far, to see what depends on it; None while they
        contradict one another."""
        defaults = self._rulings(answers).defaults()
        try:
            return self.setup({**defaults, **answers}, _no_seed)
        except ValueError:
            return None

    def setup(self, answers: Answers, seed: Seed) -> Setup:
        """The battle that the answers make. Raises ValueError (a sentence)."""
        if answers[BATTLE] == EVENING:
            return self._first_evening_setup(seed)
        scenario = self._scenario(answers[BATTLE])
        if scenario is not None:
            return self._scenario_setup(scenario, answers, seed)
        if not self.armies:
            raise ValueError(NO_ARMIES)
        return self._armies_setup(answers, seed)

    def _first_evening_setup(self, seed: Seed) -> Setup:
        """A small battle of two equal armies, with a deck each and as few rules as can be."""
        small_battle, seeds = self.first_evening(), _distinct_seeds(seed)
        army = small_battle.army
        armies = []
        for name in FIRST_EVENING_SIDES:
            armies.append(replace(army, army_list=replace(army.army_list, name=name)))
        first, second = armies
        sources = (Source(seed=seeds()), Source(seed=seeds()))
        chosen = SetupChoices(options=FIRST_GAME)
        setup = from_armies(first, second, self.book, sources=sources, chosen=chosen)
        _, second_mover = setup.sides
        end = Deadline(second_mover.id, small_battle.last_turn, draw=True)
        return replace(setup, title=FIRST_EVENING, ends_after=end)

    def _scenario_setup(self, scenario: Scenario, answers: Answers, seed: Seed) -> Setup:
        """The scenario as the players chose it."""
        lists: dict[str, list[int]] = {}
        for side in scenario.sides:
            for contingent in side.contingents:
                lists[contingent.id] = _lists_chosen(contingent, answers)
        answers_by_question = {}
        for question in scenario.questions():
            answers_by_question[question.id] = answers[question_field(question.id)]
        chosen = replace(
            self._chosen(answers),
            lists=lists,
            answers=answers_by_question,
            hidden=_hidden_men(answers),
            loads=answers.get(LOADS, YES) == YES,
        )
        sources = {}
        for side_id in scenario.order_of_play():
            sources[side_id] = _source(answers, side_id, seed)
        return from_scenario(
            scenario,
            self.catalog,
            self.book,
            sources=sources,
            chosen=chosen,
            revision=self.revision,
        )

    def _armies_setup(self, answers: Answers, seed: Seed) -> Setup:
        """The basic game: the army that moves first is the first side of the battle."""
        names = self._army_names_by_side(answers)
        # The army that moves first and the other, as the names of their fields have them.
        first, second = names["first"], names["second"]
        lots = answers[WHO_IS_FIRST] == LOTS
        has_ledger = LEDGER in (answers[draws_field(first)], answers[draws_field(second)])
        if lots and has_ledger:
            raise ValueError(
                "With a ledger, the program cannot draw for it: draw at the table, "
                "then choose above who sets up and moves first."
            )
        seeds = _distinct_seeds(seed)
        chosen = self._chosen(answers)
        # Where the armies disagree, the battle has a ruling of its own, even if it is the default.
        rulings = self._rulings(answers)
        defaults = rulings.defaults()
        settled = {ruling: defaults[ruling] for ruling in rulings.disputed()}
        return from_armies(
            self.armies[answers[first]],
            self.armies[answers[second]],
            self.book,
            sources=(_source(answers, first, seeds), _source(answers, second, seeds)),
            chosen=replace(chosen, rulings={**settled, **chosen.rulings}),
            lots=lots,
            revision=self.revision,
        )

    def _chosen(self, answers: Answers) -> SetupChoices:
        """What the form says beside the forces: levels, qualities, players, options, rulings."""
        names = self._names_by_side(answers)
        levels: dict[str, Level] = {}
        # By side id: None where quality is not played; a side with the quality of its army list is
        # left out.
        quality: dict[str, str | None] = {}
        for side, name in names.items():
            if answers[draws_field(name)] == LEDGER:
                levels[side] = "ledger"
            chosen_quality = answers[quality_field(name)]
            if chosen_quality == NO_QUALITY:
                quality[side] = None
            elif chosen_quality != AS_LISTED:
                quality[side] = chosen_quality
        return SetupChoices(
            levels=levels,
            quality=quality,
            players={side: answers[player_field(name)] for side, name in names.items()},
            options=options_in(answers),
            rulings=self._rulings(answers).chosen(answers),
        )

    def first_orders(self, answers: Answers, seed: Seed) -> list[AnyOrder]:
        """The sealed notes that are not empty, and the sides that the program commands."""
        orders: list[AnyOrder] = []
        for name, text in answers.items():
            note = SealedNote.named(name)
            if note is not None and text:
                orders.append(Seal(side=note.side, text=text))
        # The form of a first evening asks nothing about its sides.
        if answers[BATTLE] == EVENING:
            return orders
        for side, name in self._names_by_side(answers).items():
            temperament = answers[commander_field(name)]
            if temperament != A_PLAYER:
                appoint = Appoint(
                    side=side,
                    temperament=temperament,
                    aloud=answers.get(plan_field(name)) == ALOUD,
                    seed=seed(),
                    weights=self.weights(),
                )
                orders.append(appoint)
        return orders

    def _names_by_side(self, answers: Answers) -> dict[str, str]:
        """What each side of the battle, by its id, is called in the names of its fields."""
        scenario = self._scenario(answers[BATTLE])
        if scenario is not None:
            return {side: side for side in scenario.order_of_play()}
        return self._army_names_by_side(answers)

    def _army_names_by_side(self, answers: Answers) -> dict[str, str]:
        """The same in the basic game, where the side that moves first has the id ``first``,
        whichever army that is."""
        if answers[WHO_IS_FIRST] == SECOND_ARMY:
            return {"first": SECOND_ARMY, "second": FIRST_ARMY}
        return {"first": FIRST_ARMY, "second": SECOND_ARMY}


def _name_and_points(army: Army) -> str:
    """``Ziegler (198 of 200)``: the name of an army, and what it has spent of its points."""
    illegal = ""
    if not is_legal(army):
        illegal = ", NOT LEGAL"
    return f"{plain(army.army_list.name)} ({army.spent} of {army.budget}{illegal})"


def _lists_chosen(contingent: ScenarioContingent, answers: Answers) -> list[int]:
    """The list that was chosen in each choice of a contingent, by its index in the choice."""
    chosen = []
    for index in range(len(contingent.choices)):
        chosen.append(int(answers[list_field(contingent.id, index)]))
    return chosen


def _hidden_men(answers: Answers) -> dict[int, int]:
    """How many men each happening hides, by its index."""
    counts = {}
    for name, answer in answers.items():
        hidden = HiddenMen.named(name)
        if hidden is not None:
            counts[hidden.happening_index] = int(answer)
    return counts


def _source(answers: Answers, side: str, seed: Seed) -> Source:
    """What a side draws from: without a seed where its player draws with his own hand."""
    way = WAYS_TO_DRAW[answers[draws_field(side)]]
    if way.level == "referee":
        return Source(way.kind, seed())
    return Source(way.kind)


def _no_seed() -> int:
    """Any number does: nothing is drawn in a battle that is only considered."""
    return 1


def _distinct_seeds(seed: Seed) -> Seed:
    """The seeds of ``seed``, but none of them twice: two decks in the same order would tie for ever
    over who is first."""
    given: list[int] = []

    def another_seed() -> int:
        number = seed()
        while number in given:
            number += 1
        given.append(number)
        return number

    return another_seed
