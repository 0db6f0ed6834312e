"""The set-up form of a battle: its fields, and the opening that results; and the explanations that
newcomers read in their first battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple, Self

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.opening import (
    Chosen,
    deployment_words,
    footnoted,
    from_armies,
    from_scenario,
    may_hide,
    rulings_that_matter,
)
from skirmish.games.plastic.battle.orders import Seal
from skirmish.games.plastic.battle.orders.turn import LONGEST_NOTE
from skirmish.games.plastic.battle.setup import Deadline, Level, Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.army import Army, FirstEvening, named
from skirmish.games.plastic.rules.breaches import is_legal
from skirmish.games.plastic.rules.catalog import Catalog, plural
from skirmish.games.plastic.rules.options import EVERYTHING, FIRST_GAME, WORDS, Options
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.scenario import MOST, MayReveal, Scenario
from skirmish.games.plastic.typed_answers import (
    units_typed,
    units_written,
)
from skirmish.tabletop.chance import Source
from skirmish.tabletop.game import Field, Fold, Seed
from skirmish.tabletop.measure import inches
from skirmish.tabletop.slots import Choose, Number, Option, Slot, Words
from skirmish.tabletop.typed import plain

BATTLE, ARMIES, FIRST, LOADS, PRESET, OWN, LEDGER = (
    "battle", "armies", "first_evening", "loads", "preset", "own", "ledger",
)  # fmt: skip
FIRST_EVENING = "Your first evening"
FIRST_SIDES = ("Americans", "Germans")
FORCES, SIDES, RULES = "FORCES", "SIDES", "OPTIONAL RULES"
RULINGS = "RULINGS WHERE THE RULES ARE SILENT"
AS_LIKED = "This is the default in your settings."
NOT_APPLIED = "The program does not apply this one; play it at the table."
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
ARMY_LABELS = {"first": "First army", "second": "Second army"}
WHO_IS_FIRST = (
    ("lots", "draw for it",
     "The higher draw places terrain first. The higher of a second draw chooses an edge, sets up "
     "first and moves first. Ties are drawn again."),
    ("first", "the first army", "It sets up first and moves first."),
    ("second", "the second army", "It sets up first and moves first."),
)  # fmt: skip
PRESETS = {
    "first_game": (FIRST_GAME, "first game",
                   "Only moving, firing and counting. Good with children."),
    "usual": (Options(), "",
              "What the lists need, hull down and rear armor. No pinning or nationalities."),
    "everything": (EVERYTHING, "all optional rules",
                   "All of them. Choose the force quality of each side above."),
}  # fmt: skip
OPTIONS_MEAN = {
    "pinning": "Guys under machine-gun fire may be pinned: they draw, and pinned guys stay put.",
    "nationalities": "Most nations have a trait. Armies bought with a nation always have it.",
    "hull_down": "Some hits miss a model that stands behind a rise.",
    "rear_armor": "Tanks are weaker from behind.",
    "entrenching": "Guys may dig in during the battle.",
    "snipers": "Snipers choose their target. If off, leave them in the box.",
}
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
NO_QUALITY, AS_LISTED = "none", ""
Answers = Mapping[str, Any]


class BattleFields(msgspec.Struct, frozen=True):
    """``scenarios`` by number, which are read when a battle is set up, ``armies`` by id, the
    ``small`` battle of a first evening. ``level`` and ``chance`` are defaults, ``liked`` are the
    player's own rulings."""

    catalog: Catalog
    book: PlasticRulingBook
    scenarios: Callable[[], Mapping[int, Scenario]]
    small: Callable[[], FirstEvening]
    revision: str
    armies: Mapping[str, Army] = {}
    level: str = "referee"
    chance: str = "cards"
    liked: Mapping[str, str] = {}

    # ------------------------------------------------------------------ fields

    def fields(self, answers: Answers) -> tuple[Field, ...]:
        first = Field(slot=self._battle())
        battle = answers.get(BATTLE, first.slot.proposed)
        if battle == FIRST or (battle == ARMIES and not self.armies):
            return (first,)
        scenario = self._scenario({BATTLE: battle})
        own = self._of_scenario(scenario) if scenario else self._of_armies(answers)
        default = "what the scenario needs" if scenario else "the default rules"
        found = [first, *own, *_option_fields(default)]
        answers = {field.slot.name: field.slot.proposed for field in found} | dict(answers)
        if scenario and (plainly := self._plainly(scenario)).aboard:
            # Who rides depends on lists and rulings.
            setup = self._considered({**answers, LOADS: "yes"})
            at = next(at for at, field in enumerate(found) if field.group == SIDES)
            found.insert(at, _loads(setup if setup and setup.aboard else plainly))
        return (*found, *self._ruling_fields(answers))

    def follow(self, changed: str, answers: Answers) -> Answers:
        """Keeps the switches and the way to play consistent."""
        if changed == PRESET and answers[PRESET] != OWN:
            chosen = PRESETS[answers[PRESET]][0]
            return {**answers, **{name: _on(getattr(chosen, name[7:])) for name in _SWITCHES}}
        if changed in _SWITCHES:
            now = _options(answers)
            preset = next((name for name, one in PRESETS.items() if one[0] == now), OWN)
            return {**answers, PRESET: preset}
        return answers

    def _scenario(self, answers: Answers) -> Scenario | None:
        number = str(answers[BATTLE])
        return None if number == ARMIES else self.scenarios()[int(number)]

    def _battle(self) -> Choose:
        options = [
            Option(value=str(number), key=str(number), label=one.title)
            for number, one in self.scenarios().items()
        ]
        why_not = "" if self.armies else NO_ARMIES
        options.append(
            Option(value=ARMIES, label="The basic game: two armies", key="a", why_not=why_not)
        )
        options.append(Option(value=FIRST, label=FIRST_EVENING, key="f"))
        return Choose(
            name=BATTLE, text="Which battle?", options=tuple(options), default=options[0].value
        )

    def _of_armies(self, answers: Answers) -> Iterator[Field]:
        ids = list(self.armies)
        default = dict(zip(ARMY_LABELS, (*ids, ids[0]), strict=False))
        lists = [(id, words := _army_words(army), words) for id, army in self.armies.items()]
        for side, label in ARMY_LABELS.items():
            text = f"Which is the {label.lower()}?"
            yield _choice(FORCES, side, text, label, lists, default=default[side])
        text, label = "Who sets up and moves first?", "Sets up and moves first"
        yield _choice(FORCES, "who", text, label, WHO_IS_FIRST)
        for side, label in ARMY_LABELS.items():
            army = self.armies.get(answers.get(side, ""), self.armies[default[side]])
            yield from self._side(side, label, army=army)

    def _of_scenario(self, scenario: Scenario) -> Iterator[Field]:
        catalog = self.catalog.with_variants(scenario.variants)
        for side in scenario.sides:
            for group in side.contingents:
                for index, choice in enumerate(group.choices):
                    lists = []
                    for n, one in enumerate(choice.one_of):
                        words = " and ".join(catalog.units[u].named(c) for u, c in one.items())
                        lists.append((str(n), words, f"{words}."))
                    text = f"{group.called}: choose one of {len(lists)} lists."
                    label = f"{catalog.nations[side.id].people} take"
                    yield _choice(FORCES, f"{group.id}:{index}", text, label, lists)
        yield from _asks(scenario, catalog)
        yield from self._hidden(scenario, catalog)
        for side_id in scenario.order_of_play():
            people = catalog.nations[side_id].people
            yield from self._side(side_id, people, cards_only=scenario.cards_only)

    def _hidden(self, scenario: Scenario, catalog: Catalog) -> Iterator[Field]:
        setup = self._plainly(scenario)
        for index, kind in enumerate(scenario.happenings):
            if not isinstance(kind, MayReveal):
                continue
            able = may_hide(kind, setup.pieces)
            people = catalog.nations[kind.side].people
            what = plural(setup.unit(setup.by_id[able[0]].unit).short.lower()) if able else "men"
            text = scenario.unmarked(kind.text)
            counts = [
                (str(n), f"{n} of {len(able)}" if n else "none", "") for n in range(len(able) + 1)
            ]
            default = str(sum(piece in setup.hidden for piece in able))
            label = f"{people}: hidden {what}"
            name = HiddenMen(index).name
            yield _choice(FORCES, name, text, label, counts, default=default)
            note = Words(
                name=SealedNote(kind.side).name,
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
            yield Field(slot=note, group=FORCES, help=help)

    def _plainly(self, scenario: Scenario) -> Setup:
        sources = {side.id: Source("deck") for side in scenario.sides}
        return from_scenario(scenario, self.catalog, self.book, sources=sources)

    def _side(
        self, side: str, people: str, *, cards_only: bool = False, army: Army | None = None
    ) -> Iterator[Field]:
        kind = "deck" if cards_only or self.chance == "cards" else "die"
        default = {LEDGER: LEDGER, "referee": kind}.get(self.level, f"own_{kind}")
        draws = [
            (id, words, f"{means} {AS_LIKED}" if id == default != DRAWS[0][0] else means)
            for id, words, means in DRAWS
            if not (cards_only and id.endswith("die"))
        ]
        name = people if army is None else people.lower()
        text = f"Who draws or rolls for the {name}? You can change this during the battle."
        yield _choice(SIDES, f"draws:{side}", text, f"{people}: who draws", draws, default=default)
        known = self.catalog.qualities
        qualities = [(NO_QUALITY, "none", "")]
        qualities += [(one.id, one.name, _steady(one.movement_ends_from)) for one in known.values()]
        if army is not None:
            quality = army.listed.quality
            words = known[quality].name if quality else "none"
            qualities.insert(0, (AS_LISTED, f"as in the army list: {words}", ""))
        text = f"How steady are the {name}, if you play with force quality?"
        yield _choice(SIDES, f"quality:{side}", text, f"{people}: force quality", qualities)
        label = f"{people}: commanded by"
        text = f"Who commands the {name}?"
        slot = Words(name=f"player:{side}", label=label, text=text, default="", longest=20)
        yield Field(slot=slot, group=SIDES)

    # ------------------------------------------------------------------ rulings

    def _ruling_fields(self, answers: Answers) -> Iterator[Field]:
        """Rulings on which two lists disagree are shown, the others are folded."""
        defaults, apart = self._default_rulings(answers), self._apart(answers)
        setup = self._considered(answers, defaults)
        if setup is None:
            return
        rulings = rulings_that_matter(self.book, setup)
        rulings += [one for name in apart if (one := self.book.rulings[name]) not in rulings]
        raised = footnoted(setup.scenario) if setup.scenario else frozenset()
        titles = ", ".join(self.book.rulings[name].title.lower() for name in apart)
        notice = (
            f"The armies were built with different rulings: {titles}. The answers below hold for "
            "both armies."
        )
        for one in sorted(rulings, key=lambda one: (one.id not in raised, one.mode != "live")):
            default = defaults[one.id]
            liked = one.id in self.liked and answers.get(one.id, default) == default
            help = [
                apart.get(one.id, ""),
                NOT_APPLIED if one.mode != "live" else "",
                "A footnote of this scenario raises it." if one.id in raised else "",
                AS_LIKED if liked and one.id not in apart else "",
                one.question,
            ]
            options = [(id, words, words) for id, words in one.answers.items()]
            text, label = one.question, one.title
            field = _choice(RULINGS, one.id, text, label, options, default=default)
            yield replace(
                field,
                fold=None if one.id in apart else ALL_RULINGS,
                help=" ".join(filter(None, help)),
                notice=notice if one.id == next(iter(apart), "") else "",
            )

    def _default_rulings(self, answers: Answers) -> dict[str, str]:
        """The default rulings: the book's, the player's, those the armies were built with. If the
        armies disagree, the default without them if one of them has it, else the first army's."""
        defaults = {**self.book.defaults(), **self.liked}
        for ruling, built in self._built_with(answers).items():
            if defaults[ruling] not in built:
                defaults[ruling] = built[0]
        return defaults

    def _apart(self, answers: Answers) -> dict[str, str]:
        book = self.book.rulings
        names = [plain(army.listed.name) for army in self._both(answers)]
        return {
            ruling: f'Choose one: {names[0]} was built with "{book[ruling].answers[built[0]]}", '
            f'{names[1]} with "{book[ruling].answers[built[1]]}"'
            for ruling, built in self._built_with(answers).items()
            if len(set(built)) > 1
        }

    def _built_with(self, answers: Answers) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for army in self._both(answers):
            for ruling, answer in army.listed.rulings.items():
                found.setdefault(ruling, []).append(answer)
        return found

    def _both(self, answers: Answers) -> list[Army]:
        """The two armies of the basic game; empty in a scenario."""
        if self._scenario(answers) is not None:
            return []
        return [self.armies[answers[side]] for side in ARMY_LABELS]

    # ------------------------------------------------------------------ what it comes to

    def _considered(
        self, answers: Answers, defaults: Mapping[str, str] | None = None
    ) -> Setup | None:
        try:
            return self.setup(
                {**(defaults or self._default_rulings(answers)), **answers}, lambda: 1
            )
        except ValueError:
            return None

    def setup(self, answers: Answers, seed: Seed) -> Setup:
        """Raises ValueError (a sentence)."""
        if answers[BATTLE] == FIRST:
            return self._first_evening(seed)
        scenario = self._scenario(answers)
        if scenario is None:
            if not self.armies:
                raise ValueError(NO_ARMIES)
            return self._armies_setup(answers, seed)
        order = scenario.order_of_play()
        chosen = replace(
            self._chosen(answers, {side: side for side in order}),
            lists={
                group.id: [int(answers[f"{group.id}:{i}"]) for i in range(len(group.choices))]
                for side in scenario.sides
                for group in side.contingents
            },
            answers={one.id: answers[f"ask:{one.id}"] for one in scenario.questions()},
            hidden=_hidden_men(answers),
            loads=answers.get(LOADS, "yes") == "yes",
        )
        return from_scenario(
            scenario,
            self.catalog,
            self.book,
            sources={side: _source(answers, side, seed) for side in order},
            chosen=chosen,
            revision=self.revision,
        )

    def _first_evening(self, seed: Seed) -> Setup:
        small, seeds = self.small(), _differing(seed)
        one, other = (
            replace(small.army, listed=replace(small.army.listed, name=name))
            for name in FIRST_SIDES
        )
        sources = (Source(seed=seeds()), Source(seed=seeds()))
        chosen = Chosen(options=FIRST_GAME)
        setup = from_armies(one, other, self.book, sources=sources, chosen=chosen)
        last = Deadline(setup.sides[1].id, small.last_turn, draw=True)
        return replace(setup, title=FIRST_EVENING, ends_after=last)

    def _armies_setup(self, answers: Answers, seed: Seed) -> Setup:
        """The side that moves first comes first."""
        order = ("second", "first") if answers["who"] == "second" else ("first", "second")
        lots = answers["who"] == "lots"
        if lots and any(answers[f"draws:{side}"] == LEDGER for side in order):
            raise ValueError(
                "With a ledger, the program cannot draw for it: draw at the table, "
                "then choose above who sets up and moves first."
            )
        seeds = _differing(seed)
        chosen = self._chosen(answers, dict(zip(("first", "second"), order, strict=True)))
        defaults = self._default_rulings(answers)
        settled = {ruling: defaults[ruling] for ruling in self._apart(answers)}
        one, other = (self.armies[answers[side]] for side in order)
        return from_armies(
            one,
            other,
            self.book,
            sources=(_source(answers, order[0], seeds), _source(answers, order[1], seeds)),
            chosen=replace(chosen, rulings=settled | dict(chosen.rulings)),
            lots=lots,
            revision=self.revision,
        )

    def _chosen(self, answers: Answers, sides: Mapping[str, str]) -> Chosen:
        """``sides`` are the ids of the battle's sides with those of their fields."""
        levels: dict[str, Level] = {}
        quality: dict[str, str | None] = {}
        for side, field in sides.items():
            if answers[f"draws:{field}"] == LEDGER:
                levels[side] = "ledger"
            if name := answers[f"quality:{field}"]:
                quality[side] = None if name == NO_QUALITY else name
        defaults = self._default_rulings(answers)
        rulings = {n: a for n, a in defaults.items() if a != self.book.rulings[n].default}
        rulings |= {n: answers[n] for n in defaults if answers.get(n, defaults[n]) != defaults[n]}
        return Chosen(
            levels=levels,
            quality=quality,
            players={side: answers[f"player:{field}"] for side, field in sides.items()},
            options=_options(answers),
            rulings=rulings,
        )

    def first_orders(self, answers: Answers) -> list[Seal]:
        """The sealed notes, those that are not empty."""
        seals = []
        for name, text in answers.items():
            note = SealedNote.named(name)
            if note is not None and text:
                seals.append(Seal(side=note.side, text=text))
        return seals


# ------------------------------------------------------------------ answers for each of several


class HiddenMen(NamedTuple):
    """The answer how many men a ``happening`` of the scenario hides, by its place among them. Its
    name, ``hidden:0``, is also that of an option of the command line."""

    happening: int

    @property
    def name(self) -> str:
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


def _choice(
    group: str,
    name: str,
    text: str,
    label: str,
    options: Collection[tuple[str, str, str]],
    *,
    default: str = "",
    last: Collection[Option] = (),
) -> Field:
    listed = [Option(value=id, label=words, note=means) for id, words, means in options]
    first, every = default or listed[0].value, (*listed, *last)
    slot = Choose(name=name, text=text, label=label, options=every, default=first)
    return Field(slot=slot, group=group)


def _asks(scenario: Scenario, catalog: Catalog) -> Iterator[Field]:
    for one in scenario.questions():
        name, label, text = f"ask:{one.id}", one.id.replace("_", " ").capitalize(), one.question
        if one.about == "option":
            words = [(option, option, "") for option in one.options]
            yield _choice(FORCES, name, text, label, words, default=str(one.proposal))
            continue
        slot: Slot = Words(name=name, text=text, label=label, default=one.proposal, longest=200)
        if one.about == "number":
            slot = Number(name=name, text=text, label=label, low=one.at_least or 0, high=MOST,
                          default=int(str(one.proposal)))  # fmt: skip
        elif one.about == "units":
            slot = replace(
                slot,
                longest=400,
                text=f"{text} Write a number before each unit, with commas between them.",
                read=partial(units_typed, catalog=catalog),
                write=partial(units_written, catalog=catalog),
            )
        yield Field(slot=slot, group=FORCES)


def _loads(setup: Setup) -> Field:
    groups = {setup.by_id[rider].contingent for rider in setup.aboard}
    guys = [p for p in setup.pieces if p.contingent in groups and setup.unit(p.unit).is_guy]
    riding = sum(piece.id in setup.aboard for piece in guys)
    guns = len(setup.aboard) - riding
    carriers = Counter(setup.by_id[carrier].unit for carrier in set(setup.aboard.values()))
    inside = ", ".join(setup.unit(unit).named(count) for unit, count in sorted(carriers.items()))
    towed = f" and {guns} cannon" if guns else ""
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


def _option_fields(default: str) -> Iterator[Field]:
    presets = [(name, words or default, note) for name, (_, words, note) in PRESETS.items()]
    own = Option(
        value=OWN,
        label="your own choice",
        note="As set below, one by one.",
        why_not="Switch the optional rules on or off one by one.",
    )
    text, label = "Which optional rules are played?", "Play with"
    yield _choice(RULES, PRESET, text, label, presets, default="usual", last=[own])
    for name, words in WORDS.items():
        values = (("no", "off", ""), ("yes", "on", ""))
        default = _on(getattr(Options(), name))
        switch = _choice(
            RULES, f"option:{name}", OPTIONS_MEAN[name], words, values, default=default
        )
        yield replace(switch, fold=SWITCHES)


_SWITCHES = [f"option:{name}" for name in WORDS]


def _on(on: bool) -> str:
    return "yes" if on else "no"


def _options(answers: Answers) -> Options:
    return Options(**{name: answers[f"option:{name}"] == "yes" for name in WORDS})


def _source(answers: Answers, side: str, seed: Seed) -> Source:
    value = answers[f"draws:{side}"]
    typed = value == LEDGER or value.startswith("own")
    return Source("die" if value.endswith("die") else "deck", None if typed else seed())


def _differing(seed: Seed) -> Seed:
    """Distinct seeds: two decks in the same order would tie for ever over who is first."""
    given: list[int] = []

    def another() -> int:
        one = seed()
        while one in given:
            one += 1
        given.append(one)
        return one

    return another


def _army_words(army: Army) -> str:
    legal = "" if is_legal(army) else ", NOT LEGAL"
    return f"{plain(army.listed.name)} ({army.spent} of {army.budget}{legal})"


def _steady(ends_from: int | None) -> str:
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
NAMES = {"row": "dying", "dead": "dying"}


def hint(state: State, asked: str) -> tuple[str, str]:
    """The id of a question, and its explanation: empty except on the first evening."""
    setup, phase = state.setup, state.clock.phase
    name = f"shooter {phase}" if asked == "shooter" else NAMES.get(asked, asked)
    if setup.title != FIRST_EVENING or name not in HINTS:
        return name, ""
    side = state.mover
    units = setup.catalog.units
    return name, HINTS[name].format(
        army=named(setup.fielded[side], setup.catalog),
        deployment=" ".join(deployment_words(setup).splitlines()),
        mover=setup.side_by_id[side].people,
        other=setup.enemy_of(side).people,
        depth=inches(DEPTH),
        guy=inches(units["rifle"].move),
        tank=inches(units["tank"].move),
    )
