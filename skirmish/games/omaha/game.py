"""Omaha as the shell uses it: set-up, the board, what is due, the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar

from msgspec.structs import replace

from skirmish.games.omaha import ruleset
from skirmish.games.omaha.combat import answer
from skirmish.games.omaha.commands import commands, prompt
from skirmish.games.omaha.orders import OmahaOrder
from skirmish.games.omaha.ruleset import KINDS, SIDES, OmahaFile, OmahaSetup, OmahaTables
from skirmish.games.omaha.sheet import sheet_of, tables_of, terrain_of
from skirmish.games.omaha.state import (
    DECK,
    NAVY,
    AnyEvent,
    AttackResolved,
    EveningOpened,
    OmahaState,
)
from skirmish.games.omaha.units import PRINTED, RATINGS, Mark, new_units
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Command
from skirmish.tabletop.companion.asking import HexSlot
from skirmish.tabletop.companion.counters import Counter, Register, named
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.explained import explained_of
from skirmish.tabletop.companion.table_game import AnyTableOrder, TableGame, TableOrder, tick
from skirmish.tabletop.game import PLAYERS, Field, Fold, Seed, Verdict, Viewer
from skirmish.tabletop.journal import Play, tagged
from skirmish.tabletop.page import Block, Facts, Heading, Page, Paragraph, Step, Steps, Tone
from skirmish.tabletop.presets import PresetBook, read_presets
from skirmish.tabletop.slots import Number, Slot, UnfitAnswer, Words, chosen

UNKNOWN = "Where a card's number is not known, the die gives it."
CHANCE = (
    ("die", "the program rolls a die", "Events come from the program's deck."),
    ("cards", "the program draws every number", UNKNOWN),
    ("own", "your own cards or die, typed in", "You type what you draw or roll."),
)
FIRST = (("us", "the Americans", ""), ("german", "the Germans", ""))
PLAYERS_OF = (
    ("solitaire", "you, against Germans of the program", "It chooses their targets."),
    ("two", "two players", ""),
)


class OmahaGame(TableGame[OmahaState, TableOrder, AnyEvent]):
    """``revision`` identifies the tables, the scenarios and the rulings."""

    id, name = "omaha", "Omaha: Battle for the Beach"
    order, event = tagged(OmahaOrder) | AnyTableOrder, AnyEvent
    sides = tuple(SIDES.items())
    ratings: ClassVar[tuple[str, ...]] = RATINGS
    kinds = tuple(KINDS)
    where: ClassVar[str] = "Hex"
    place: ClassVar[Slot] = HexSlot(name="place", text="In which hex is it?")
    markers: ClassVar[tuple[str, ...]] = (Mark.FIRED, Mark.DISRUPTED, Mark.LANDED, Mark.WAITING)
    more_markers: ClassVar[tuple[str, ...]] = Mark.PASSING

    def __init__(
        self, tables: OmahaTables, file: OmahaFile, book: PresetBook, revision: str = ""
    ) -> None:
        self.tables, self.file, self.book, self.revision = tables, file, book, revision

    def completed(self, event: AnyEvent) -> AnyEvent:
        if not isinstance(event, EveningOpened):
            return event
        rulings = self.book.completed(event.setup.rulings)
        return replace(event, setup=replace(event.setup, rulings=rulings))

    def upcast(self, order: Any, events: Any) -> tuple[Any, Any]:
        """In the first hours of this game, on 22 November 2026, a scenario had a text of rules,
        which is now part of its text, and the kind of a task had another key."""
        for event in events:
            event.get("setup", {}).get("scenario", {}).pop("rules", None)
            for task in event.get("tasks", ()):
                if "task" in task:
                    task["kind"] = task.pop("task")
        return order, events

    # ------------------------------------------------------------------ set-up

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        scenarios = [(one.id, one.title, one.about) for one in self.file.scenarios]
        scenario, card = self._scenario(answers), "Which numbers are on the cards “{}”?"
        text = "How many turns are played?"
        turns = Number(name="turns", text=text, low=1, high=30, default=scenario.turns)
        longer = f"{scenario.longest} turns are easier for the Americans."
        unstated = "The text does not say who moves first."
        first = Field(slot=chosen("first", "Who moves first?", FIRST), help=unstated)
        help_ = longer if scenario.longest else "The text gives no length for this scenario."
        about = "The numbers of your cards; ? where you cannot tell."
        deck = Fold("deck", "The action cards", about)
        cards = (
            Field(
                slot=Words(
                    name=f"card_{one.id}",
                    label=one.title,
                    default=one.numbers,
                    longest=120,
                    text=card.format(one.title),
                    read=_card_numbers,
                ),
                fold=deck,
                help=f"{one.text} {one.garbled} A number for each card, or ?.",
            )
            for one in self.file.cards
            if one.id not in scenario.without
        )
        return (
            Field(slot=chosen("scenario", "Which scenario is it?", scenarios)),
            Field(slot=chosen("players", "Who plays?", PLAYERS_OF)),
            Field(slot=chosen("chance", "Where do the numbers come from?", CHANCE)),
            Field(slot=turns, help=help_),
            *(() if scenario.longest else (first,)),
            *self.book.fields(),
            *cards,
        )

    def _scenario(self, answers: Mapping[str, Any]) -> Any:
        wanted = answers.get("scenario", self.file.scenarios[0].id)
        return next(one for one in self.file.scenarios if one.id == wanted)

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[AnyEvent]:
        scenario, own = self._scenario(answers), answers.get("chance") == "own"
        cards = tuple(one for one in self.file.cards if one.id not in scenario.without)
        turns = answers.get("turns", scenario.turns)
        setup = OmahaSetup(
            tables=self.tables,
            cards=cards,
            scenario=scenario,
            sequence=ruleset.sequence_of(self.file.phases, turns, answers.get("first", "us")),
            rulings=self.book.answered(self.book.chosen(answers)),
            chance=answers.get("chance", "die"),
            revision=self.revision,
            solitaire=answers.get("players", "solitaire") == "solitaire",
        )
        typed = {one: answers.get(f"card_{one.id}", one.numbers) for one in cards}
        chits = [chit for one, numbers in typed.items() for chit in one.chits(numbers)]
        deck = None if own or not chits else Cup(id=DECK, unseen=tuple(sorted(chits)), seed=seed())
        units = tuple(new_units(Register(), scenario, self.tables.numbers.steps))
        dice = Source("die", None if own else seed())
        return [EveningOpened(setup=setup, counters=units, deck=deck, dice=dice)]

    def title(self, state: OmahaState) -> str:
        return f"Omaha: {state.setup.scenario.title}"

    # ------------------------------------------------------------------ what can be done

    def players(self, state: OmahaState) -> Mapping[str, str]:
        return {id: name for id, name in self.sides if id == "us" or not state.setup.solitaire}

    def own_commands(self, state: OmahaState) -> Iterator[Command[Any]]:
        return commands(state)

    def prompt(self, state: OmahaState) -> Command[Any] | None:
        return prompt(state)

    # ------------------------------------------------------------------ the board

    def headline(self, state: OmahaState) -> str:
        us, german = state.points("us"), state.points("german")
        ahead = "Americans ahead" if us > german else "Germans ahead" if german > us else "level"
        result = state.result() if state.ended else ahead
        return f"{super().headline(state)}, {us}:{german} ({result})"

    def verdict(
        self, play: Play[OmahaState, TableOrder, AnyEvent], viewer: Viewer = PLAYERS
    ) -> Verdict | None:
        entry, state = play.live[-1], play.states[-2:][0]
        for event in entry.events:
            if isinstance(event, AttackResolved):
                meaning = f"{event.meaning(state).partition('. ')[2]} Roll {event.roll}. "
                tone: Tone = "" if event.result in ("NE", "AR", "AE") else "good"
                return Verdict(text=event.result, reason=meaning + event.sum(state), tone=tone)
        return None

    def page(self, state: OmahaState, viewer: Viewer = PLAYERS) -> Page:
        return Page(self.title(state), tuple(self._board(state)), about=(self.headline(state),))

    def _board(self, state: OmahaState) -> Iterator[Block]:
        facts = []
        for side, name in SIDES.items():
            held = [hex_ for hex_, holder in state.control.items() if holder == side]
            facts.append((f"{name} hexes", ", ".join(held) or "none"))
        if state.now == "us_fire" and NAVY in state.tracks:
            left = state.tracks[NAVY].value * state.setup.tables.numbers.packet
            facts.append(("Naval gunfire", f"{left} factors left"))
        facts += [
            ("Action card", state.setup.card(id).title)
            for id, turn in state.drawn
            if turn == state.position.turn
        ]
        facts += [
            (f"{name} air power", f"+6 HE, {state.air(side)} left")
            for side, name in SIDES.items()
            if state.air(side) > 0
        ]
        facts += [(f"Turn {turn}", text) for turn, text in state.notes]
        yield Facts(tuple(facts))
        checklist, roster = [*self._checklist(state)], [*self.roster(state, ())]
        yield from (*checklist, *roster) if state.now == "setup" else (*roster, *checklist)

    def _checklist(self, state: OmahaState) -> Iterator[Block]:
        """The arrivals of this turn, ticked once they are on the map."""
        due = state.due()
        if due and not state.ended:
            yield Heading("Set-up" if state.now == "setup" else "Reinforcements")
            if state.now == "setup":
                yield Paragraph(state.setup.scenario.text)
            steps = []
            for one in due:
                title, count = f"{one.company} ({SIDES[one.side]})", len(state.entered(one))
                text = f"{count} entered" if count else one.where
                steps.append(Step(title, "done" if count else "next", text))
            yield Steps(tuple(steps))

    def answer(self, line: bytes) -> dict[str, Any]:
        """Answers a query in JSON. Raises DataError."""
        return answer(self.tables, self.book, line)

    def fresh(self, state: OmahaState, one: Counter) -> Counter:
        """With all its steps and no markers, in the hex of the file; without one, or before its
        company is due, it waits off the map."""
        unit = replace(one, two_sided=True, steps=self.tables.numbers.steps, flags=())
        if not one.place or not state.may_come(one.group):
            return replace(unit, place="", flags=(Mark.WAITING,))
        return unit.marked(Mark.LANDED, state.lands(one.group))

    def shown(self, state: OmahaState, one: Counter) -> bool:
        """Units off the map are shown only once they are due."""
        return bool(one.steps) and (state.may_come(one.group) or not one.has(Mark.WAITING))

    def due(self, play: Play[OmahaState, TableOrder, AnyEvent], viewer: Viewer = PLAYERS) -> Page:
        """The companies still to arrive in this turn."""
        state = play.state
        names = [one.company for one in state.due() if not state.entered(one)]
        return Page("", (Paragraph(", ".join(names), lead="Still to come:"),) if names else ())

    def sheets(self) -> tuple[tuple[str, str, Callable[[OmahaState], Page]], ...]:
        return (("sheet", "The play sheet", self._sheet),)

    def _sheet(self, state: OmahaState) -> Page:
        steps = self.tables.numbers.steps
        ticks = (
            ("Lost", steps, lambda one: max(steps - one.steps, 0)),
            tick("Fired", Mark.FIRED),
            tick("Disr.", Mark.DISRUPTED),
        )
        roster = self.roster(state, PRINTED, ticks, lines=23)
        return sheet_of(state, self.title(state), self.file.explained, roster)

    def summary(self, play: Play[OmahaState, TableOrder, AnyEvent]) -> Page:
        state = play.state
        gone = [
            (f"{name} units lost", named(lost))
            for side, name in SIDES.items()
            if (lost := [one for one in state.counters.where(side=side) if not one.steps])
        ]
        blocks = (Facts(tuple(gone)), *self.roster(state, PRINTED))
        return Page(self.title(state), blocks, about=(self.headline(state),))

    def rules(self, state: OmahaState | None = None) -> Page:
        """The sequence, the tables and the gaps, with this game's answers to them."""
        rulings = state.setup.rulings if state else self.book.defaults()
        blocks = (
            *self.book.differing(rulings),
            Heading("A turn"),
            *(Paragraph(one.text, lead=f"{one.name}.") for one in self.file.phases),
            *explained_of(self.file.explained),
            *chain(*tables_of(self.tables, rulings), terrain_of(self.tables)),
            *self.book.blocks(rulings),
        )
        return Page(f"The rules of {self.name}", blocks)


def _card_numbers(text: str) -> str:
    words = text.replace(",", " ").split()
    for word in words:
        if word not in ("?", *"123456"):
            raise UnfitAnswer(f"{word[:20]} is no number of a card: 1 to 6, or ?.")
    return " ".join(words)


def game(tables: Mapping[str, Any], revision: str) -> OmahaGame:
    """The game out of its files."""
    book = read_presets(tables["rulings"], "omaha/rulings.toml")
    return OmahaGame(
        ruleset.read_tables(tables["tables"]), ruleset.read_game(tables["game"]), book, revision
    )
