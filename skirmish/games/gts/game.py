"""The Grand Tactical Series as the shell uses it: set-up, board, what is due, rules, paper."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, ClassVar

from msgspec.structs import replace

from skirmish.games.gts import commands as given
from skirmish.games.gts import ruleset, units
from skirmish.games.gts import state as happened
from skirmish.games.gts.combat import answer, text_of
from skirmish.games.gts.orders import GtsOrder, GtsRecord
from skirmish.games.gts.ruleset import TERRAIN, GtsRules, GtsTables, OwnersFile
from skirmish.games.gts.state import AnyEvent, GtsState
from skirmish.games.gts.units import RATINGS, TRAITS, Marker
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Command
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.explained import explained_of
from skirmish.tabletop.companion.result_table import BLANK
from skirmish.tabletop.companion.sequence import TurnSequence
from skirmish.tabletop.companion.table_game import WIDE, AnyTableOrder, TableGame, TableOrder, tick
from skirmish.tabletop.data_file import read, resolved
from skirmish.tabletop.game import PLAYERS, Field, Seed, Verdict, Viewer
from skirmish.tabletop.journal import Play, tagged
from skirmish.tabletop.page import Block, Facts, Heading, Page, Paragraph, Tone, table
from skirmish.tabletop.presets import PresetBook, read_presets
from skirmish.tabletop.slots import Number, chosen

SCOPES = (
    ("whole", "the whole game", "The turn from A to L, chits, points, fire."),
    ("mug", "the mug and the points only", "Chits drawn by one key, and the ledgers."),
    ("fire", "fire and checks only", "No chits, no turn."),
)
CHANCE = (
    ("program", "the program rolls and draws", ""),
    ("own", "your own die and your own mug", "You type what you roll and draw."),
)
TABLES = (
    ("blank", "typed in from your card", "A result is asked for the first time it is needed."),
    ("community", "community values", "From players of the online module: check your card."),
)
ON_SCREEN = 20
"""Units of a side beside the commands."""
SIDES = (("allied", "Allied"), ("german", "German"))
GROUPS = {
    "radio_": "Contact with a leader",
    "check_": "Checks",
    "beach_": "Attacks on beach defenses",
    "terrai": "Terrain",
}
"""Headings of modifiers by how their ids begin; all others are of fire."""


class GtsGame(TableGame[GtsState, TableOrder, AnyEvent]):
    """``revision`` identifies the data; ``community`` are the values of the online module."""

    id, name = "gts", "Grand Tactical Series"
    order, event = tagged(GtsOrder) | AnyTableOrder, AnyEvent
    sides = SIDES
    ratings: ClassVar[tuple[str, ...]] = RATINGS
    where: ClassVar[str] = "Hex"
    lettered: ClassVar[bool] = True
    puts_back: ClassVar[str] = happened.MUG
    markers: ClassVar[tuple[str, ...]] = Marker.TYPED
    more_markers: ClassVar[tuple[str, ...]] = (Marker.RALLYING, Marker.AT_WORK, Marker.WITH)

    def __init__(
        self, rules: GtsRules, community: GtsTables, book: PresetBook, revision: str = ""
    ) -> None:
        self.rules_file, self.community, self.book = rules, community, book
        self.revision = revision
        self.kinds = ("", *rules.colors)
        self.traits = (*TRAITS, *(f"{units.ASSAULT}{color}" for color in rules.colors))

    def completed(self, event: AnyEvent) -> AnyEvent:
        if not isinstance(event, happened.GtsOpened):
            return event
        rules = event.setup.rules
        since = {
            id: value for id, value in self.rules_file.values.items() if id not in rules.values
        }
        rules = replace(
            rules,
            rulings=self.book.completed(rules.rulings),
            values={**rules.values, **since},  # modifiers that did not exist when the game began
        )
        return replace(event, setup=replace(event.setup, rules=rules))

    # ------------------------------------------------------------------ set-up

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        text = "Where do the fire table and the modifiers come from?"
        none = "The rules summary prints neither. Every cell can be changed in the game."
        turns = Number(name="turns", text="How many turns? 0: as many as you play.", default=0,
                       high=400, zero="as many as you play")  # fmt: skip
        return (
            Field(slot=chosen("scope", "What do you play?", SCOPES, "What is played")),
            Field(slot=chosen("tables", text, TABLES, "Tables"), help=none),
            Field(slot=chosen("chance", "Who rolls and draws?", CHANCE, "Dice and mug")),
            *[Field(slot=turns)] * (answers.get("scope", "whole") == "whole"),
            *self.book.fields(),
        )

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[AnyEvent]:
        own = answers.get("chance") == "own"
        rulings = self.book.answered(self.book.chosen(answers))
        setup = happened.GtsSetup(
            rules=replace(self.rules_file, rulings=rulings, explained=()),
            sides=dict(SIDES),
            scope=answers.get("scope", "whole"),
            revision=self.revision,
        )
        community = answers.get("tables") == "community"
        opened = happened.GtsOpened(
            setup=setup,
            tables=self.community if community else self.community.blank(),
            sequence=TurnSequence(phases=self.rules_file.phases, turns=answers.get("turns", 0)),
            dice=Source("die", None if own else seed()),
            mug=Cup(id=happened.MUG, seed=None if own else seed()),
        )
        return [opened]

    def title(self, state: GtsState) -> str:
        names = ", ".join(state.divisions)
        return f"{self.name}: {names}" if names else self.name

    # ------------------------------------------------------------------ what can be done

    def own_commands(self, state: GtsState) -> Iterator[Command[Any]]:
        return given.commands(state)

    def sides_of(self, state: GtsState, given: Command[Any] | TableOrder) -> Collection[str]:
        """Points and chits that are bought belong to the side of their division."""
        if isinstance(given, GtsOrder):
            division = state.divisions.get(given.of_division(state))
            if division is not None:
                return (division.side,)
        return super().sides_of(state, given)

    def prompt(self, state: GtsState) -> Command[Any] | None:
        return None if state.ended else given.prompt(state)

    # ------------------------------------------------------------------ the board

    def headline(self, state: GtsState) -> str:
        if state.setup.scope == "fire":
            return "Fire and checks"
        chit = f", {state.chit}" if state.chit and not state.ended else ""
        if state.setup.scope == "mug":
            return f"The mug: {state.mug.inside} left{chit}"
        return f"{super().headline(state)}{chit}"

    def turn(self, state: GtsState) -> int:
        return state.position.turn if state.setup.scope == "whole" else 0

    def verdict(
        self, play: Play[GtsState, TableOrder, AnyEvent], viewer: Viewer = PLAYERS
    ) -> Verdict | None:
        if play.ends_with_void:
            return None
        before = play.states[-2:][0]
        for event in reversed(play.live[-1].events):
            if isinstance(event, happened.ShotFired):
                meaning = event.meaning(before).partition(". ")[2]
                reason = f"{meaning} {text_of(event.sum)}. Roll {event.roll}.".strip()
                tone: Tone = "good" if event.hit else ""
                return Verdict(text=event.result or "hit", reason=reason, tone=tone)
            if isinstance(event, happened.Checked):
                text, tone = ("passed", "good") if event.passed else ("failed", "bad")
                return Verdict(text=text, reason=event.narrate(before), tone=tone)
            if isinstance(event, happened.ChitPlayed) and event.chit:
                chit = before.chits.get(event.chit)
                reason = before.rules.kinds[chit.kind].text if chit else ""
                return Verdict(text=event.chit, reason=reason)
        return None

    def narrate(self, state: GtsState, event: AnyEvent, viewer: Viewer = PLAYERS) -> str:
        """A chit set aside is named to its owner only."""
        text = super().narrate(state, event, viewer)
        if isinstance(event, happened.ChitBought) and event.aside and viewer == event.side:
            return text.replace("A chit", f"The chit {event.chit}")
        return text

    def page(self, state: GtsState, viewer: Viewer = PLAYERS, most: int = 0) -> Page:
        return Page(self.name, (*self._page(state, viewer, most),), about=(self.headline(state),))

    def board(self, state: GtsState, viewer: Viewer = PLAYERS) -> Page:
        return self.page(state, viewer, ON_SCREEN)

    def rank(self, state: GtsState, one: Counter) -> int:
        """Who may act, then who has a marker, then the others."""
        return 0 if one.id in state.able() else 1 if {*one.flags} - {Marker.ACTED} else 2

    def _page(self, state: GtsState, viewer: Viewer, most: int) -> Iterator[Block]:
        facts: list[tuple[str, str]] = []
        if state.setup.scope != "fire":
            yield from self._ledgers(state)
            facts += self._mug(state, viewer)
        if state.setup.scope != "mug":
            facts.append(("Conditions", f"{happened.LIGHTS[state.light]}, {state.weather}"))
            for beach in state.beaches:
                tracks = (one for id, one in state.tracks.items() if id.startswith(f"{beach} "))
                numbers = (f"{one.name.removeprefix(f'{beach} ')} {one.value}" for one in tracks)
                facts.append((beach, ", ".join(numbers)))
            facts += [(f"Hex {at}", marks[0]) for at, marks in state.ground.items() if marks]
        yield Facts(tuple(facts))
        yield from self.chart(state)
        yield from self.roster(state, (), most=most)
        yield Facts(tuple((f"Turn {turn}", text) for turn, text in state.notes[-5:]))

    def _ledgers(self, state: GtsState, lines: int = 0) -> Iterator[Block]:
        rows = [
            (name, state.setup.sides.get(one.side, one.side), str(state.points("cp", name)),
             str(state.points("dp", name)), str(one.command), str(one.dispatch))
            for name, one in state.divisions.items()
        ]  # fmt: skip
        rows += [(WIDE, "", "", "", "", "")] * (lines - len(rows))
        if rows:
            titles = ["Division", "Side", "CP", "DP", "Command", "Dispatch"]
            yield table(titles, rows, numbers=() if lines else (2, 3, 4, 5))

    def _mug(self, state: GtsState, viewer: Viewer) -> Iterator[tuple[str, str]]:
        yield "Chit", state.chit or "none in play"
        if state.filled:
            yield "In the mug", f"{state.mug.inside} of {state.mug.inside + len(state.mug.drawn)}"
        if state.left:
            yield "Left over", "one, face down"
        if state.bought:
            yield "Bought for this turn", ", ".join(state.bought)
        for side, name in state.setup.sides.items():
            if own := [chit for chit, owner in (*state.held, *state.ready) if owner == side]:
                seen = ", ".join(own) if viewer == side else f"{len(own)}, hidden"
                yield f"Set aside, {name}", seen

    def due(self, play: Play[GtsState, TableOrder, AnyEvent], viewer: Viewer = PLAYERS) -> Page:
        """Who must move out of an entry hex, who has not acted, whose leaders may change units, and
        who is suppressed."""
        state = play.state
        able = state.able()
        entering = [unit for unit in able.values() if unit.has(Marker.ENTRY)]
        idle: Collection[Counter] = [] if able else state.idle()
        leaders = [] if able else state.transferable()
        lists: tuple[tuple[str, Collection[Counter]], ...] = (
            ("Move out of their entry hexes first:", entering),
            ("Not acted under this chit:", able.values()),
            ("May change to another unit, with M:", leaders),
            ("Not acted this turn:", idle),
            ("Suppressed:", state.units(flag=Marker.SUPPRESSED)),
        )
        rows = (Paragraph(f"{named(units)}.", lead=lead) for lead, units in lists if units)
        return Page("", tuple(rows))

    # ------------------------------------------------------------------ in and out

    def answer(self, line: bytes) -> dict[str, Any]:
        """Answers a query in JSON. Raises DataError."""
        return answer(self.community, self.rules_file, self.book, line)

    def typed(self, state: GtsState) -> OwnersFile:
        chits = tuple(one for one in state.chits.values() if one.kind != "division")
        return OwnersFile(division=tuple(state.divisions.values()), chit=chits, tables=state.tables)

    def taken(self, state: GtsState, raw: Mapping[str, Any], file: str) -> GtsRecord:
        found = resolved(read(raw, OwnersFile, file), file, side=state.setup.sides)
        known = state.divisions | {one.name: one for one in found.division}
        new = [one for one in found.division if state.divisions.get(one.name) != one]
        facts: list[happened.Fact] = [happened.DivisionSet(division=one) for one in new]
        chits = (one.of(known.get(one.division)) for one in found.chit)
        facts += [happened.ChitSet(chit=one) for one in chits if one.name not in state.chits]
        if found.tables and found.tables != state.tables:
            tables = ruleset.checked_tables(found.tables, self.rules_file, file)
            facts.append(happened.TablesTaken(tables=tables))
        return GtsRecord(facts=tuple(facts))

    # ------------------------------------------------------------------ paper and rules

    def sheets(self) -> tuple[tuple[str, str, Callable[[GtsState], Page]], ...]:
        ledgers = ("ledgers", "Ledgers and register", self._sheet)
        return (ledgers, ("card", "The tables of your card", self._card))

    def _sheet(self, state: GtsState) -> Page:
        kinds = state.rules.kinds
        chits = [(name, kinds[one.kind].name, one.division) for name, one in state.chits.items()]
        chits += [(WIDE, "", "")] * (12 - len(chits))
        hits = tick("Coh.", Marker.ONE, Marker.TWO)
        ticks = (tick("Supp.", Marker.SUPPRESSED), hits, tick("Acted", Marker.ACTED))
        ledgers = (Heading("Divisions"), *self._ledgers(state, lines=6))
        listed = (Heading("Chits"), table(["Chit", "Kind", "Division"], chits))
        return Page(self.name, (*ledgers, *listed, *self.roster(state, RATINGS, ticks, lines=24)))

    def _card(self, state: GtsState) -> Page:
        blocks = [*self._tables(state.tables, blank="")]
        if not any(id.startswith(TERRAIN) for id in state.tables.values):
            rows = [(WIDE, "", "")] * 10
            blocks += [Heading("Terrain"), table(["Terrain", "Modifier", "Armored target"], rows)]
        blocks += explained_of(self.rules_file.explained)
        return Page(self.name, tuple(blocks), about=("Check community values against your card.",))

    def _tables(self, tables: GtsTables, blank: str = BLANK) -> Iterator[Block]:
        values = {id: one.name for id, one in self.rules_file.values.items()}
        values |= {id: id.removeprefix(TERRAIN) for id in tables.values if id not in values}
        grouped = groupby(values.items(), lambda one: GROUPS.get(one[0][:6], "Fire"))
        yield from tables.blocks({title: dict(rows) for title, rows in grouped}, blank)

    def rules(self, state: GtsState | None = None) -> Page:
        """The turn, the chits, the charts, the card as far as it is known, and the gaps."""
        file = self.rules_file
        rulings = state.rules.rulings if state else self.book.defaults()
        blocks: list[Block] = [*self.book.differing(rulings)]
        for title, parts in (("A turn", file.phases), ("Chits", file.kinds.values())):
            blocks += [Heading(title), *(Paragraph(one.text, lead=f"{one.name}.") for one in parts)]
        blocks += explained_of(file.explained)
        blocks += [Heading("Fire results"), Facts(tuple(file.results.items()))]
        for chart in file.charts.values():
            blocks += [Heading(chart.title), chart.as_table()]
        card = self._tables(state.tables) if state else ()
        return Page(f"The rules of {self.name}", (*blocks, *card, *self.book.blocks(rulings)))


def game(tables: Mapping[str, Any], revision: str) -> GtsGame:
    """The game out of its files."""
    book = read_presets(tables["rulings"], "gts/rulings.toml")
    rules = ruleset.read_rules(tables["game"], tables["charts"], book)
    file = "gts/community.toml"
    community = ruleset.checked_tables(read(tables["community"], GtsTables, file), rules, file)
    return GtsGame(rules, community, book, revision)
