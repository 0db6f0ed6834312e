"""The set-up form of a battle: its fields, and the opening that results; and the explanations that
newcomers read in their first battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple, Self, TypeAlias

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.commanders import TEMPERAMENTS
from skirmish.games.plastic.battle.opening import (
    WAYS_TO_DRAW,
    Chosen,
    deployment_words,
    footnoted,
    from_armies,
    from_scenario,
    may_hide,
    rulings_that_matter,
)
from skirmish.games.plastic.battle.orders import AnyOrder, Appoint, Seal
from skirmish.games.plastic.battle.orders.turn import LONGEST_NOTE
from skirmish.games.plastic.battle.setup import Deadline, Level, Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.weights import CommanderWeights
from skirmish.games.plastic.rules.army import Army, FirstEvening, named
from skirmish.games.plastic.rules.breaches import is_legal
from skirmish.games.plastic.rules.catalog import Catalog, plural
from skirmish.games.plastic.rules.options import EVERYTHING, FIRST_GAME, OPTION_NAMES, Options
from skirmish.games.plastic.rules.rulings import PlasticRuling, PlasticRulingBook
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioContingent
from skirmish.games.plastic.scenarios.scenario import MOST, MayReveal, Scenario
from skirmish.games.plastic.typed_answers import (
    units_typed,
    units_written,
)
from skirmish.tabletop.chance import Source
from skirmish.tabletop.game import Hint, Seed
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import capital
from skirmish.tabletop.rulings import Ruling
from skirmish.tabletop.set_up_form import Field, Fold
from skirmish.tabletop.slots import Choose, Number, Option, Slot, Words
from skirmish.tabletop.typed import plain

AnswerRow: TypeAlias = tuple[str, str, str]
"""An answer of a field: its id, its label, and a note for those who do not know it."""
BATTLE, LOADS, PRESET = "battle", "loads", "preset"
"""Names of fields: which battle, who starts aboard, which optional rules."""
ARMIES, EVENING = "armies", "first_evening"
"""Answers to ``BATTLE`` beside the numbers of scenarios."""
OWN = "own"
"""The answer to ``PRESET`` where the switches are set one by one."""
LEDGER = "ledger"
"""The answer to "Who draws?" by which the program draws nothing and judges no shot."""
FIRST_EVENING = "Your first evening"
"""The title of that battle, by which its hints are known to be wanted (``hint``)."""
FIRST_SIDES = ("Americans", "Germans")
"""What the two equal armies of a first evening are called."""
FORCES, SIDES, RULES = "FORCES", "SIDES", "OPTIONAL RULES"
RULINGS = "RULINGS WHERE THE RULES ARE SILENT"
"""The headings of the groups of the form."""
AS_LIKED = "This is the default in your settings."
NOT_APPLIED = "The program does not apply this one; play it at the table."
"""Sentences of the help beside a field."""
DRAWS = (
    ("deck", "referee: the program draws cards",
     "You move and say who fires at whom. The program draws and explains the result."),
    ("die", "referee: the program rolls a d12", "The program rolls and explains the result."),
    ("own_deck", "clerk: you draw cards and type them in",
     "You draw from your own deck and type the card. The program works out the result."),
    ("own_die", "clerk: you roll a d12 and type it in",
     "You roll your own d12 and type the roll. The program works out the result."),
    (LEDGER, "ledger: losses and clock only",
     "You resolve fire yourselves. The program records only losses and turns."),
)  # fmt: skip
"""How a side uses the program, as a question of the form."""
ARMY_LABELS = {"first": "First army", "second": "Second army"}
"""The two armies of the basic game, by the names of their fields."""
WHO_IS_FIRST = (
    ("lots", "draw for it",
     "The higher draw places terrain first. The higher of a second draw chooses an edge, sets up "
     "first and moves first. Ties are drawn again."),
    ("first", "the first army", "It sets up first and moves first."),
    ("second", "the second army", "It sets up first and moves first."),
)  # fmt: skip


class OptionPreset(NamedTuple):
    """A set of optional rules that are chosen at once. Without a ``label`` of its own it is called
    as each form says: what the scenario needs, the default rules."""

    options: Options
    label: str
    note: str


PRESETS = {
    "first_game": OptionPreset(
        FIRST_GAME, "first game", "Only moving, firing and counting. Good with children."
    ),
    "usual": OptionPreset(
        Options(), "", "What the lists need, hull down and rear armor. No pinning or nationalities."
    ),
    "everything": OptionPreset(
        EVERYTHING,
        "all optional rules",
        "All of them. Choose the force quality of each side above.",
    ),
}
"""The presets of options by their ids."""
OPTIONS_MEAN = {
    "pinning": "Guys under machine-gun fire may be pinned: they draw, and pinned guys stay put.",
    "nationalities": "Most nations have a trait. Armies bought with a nation always have it.",
    "hull_down": "Some hits miss a model that stands behind a rise.",
    "rear_armor": "Tanks are weaker from behind.",
    "entrenching": "Guys may dig in during the battle.",
    "snipers": "Snipers choose their target. If off, leave them in the box.",
}
"""What each optional rule changes, for those who do not know it."""
SWITCHES = Fold(
    "switches",
    "Single rules",
    "Switch each optional rule on or off. You can also do so during the battle.",
)
ALL_RULINGS = Fold(
    "rulings",
    "Rulings",
    "How you play where the rules leave a choice. If in doubt, keep the defaults.",
)
NO_ARMIES = (
    "There is no army yet. Build one first, or start from a template: choose Armies on the home "
    "screen."
)
A_PLAYER = "player"
"""The answer who commands a side where a player does."""
ALOUD = "aloud"
"""The answer by which the program's commander says his plan."""
PLANS = (
    ("sealed", "sealed until the end", "You read it in the report when the battle is over."),
    (ALOUD, "said aloud", "You hear it whenever it is made anew."),
)
"""Whether players hear the plan of the program's commander."""
BY_PROGRAM = (
    "You move its figures as it orders, and say what happened: W asks for its orders and its fire."
)
NO_QUALITY, AS_LISTED = "none", ""
"""Answers to the force quality of a side: it is not played; it is that of the army list."""
LONGEST_ANSWER, LONGEST_LIST = 200, 400
"""The most characters of an answer in words, and of a list of units."""
Answers = Mapping[str, Any]
"""The answers of the form by the names of their fields."""


def commanders() -> list[AnswerRow]:
    """Who commands a side, as rows of a choice: a player, or the program with one of its
    characters."""
    rows = [(A_PLAYER, "a player", "")]
    for id, words in TEMPERAMENTS.items():
        name, _, means = words.partition(": ")
        rows.append((id, f"the program, {name}", f"{BY_PROGRAM} {capital(means)}."))
    return rows


class BattleFields(msgspec.Struct, frozen=True):
    """What the form of a new battle is made of."""

    catalog: Catalog
    book: PlasticRulingBook
    scenarios: Callable[[], Mapping[int, Scenario]]
    """The scenarios by number; they are read when a battle is set up."""
    small: Callable[[], FirstEvening]
    """The small battle of a first evening."""
    weights: Callable[[], CommanderWeights]
    """The weights of the program's commander."""
    revision: str
    armies: Mapping[str, Army] = {}
    """The player's armies, by id."""
    level: str = "referee"
    """Who draws, as it is proposed."""
    chance: str = "cards"
    """What a side draws from, as it is proposed."""
    liked: Mapping[str, str] = {}
    """The player's own answers to rulings."""

    # ------------------------------------------------------------------ fields

    def fields(self, answers: Answers) -> tuple[Field, ...]:
        """The questions of the form, as far as the answers say which there are."""
        first = Field(slot=self._battle_slot())
        battle = answers.get(BATTLE, first.slot.proposed)
        # A first evening has its own answers to everything; without armies nothing else can be
        # asked.
        if battle == EVENING or (battle == ARMIES and not self.armies):
            return (first,)
        scenario = self._scenario({BATTLE: battle})
        fields = [first]
        if scenario is None:
            fields.extend(self._army_fields(answers))
            fields.extend(_option_fields("the default rules"))
        else:
            fields.extend(self._scenario_fields(scenario, answers))
            fields.extend(_option_fields("what the scenario needs"))
        proposed = {field.slot.name: field.slot.proposed for field in fields}
        answers = {**proposed, **answers}
        if scenario is not None:
            self._add_riders(fields, scenario, answers)
        return (*fields, *self._ruling_fields(answers))

    def _add_riders(self, fields: list[Field], scenario: Scenario, answers: Answers) -> None:
        """Put the question who starts aboard in front of the sides, if anybody may. Who rides
        depends on lists and rulings; while these contradict one another, on the plain scenario."""
        plain_setup = self._plain_setup(scenario)
        if not plain_setup.aboard:
            return
        setup = self._setup_so_far({**answers, LOADS: "yes"})
        if setup is None or not setup.aboard:
            setup = plain_setup
        groups = [field.group for field in fields]
        # Behind the forces, on which it depends.
        fields.insert(groups.index(SIDES), _riders_field(setup))

    def follow(self, changed: str, answers: Answers) -> Answers:
        """Keeps the switches and the way to play consistent."""
        if changed == PRESET and answers[PRESET] != OWN:
            options = PRESETS[answers[PRESET]].options
            switches = {_switch(name): _yes_or_no(getattr(options, name)) for name in OPTION_NAMES}
            return {**answers, **switches}
        # A switch turned by hand makes it the players' own choice, or one that has a name after
        # all.
        if changed in map(_switch, OPTION_NAMES):
            return {**answers, PRESET: _preset_of(_options_in(answers))}
        return answers

    def _scenario(self, answers: Answers) -> Scenario | None:
        """The chosen scenario; None for the basic game."""
        number = str(answers[BATTLE])
        if number == ARMIES:
            return None
        return self.scenarios()[int(number)]

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

    def _army_fields(self, answers: Answers) -> Iterator[Field]:
        """What the basic game asks: both armies, who is first, and how each side is played."""
        # The first two armies are proposed; if there is only one, it fights against itself.
        ids = list(self.armies)
        default = {"first": ids[0], "second": ids[0]}
        if len(ids) > 1:
            default["second"] = ids[1]
        lists = []
        for id, army in self.armies.items():
            words = _army_words(army)
            lists.append((id, words, words))
        for side, label in ARMY_LABELS.items():
            text = f"Which is the {label.lower()}?"
            yield _choice(FORCES, side, text, label, lists, default=default[side])
        text, label = "Who sets up and moves first?", "Sets up and moves first"
        yield _choice(FORCES, "who", text, label, WHO_IS_FIRST)
        for side, label in ARMY_LABELS.items():
            army = self.armies.get(answers.get(side, ""), self.armies[default[side]])
            yield from self._side_fields(side, label, answers, army=army)

    def _scenario_fields(self, scenario: Scenario, answers: Answers) -> Iterator[Field]:
        """What a scenario asks: its lists, its questions, who hides, and how each side is
        played."""
        catalog = self.catalog.with_variants(scenario.variants)
        for side in scenario.sides:
            for contingent in side.contingents:
                for place, choice in enumerate(contingent.choices):
                    lists = []
                    for list_number, units in enumerate(choice.one_of):
                        words = _units_words(units, catalog)
                        lists.append((str(list_number), words, f"{words}."))
                    text = f"{contingent.called}: choose one of {len(lists)} lists."
                    label = f"{catalog.nations[side.id].people} take"
                    yield _choice(FORCES, _list_field(contingent.id, place), text, label, lists)
        yield from _fields_of_questions(scenario, catalog)
        yield from self._hidden_fields(scenario, catalog)
        for side_id in scenario.order_of_play():
            people = catalog.nations[side_id].people
            yield from self._side_fields(side_id, people, answers, cards_only=scenario.cards_only)

    def _hidden_fields(self, scenario: Scenario, catalog: Catalog) -> Iterator[Field]:
        """How many men each side hides, and its sealed note about where they are."""
        setup = self._plain_setup(scenario)
        for place, happening in enumerate(scenario.happenings):
            if not isinstance(happening, MayReveal):
                continue
            able = may_hide(happening, setup.pieces)
            people = catalog.nations[happening.side].people
            men = "men"
            if able:
                unit = setup.unit(setup.by_id[able[0]].unit)
                men = plural(unit.short.lower())
            # How many is asked and not who: those who hide are alike.
            counts = [("0", "none", "")]
            for number in range(1, len(able) + 1):
                counts.append((str(number), f"{number} of {len(able)}", ""))
            hidden_by_list = [piece for piece in able if piece in setup.hidden]
            yield _choice(
                FORCES,
                HiddenMen(place).name,
                scenario.unmarked(happening.text),
                f"{people}: hidden {men}",
                counts,
                default=str(len(hidden_by_list)),
            )
            # Where they are is written down before play, as proof for later.
            yield _sealed_note(happening.side, people)

    def _plain_setup(self, scenario: Scenario) -> Setup:
        """The scenario with the first answer to everything."""
        # Nothing is drawn from these decks; a set-up cannot be made without.
        sources = {side.id: Source("deck") for side in scenario.sides}
        return from_scenario(scenario, self.catalog, self.book, sources=sources)

    def _side_fields(
        self,
        side: str,
        people: str,
        answers: Answers,
        *,
        cards_only: bool = False,
        army: Army | None = None,
    ) -> Iterator[Field]:
        """What a side is asked: who draws for it, its force quality, who commands it."""
        # In the basic game it is "First army", which is no name.
        in_sentence = people
        if army is not None:
            in_sentence = people.lower()
        yield self._who_draws(side, people, in_sentence, cards_only=cards_only)
        yield self._force_quality(side, people, in_sentence, army)
        yield self._who_commands(side, people, in_sentence)
        if answers.get(_commander_field(side), A_PLAYER) != A_PLAYER:
            text, label = "Does it say what it is up to?", f"{people}: its plan"
            yield _choice(SIDES, _plan_field(side), text, label, PLANS)
        commander = Words(
            name=_player_field(side),
            label=f"{people}: player's name",
            text=f"Who plays the {in_sentence}?",
            default="",
            longest=20,
        )
        yield Field(slot=commander, group=SIDES)

    def _who_commands(self, side: str, people: str, in_sentence: str) -> Field:
        """A player, or the program with one of its characters."""
        return _choice(
            SIDES,
            _commander_field(side),
            f"Who commands the {in_sentence}?",
            f"{people}: commanded by",
            commanders(),
        )

    def _who_draws(self, side: str, people: str, in_sentence: str, *, cards_only: bool) -> Field:
        """Who draws for a side, and from what; the player's own way is proposed."""
        kind = "die"
        if cards_only or self.chance == "cards":
            kind = "deck"
        # What is left is the level of a clerk: the players draw or roll themselves.
        default = f"own_{kind}"
        if self.level == LEDGER:
            default = LEDGER
        elif self.level == "referee":
            default = kind
        usual = DRAWS[0][0]
        draws = []
        for id, words, means in DRAWS:
            # Where a card starts something, a die could never do so.
            if cards_only and WAYS_TO_DRAW[id].kind == "die":
                continue
            note = means
            if id == default and id != usual:
                note = f"{means} {AS_LIKED}"
            draws.append((id, words, note))
        text = f"Who draws or rolls for the {in_sentence}? You can change this during the battle."
        label = f"{people}: who draws"
        return _choice(SIDES, _draws_field(side), text, label, draws, default=default)

    def _force_quality(self, side: str, people: str, in_sentence: str, army: Army | None) -> Field:
        """The force quality of a side; that of its army list is proposed."""
        qualities_played = self.catalog.qualities
        qualities = []
        if army is not None:
            listed = "none"
            if army.army_list.quality:
                listed = qualities_played[army.army_list.quality].name
            qualities.append((AS_LISTED, f"as in the army list: {listed}", ""))
        qualities.append((NO_QUALITY, "none", ""))
        for quality in qualities_played.values():
            qualities.append(
                (quality.id, quality.name, _what_ends_movement(quality.movement_ends_from))
            )
        text = f"How steady are the {in_sentence}, if you play with force quality?"
        label = f"{people}: force quality"
        return _choice(SIDES, _quality_field(side), text, label, qualities)

    # ------------------------------------------------------------------ rulings

    def _ruling_fields(self, answers: Answers) -> Iterator[Field]:
        """Rulings on which two lists disagree are shown, the others are folded."""
        defaults, disputed = self._default_rulings(answers), self._disputed(answers)
        setup = self._setup_so_far(answers, defaults)
        if setup is None:
            return
        raised: Collection[str] = ()
        if setup.scenario is not None:
            raised = footnoted(setup.scenario)
        for ruling in self._rulings_in_order(setup, disputed, raised):
            options = [(id, words, words) for id, words in ruling.answers.items()]
            default = defaults[ruling.id]
            field = _choice(
                RULINGS, ruling.id, ruling.question, ruling.title, options, default=default
            )
            fold: Fold | None = ALL_RULINGS
            notice = ""
            if ruling.id in disputed:
                fold = None
                if ruling.id == next(iter(disputed)):  # said once for all of them
                    notice = self._disputed_notice(disputed)
            # Only of an answer that was not changed here can it be said whose default it is.
            stays = answers.get(ruling.id, default) == default
            help = self._ruling_help(
                ruling,
                disputed.get(ruling.id, ""),
                is_raised=ruling.id in raised,
                is_liked=ruling.id in self.liked and stays,
            )
            yield replace(field, fold=fold, help=help, notice=notice)

    def _rulings_in_order(
        self, setup: Setup, disputed: Iterable[str], raised: Collection[str]
    ) -> list[PlasticRuling]:
        """The rulings to be asked: what a footnote of the scenario has ``raised`` comes first, what
        is only spoken last."""
        rulings = list(rulings_that_matter(self.book, setup))
        for id in disputed:
            # The armies were built with it, so it matters even if this battle never asks for it.
            if self.book.rulings[id] not in rulings:
                rulings.append(self.book.rulings[id])

        def order_of(ruling: PlasticRuling) -> tuple[bool, bool]:
            is_raised, is_live = ruling.id in raised, ruling.mode == "live"
            return not is_raised, not is_live

        return sorted(rulings, key=order_of)

    def _disputed_notice(self, disputed: Iterable[str]) -> str:
        """The sentence about rulings in which the armies differ."""
        titles = ", ".join(self.book.rulings[id].title.lower() for id in disputed)
        return (
            f"The armies were built with different rulings: {titles}. The answers below hold for "
            "both armies."
        )

    def _ruling_help(
        self, ruling: Ruling, disputed: str, *, is_raised: bool, is_liked: bool
    ) -> str:
        """Why a ruling is asked for, where its proposed answer comes from, and its question."""
        sentences = []
        if disputed:
            sentences.append(disputed)
        if ruling.mode != "live":
            sentences.append(NOT_APPLIED)
        if is_raised:
            sentences.append("A footnote of this scenario raises it.")
        if is_liked and not disputed:
            sentences.append(AS_LIKED)
        sentences.append(ruling.question)
        return " ".join(sentences)

    def _default_rulings(self, answers: Answers) -> dict[str, str]:
        """The default rulings: the book's, the player's, those the armies were built with. If the
        armies disagree, the default without them if one of them has it, else the first army's."""
        defaults = {**self.book.defaults(), **self.liked}
        for ruling, built in self._built_with(answers).items():
            # With a list that was bought under one ruling, the other might make it illegal.
            if defaults[ruling] not in built:
                defaults[ruling] = built[0]
        return defaults

    def _disputed(self, answers: Answers) -> dict[str, str]:
        """The rulings on which the armies disagree, each with the sentence that says so."""
        names = [plain(army.army_list.name) for army in self._both_armies(answers)]
        disputed = {}
        for id, built in self._built_with(answers).items():
            if len(set(built)) > 1:
                sentences = self.book.rulings[id].answers
                disputed[id] = (
                    f'Choose one: {names[0]} was built with "{sentences[built[0]]}", '
                    f'{names[1]} with "{sentences[built[1]]}"'
                )
        return disputed

    def _built_with(self, answers: Answers) -> dict[str, list[str]]:
        """The answers with which the armies were built, by ruling."""
        built_with: dict[str, list[str]] = {}
        for army in self._both_armies(answers):
            for ruling, answer in army.army_list.rulings.items():
                built_with.setdefault(ruling, []).append(answer)
        return built_with

    def _both_armies(self, answers: Answers) -> list[Army]:
        """The two armies of the basic game; empty in a scenario."""
        if self._scenario(answers) is not None:
            return []
        return [self.armies[answers[side]] for side in ARMY_LABELS]

    # ------------------------------------------------------------------ what it comes to

    def _setup_so_far(
        self, answers: Answers, defaults: Mapping[str, str] | None = None
    ) -> Setup | None:
        """The battle that the answers come to so far, to see what depends on it; None while they
        contradict one another."""
        if defaults is None:
            defaults = self._default_rulings(answers)
        try:
            return self.setup({**defaults, **answers}, _no_seed)
        except ValueError:
            return None

    def setup(self, answers: Answers, seed: Seed) -> Setup:
        """The battle that the answers come to. Raises ValueError (a sentence)."""
        if answers[BATTLE] == EVENING:
            return self._first_evening(seed)
        scenario = self._scenario(answers)
        if scenario is None:
            if not self.armies:
                raise ValueError(NO_ARMIES)
            return self._armies_setup(answers, seed)
        order = scenario.order_of_play()
        lists: dict[str, list[int]] = {}
        for side in scenario.sides:
            for contingent in side.contingents:
                lists[contingent.id] = _lists_taken(contingent, answers)
        chosen = replace(
            self._chosen(answers),
            lists=lists,
            answers={
                question.id: answers[_question_field(question.id)]
                for question in scenario.questions()
            },
            hidden=_hidden_men(answers),
            loads=answers.get(LOADS, "yes") == "yes",
        )
        return from_scenario(
            scenario,
            self.catalog,
            self.book,
            sources={side_id: _source(answers, side_id, seed) for side_id in order},
            chosen=chosen,
            revision=self.revision,
        )

    def _first_evening(self, seed: Seed) -> Setup:
        """A small battle of two equal armies, with a deck each and as few rules as can be."""
        small, seeds = self.small(), _differing(seed)
        armies = []
        for name in FIRST_SIDES:
            armies.append(replace(small.army, army_list=replace(small.army.army_list, name=name)))
        first, second = armies
        sources = (Source(seed=seeds()), Source(seed=seeds()))
        chosen = Chosen(options=FIRST_GAME)
        setup = from_armies(first, second, self.book, sources=sources, chosen=chosen)
        last = Deadline(setup.sides[1].id, small.last_turn, draw=True)
        return replace(setup, title=FIRST_EVENING, ends_after=last)

    def _armies_setup(self, answers: Answers, seed: Seed) -> Setup:
        """The basic game: the army that moves first is the first side of the battle."""
        field_names = self._field_names(answers)
        order = field_names["first"], field_names["second"]
        lots = answers["who"] == "lots"
        if lots and any(answers[_draws_field(side)] == LEDGER for side in order):
            raise ValueError(
                "With a ledger, the program cannot draw for it: draw at the table, "
                "then choose above who sets up and moves first."
            )
        seeds = _differing(seed)
        chosen = self._chosen(answers)
        # Where the armies disagree, the battle has a ruling of its own, even if it is the default.
        defaults = self._default_rulings(answers)
        settled = {ruling: defaults[ruling] for ruling in self._disputed(answers)}
        return from_armies(
            self.armies[answers[order[0]]],
            self.armies[answers[order[1]]],
            self.book,
            sources=(_source(answers, order[0], seeds), _source(answers, order[1], seeds)),
            chosen=replace(chosen, rulings=settled | dict(chosen.rulings)),
            lots=lots,
            revision=self.revision,
        )

    def _chosen(self, answers: Answers) -> Chosen:
        """What the form says beside the forces: levels, qualities, players, options, rulings."""
        sides = self._field_names(answers)
        levels: dict[str, Level] = {}
        quality: dict[str, str | None] = {}
        for side, field in sides.items():
            if answers[_draws_field(field)] == LEDGER:
                levels[side] = "ledger"
            chosen_quality = answers[_quality_field(field)]
            if chosen_quality == NO_QUALITY:
                quality[side] = None
            elif chosen_quality != AS_LISTED:
                quality[side] = chosen_quality
        defaults = self._default_rulings(answers)
        # Defaults that differ from the book's, then what was changed in this form, even back to the
        # book's.
        rulings: dict[str, str] = {}
        for ruling, default in defaults.items():
            if default != self.book.rulings[ruling].default:
                rulings[ruling] = default
        for ruling, default in defaults.items():
            if answers.get(ruling, default) != default:
                rulings[ruling] = answers[ruling]
        return Chosen(
            levels=levels,
            quality=quality,
            players={side: answers[_player_field(field)] for side, field in sides.items()},
            options=_options_in(answers),
            rulings=rulings,
        )

    def first_orders(self, answers: Answers, seed: Seed) -> list[AnyOrder]:
        """The sealed notes that are not empty, and the sides that the program commands."""
        orders: list[AnyOrder] = []
        for name, text in answers.items():
            note = SealedNote.named(name)
            if note is not None and text:
                orders.append(Seal(side=note.side, text=text))
        if answers[BATTLE] == EVENING:
            return orders
        for side, field in self._field_names(answers).items():
            temperament = answers[_commander_field(field)]
            if temperament != A_PLAYER:
                orders.append(
                    Appoint(
                        side=side,
                        temperament=temperament,
                        aloud=answers.get(_plan_field(field)) == ALOUD,
                        seed=seed(),
                        weights=self.weights(),
                    )
                )
        return orders

    def _field_names(self, answers: Answers) -> dict[str, str]:
        """What the fields of each side of the battle are called, by its id: in a scenario the same,
        in the basic game after the first or the second army. There the first side of the battle is
        the one that moves first, whichever army that is."""
        scenario = self._scenario(answers)
        if scenario is not None:
            return {side: side for side in scenario.order_of_play()}
        if answers["who"] == "second":
            return {"first": "second", "second": "first"}
        return {"first": "first", "second": "second"}


# ------------------------------------------------------------------ answers for each of several


def _list_field(contingent: str, place: int) -> str:
    """The name of the field for a contingent's choice of lists, by its place among them."""
    return f"{contingent}:{place}"


def _lists_taken(contingent: ScenarioContingent, answers: Answers) -> list[int]:
    """The list that was taken in each choice of a contingent, by its place in the choice."""
    taken = []
    for place in range(len(contingent.choices)):
        taken.append(int(answers[_list_field(contingent.id, place)]))
    return taken


def _question_field(id: str) -> str:
    """The name of the field for a question of the scenario."""
    return f"ask:{id}"


def _draws_field(side: str) -> str:
    """The name of the field who draws for a side; also used on the command line."""
    return f"draws:{side}"


def _quality_field(side: str) -> str:
    """The name of the field for the force quality of a side."""
    return f"quality:{side}"


def _player_field(side: str) -> str:
    """The name of the field for the player of a side."""
    return f"player:{side}"


def _plan_field(side: str) -> str:
    """The name of the field whether the program says the plan of a side aloud."""
    return f"plan:{side}"


def _commander_field(side: str) -> str:
    """The name of the field for who commands a side: a player, or the program."""
    return f"commander:{side}"


class HiddenMen(NamedTuple):
    """The answer how many men a ``happening`` of the scenario hides, by its place among them. Its
    name, ``hidden:0``, is also that of an option of the command line."""

    happening: int

    @property
    def name(self) -> str:
        """The name under which the answer is stored; it has the number of the happening."""
        return f"hidden:{self.happening}"

    @classmethod
    def named(cls, name: str) -> Self | None:
        """The answer with that name; None for another answer."""
        if not name.startswith("hidden:"):
            return None
        return cls(int(name.removeprefix("hidden:")))


class SealedNote(NamedTuple):
    """What a ``side`` wrote about where its men hide; in the form ``seal:german``."""

    side: str

    @property
    def name(self) -> str:
        """The name under which the answer is stored; it has the side."""
        return f"seal:{self.side}"

    @classmethod
    def named(cls, name: str) -> Self | None:
        """The answer with that name; None for another answer."""
        if not name.startswith("seal:"):
            return None
        return cls(name.removeprefix("seal:"))


def _hidden_men(answers: Answers) -> dict[int, int]:
    """How many men each happening hides, by its place."""
    counts = {}
    for name, answer in answers.items():
        hidden = HiddenMen.named(name)
        if hidden is not None:
            counts[hidden.happening] = int(answer)
    return counts


# ------------------------------------------------------------------ fields of one kind


def _preset_of(options: Options) -> str:
    """The preset with these options; OWN if none has them."""
    for name, preset in PRESETS.items():
        if preset.options == options:
            return name
    return OWN


def _units_words(units: Mapping[str, int], catalog: Catalog) -> str:
    """``3 Trucks and 1 Cannon``."""
    return " and ".join(catalog.units[unit].named(count) for unit, count in units.items())


def _sealed_note(side: str, people: str) -> Field:
    """The field for where the hidden men of a side are; while it is written the other side looks
    away."""
    note = Words(
        name=SealedNote(side).name,
        label=f"{people}: sealed note",
        text=f"Only the {people} may look now. Write where they hide. This replaces what "
        "was written before; if you leave it empty, nothing is sealed.",
        default="",
        longest=LONGEST_NOTE,
        secret=True,
    )
    help = (
        "Where they hide, on paper or written here. Nobody can read it until it is opened "
        "in the battle. Press Enter to write it while the other side looks away."
    )
    return Field(slot=note, group=FORCES, help=help)


def _choice(
    group: str,
    name: str,
    text: str,
    label: str,
    options: Collection[AnswerRow],
    *,
    default: str = "",
    last: Collection[Option] = (),
) -> Field:
    """A field of a few answers. The first is proposed, unless ``default`` is the id of another one;
    ``last`` are answers below them."""
    listed = [Option(value=id, label=words, note=means) for id, words, means in options]
    slot = Choose(
        name=name,
        text=text,
        label=label,
        options=(*listed, *last),
        default=default or listed[0].value,
    )
    return Field(slot=slot, group=group)


def _fields_of_questions(scenario: Scenario, catalog: Catalog) -> Iterator[Field]:
    """What the scenario leaves open and its players settle before the battle."""
    for question in scenario.questions():
        name = _question_field(question.id)
        label = question.id.replace("_", " ").capitalize()
        text = question.question
        if question.about == "option":
            words = [(option, option, "") for option in question.options]
            yield _choice(FORCES, name, text, label, words, default=str(question.proposal))
            continue
        slot: Slot = Words(
            name=name,
            text=text,
            label=label,
            default=question.proposal,
            longest=LONGEST_ANSWER,
        )
        if question.about == "number":
            slot = Number(
                name=name,
                text=text,
                label=label,
                low=question.at_least or 0,
                high=MOST,
                default=int(str(question.proposal)),
            )
        elif question.about == "units":
            slot = replace(
                slot,
                longest=LONGEST_LIST,
                text=f"{text} Write a number before each unit, with commas between them.",
                read=partial(units_typed, catalog=catalog),
                write=partial(units_written, catalog=catalog),
            )
        yield Field(slot=slot, group=FORCES)


def _riders_field(setup: Setup) -> Field:
    """Whether those who ride in the scenario start in their vehicles, or everybody on foot."""
    groups = {setup.by_id[rider].contingent for rider in setup.aboard}
    guys = []
    for piece in setup.pieces:
        if piece.contingent in groups and setup.unit(piece.unit).is_guy:
            guys.append(piece)
    riding = sum(piece.id in setup.aboard for piece in guys)
    # Besides guys only cannon are carried ("Loading or Unloading").
    guns = len(setup.aboard) - riding
    towed = ""
    if guns:
        towed = f" and {guns} cannon"
    # A vehicle stands once for each of its riders, and is counted once.
    carriers = Counter(setup.by_id[carrier].unit for carrier in set(setup.aboard.values()))
    inside = ", ".join(setup.unit(unit).named(count) for unit, count in sorted(carriers.items()))
    return _choice(
        FORCES,
        LOADS,
        "Who starts aboard?",
        "Loads at the start",
        (
            ("yes", f"{riding} of {len(guys)} ride{towed}", f"They start in {inside}."),
            ("no", "everybody on foot", "You load them on the battle screen, or they walk."),
        ),
    )


def _option_fields(usual_words: str) -> Iterator[Field]:
    """The optional rules; ``usual_words`` say what is played as a rule."""
    presets = []
    for name, preset in PRESETS.items():
        presets.append((name, preset.label or usual_words, preset.note))
    own = Option(
        value=OWN,
        label="your own choice",
        note="As set below, one by one.",
        why_not="Switch the optional rules on or off one by one.",
    )
    text, label = "Which optional rules are played?", "Play with"
    yield _choice(RULES, PRESET, text, label, presets, default="usual", last=[own])
    for name, words in OPTION_NAMES.items():
        values = (("no", "off", ""), ("yes", "on", ""))
        default = _yes_or_no(getattr(Options(), name))
        switch = _choice(RULES, _switch(name), OPTIONS_MEAN[name], words, values, default=default)
        yield replace(switch, fold=SWITCHES)


def _switch(option: str) -> str:
    """The name of the field that switches an optional rule; also used on the command line."""
    return f"option:{option}"


def _yes_or_no(is_on: bool) -> str:
    """The answer of a switch."""
    if is_on:
        return "yes"
    return "no"


def _options_in(answers: Answers) -> Options:
    """The optional rules as their switches stand."""
    return Options(**{name: answers[_switch(name)] == "yes" for name in OPTION_NAMES})


def _source(answers: Answers, side: str, seed: Seed) -> Source:
    """What a side draws from: without a seed where its player draws with his own hand."""
    way = WAYS_TO_DRAW[answers[_draws_field(side)]]
    if way.level == "referee":
        return Source(way.kind, seed())
    return Source(way.kind)


def _no_seed() -> int:
    """Any number does: nothing is drawn in a battle that is only considered."""
    return 1


def _differing(seed: Seed) -> Seed:
    """Distinct seeds: two decks in the same order would tie for ever over who is first."""
    given: list[int] = []

    def another_seed() -> int:
        number = seed()
        while number in given:
            number += 1
        given.append(number)
        return number

    return another_seed


def _army_words(army: Army) -> str:
    """``Ziegler (198 of 200)``: what it has spent of its points."""
    illegal = ""
    if not is_legal(army):
        illegal = ", NOT LEGAL"
    return f"{plain(army.army_list.name)} ({army.spent} of {army.budget}{illegal})"


def _what_ends_movement(ends_from: int | None) -> str:
    """What a force quality means for movement ("Troop Quality"): the lowest card that ends
    it."""
    if ends_from is None:
        return "Nothing stops their movement."
    return f"Each group that moves draws a card: {ends_from} or higher ends its side's movement."


# ------------------------------------------------------------------ the first evening


DEPTH = 36
"""Inches between the edges where the sides set up: with more, turns would pass before a rifle is in
range, and twenty minutes with them."""
HINTS = {
    "shooter 1": "Each side has {army}. Take a table about {depth} deep; books and boxes are walls "
    "and houses. {deployment} A guy moves up to {guy}, a tank up to {tank}. Press > when everybody "
    "has moved.",
    "shooter 2": "Now all {other} in range and in sight may fire, unless they fired in phase "
    "1. Press > when nobody else fires.",
    "shooter 3": "Now the {mover} fight at close quarters. Press > when they have done so.",
    "shooter 4": "Now the {other} fight back, even those who have fired before. Then press E: "
    "it is their turn to move.",
    "target": "Measure the distance before you choose. The chance of a hit is beside each target.",
    "cover": "Look at the table. Cover turns some hits into misses.",
    "draw": "Space draws a card. The lower its rank, the better.",
    "again": "Some weapons may fire again after a kill. The program says when.",
    "dying": "Take the man off the table. The program counts the losses.",
}
"""What to do now, by what is asked; of a shooter by the phase, too."""
HINT_OF = {"row": "dying", "dead": "dying"}
"""Questions of another name that have that hint."""


def hint(state: State, asked: str) -> Hint:
    """The explanation of a question; empty except on the first evening."""
    setup, phase = state.setup, state.clock.phase
    name = HINT_OF.get(asked, asked)
    if asked == "shooter":  # who fires differs by phase, and so does what is to be explained
        name = f"shooter {phase}"
    if setup.title != FIRST_EVENING or name not in HINTS:
        return Hint(name, "")
    side = state.mover
    # Once somebody's turn has ended the table is laid, also for who opens the evening again.
    somebodys_turn_has_ended = state.clock.turn > 1 or side != setup.sides[0].id
    if name == "shooter 1" and somebodys_turn_has_ended:
        return Hint(name, "")
    units = setup.catalog.units
    text = HINTS[name].format(
        army=named(setup.fielded[side], setup.catalog),
        deployment=" ".join(deployment_words(setup).splitlines()),
        mover=setup.side_by_id[side].people,
        other=setup.enemy_of(side).people,
        depth=inches(DEPTH),
        guy=inches(units["rifle"].move),
        tank=inches(units["tank"].move),
    )
    return Hint(name, text)
