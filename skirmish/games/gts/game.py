"""The Grand Tactical Series as the shell uses it: set-up, board, what is due, rules, paper."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from skirmish.games.gts import commands as gts_commands
from skirmish.games.gts import ruleset, units
from skirmish.games.gts import state as gts_state
from skirmish.games.gts.combat import answer, text_of
from skirmish.games.gts.orders import GtsOrder, GtsRecord
from skirmish.games.gts.ruleset import TERRAIN, CardValue, GtsRules, GtsTables, OwnersFile
from skirmish.games.gts.state import AnyEvent, GtsState
from skirmish.games.gts.units import MARKER_SIGNS, RATINGS, TRAITS, Marker
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Command
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.explained import explained_of
from skirmish.tabletop.companion.result_table import BLANK
from skirmish.tabletop.companion.sequence import TurnSequence
from skirmish.tabletop.companion.table_game import (
    WIDE,
    AnyTableOrder,
    TableGame,
    TableOrder,
    boxes,
    tick,
)
from skirmish.tabletop.data_file import read, resolved
from skirmish.tabletop.game import PLAYERS, Field, Seed, Verdict, Viewer
from skirmish.tabletop.journal import Play, tagged
from skirmish.tabletop.page import (
    Beside,
    Block,
    Facts,
    Heading,
    Mug,
    Page,
    Paragraph,
    Tone,
    Tracks,
    capital,
    table,
)
from skirmish.tabletop.presets import PresetBook, read_presets
from skirmish.tabletop.slots import Number, form_choice

# Choices of the set-up form: the answer, its name, and what it means.
SCOPES = (
    ("whole", "the whole game", "The turn from A to L, chits, points, fire."),
    ("mug", "the mug and the points only", "Chits drawn by one key, and the ledgers."),
    ("fire", "fire and checks only", "No chits, no turn."),
)
"""How much of the game is played with the program."""
CHANCE = (
    ("program", "the program rolls and draws", ""),
    ("own", "your own die and your own mug", "You type what you roll and draw."),
)
TABLES = (
    ("blank", "typed in from your card", "A result is asked for the first time it is needed."),
    ("community", "community values", "From players of the online module: check your card."),
)
"""What of the owner's card is known as the game begins."""
UNITS_ON_SCREEN = 20
"""The most units of a side that are shown beside the commands."""
NOTES_SHOWN = 5
"""The last notes of the players that are shown below the board."""
SIDES = (("allied", "Allied"), ("german", "German"))
MODIFIER_HEADINGS = {
    "radio_": "Contact with a leader",
    "check_": "Checks",
    "beach_": "Attacks on beach defenses",
    TERRAIN: "Terrain",
}
"""Headings of modifiers by how their ids begin; all others are modifiers of fire."""
PAPER_DIVISIONS, PAPER_CHITS, PAPER_REINFORCEMENTS = 6, 12, 12
PAPER_UNITS, PAPER_TERRAINS = 22, 10
"""Lines for them on a sheet, which fill a page of A4."""


def _formation(unit: Counter) -> str:
    """A unit's heading on the board, once formations are known."""
    return unit.group


def _hex(unit: Counter) -> str:
    """A unit's heading on the board while no formation is known."""
    return unit.place


_ALLIED_DIVISION = ("D", "Allied", "82nd", "4", "5", "6", "3")
_GERMAN_DIVISION = ("D", "German", "406", "2", "3", "2", "1")
_FORMATION_CHITS = (
    ("C", "formation", "82nd", "505", "1"),
    ("C", "formation", "406", "Becker", "1"),
)
EXAMPLES: Mapping[str, Sequence[Sequence[str]]] = {
    "whole": (
        _ALLIED_DIVISION,
        _GERMAN_DIVISION,
        *_FORMATION_CHITS,
        ("c", "Allied", "505", "A/505", "2", "J7"),
        ("c", "Allied", "505", "B/505", "2", "J8"),
        ("c", "German", "Becker", "1/Becker", "2", "J9"),
    ),
    "mug": (_ALLIED_DIVISION, _GERMAN_DIVISION, *_FORMATION_CHITS),
    "fire": (
        ("c", "Allied", "A/505", "2", "J7"),
        ("c", "Allied", "B/505", "2", "J8"),
        ("c", "German", "1/Becker", "2", "J9"),
    ),
}
"""What is typed for the example on an empty board, by what is played. Each line is an order: the
key of its command and the answers to what it asks."""


def _verdict_of(before: GtsState, event: AnyEvent) -> Verdict | None:
    """What an event shows in large letters: a shot, a check, a chit; None for any other."""
    if isinstance(event, gts_state.ShotFired):
        reason = f"{event.effect(before)} {text_of(event.sum)}. Roll {event.roll}.".strip()
        tone: Tone = ""
        if event.hit:
            tone = "good"
        return Verdict(text=event.result or "hit", reason=reason, tone=tone)
    if isinstance(event, gts_state.Checked):
        reason = event.narrate(before)
        if event.passed:
            return Verdict(text="passed", reason=reason, tone="good")
        return Verdict(text="failed", reason=reason, tone="bad")
    if isinstance(event, gts_state.ChitPlayed) and event.chit:
        chit = before.chits.get(event.chit)
        rule = ""
        if chit:
            rule = before.rules.kinds[chit.kind].text
        return Verdict(text=event.chit, reason=rule)
    return None


class GtsGame(TableGame[GtsState, TableOrder, AnyEvent]):
    """The companion of the Grand Tactical Series. ``revision`` identifies the data; ``community``
    are the values of the online module."""

    id, name = "gts", "Grand Tactical Series"
    order, event = tagged(GtsOrder) | AnyTableOrder, AnyEvent
    sides = SIDES
    ratings: ClassVar[tuple[str, ...]] = RATINGS
    place_noun: ClassVar[str] = "Hex"
    lettered: ClassVar[bool] = True
    puts_back: ClassVar[str] = gts_state.MUG
    markers: ClassVar[tuple[str, ...]] = Marker.TYPED
    signs: ClassVar[Mapping[str, str]] = MARKER_SIGNS
    more_markers: ClassVar[tuple[str, ...]] = (Marker.RALLYING, Marker.AT_WORK, Marker.WITH_LEADER)

    def __init__(
        self, rules: GtsRules, community: GtsTables, book: PresetBook, revision: str = ""
    ) -> None:
        self.rules_file = rules
        self.community = community
        self.book = book
        self.revision = revision
        self.kinds = ("", *rules.colors)
        self.traits = (*TRAITS, *(f"{units.ASSAULT}{color}" for color in rules.colors))

    def completed(self, event: AnyEvent) -> AnyEvent:
        if not isinstance(event, gts_state.GtsOpened):
            return event
        # Rulings and modifiers that did not exist when the game began are added behind its own.
        rules = event.setup.rules
        rules = replace(
            rules,
            rulings=self.book.completed(rules.rulings),
            values={**rules.values, **self._later_values(rules)},
        )
        return replace(event, setup=replace(event.setup, rules=rules))

    def _later_values(self, rules: GtsRules) -> dict[str, CardValue]:
        """The modifiers that those rules do not know."""
        return {id: value for id, value in self.rules_file.values.items() if id not in rules.values}

    # ------------------------------------------------------------------ set-up

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        text = "Where do the fire table and the modifiers come from?"
        about_tables = "The rules summary prints neither. Every cell can be changed in the game."
        fields = [
            Field(slot=form_choice("scope", "What do you play?", SCOPES, "What is played")),
            Field(slot=form_choice("tables", text, TABLES, "Tables"), help=about_tables),
            Field(slot=form_choice("chance", "Who rolls and draws?", CHANCE, "Dice and mug")),
        ]
        if answers.get("scope", "whole") == "whole":
            turns = Number(
                name="turns",
                text="How many turns? 0: as many as you play.",
                default=0,
                high=400,
                zero="as many as you play",
            )
            fields.append(Field(slot=turns))
        return (*fields, *self.book.fields())

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[AnyEvent]:
        # Two streams, so that a shot does not change which chit is drawn next.
        dice_seed = mug_seed = None
        if answers.get("chance") != "own":
            dice_seed, mug_seed = seed(), seed()
        tables = self.community.blank()
        if answers.get("tables") == "community":
            tables = self.community
        rulings = self.book.answered(self.book.chosen(answers))
        setup = gts_state.GtsSetup(
            rules=replace(self.rules_file, rulings=rulings, explained=()),
            sides=dict(SIDES),
            scope=answers.get("scope", "whole"),
            revision=self.revision,
        )
        opened = gts_state.GtsOpened(
            setup=setup,
            tables=tables,
            sequence=TurnSequence(phases=self.rules_file.phases, turns=answers.get("turns", 0)),
            dice=Source("die", dice_seed),
            mug=Cup(id=gts_state.MUG, seed=mug_seed),
        )
        return [opened]

    def title(self, state: GtsState) -> str:
        names = ", ".join(state.divisions)
        if not names:
            return self.name
        return f"{self.name}: {names}"

    # ------------------------------------------------------------------ what can be done

    def own_commands(self, state: GtsState) -> Iterator[Command[Any]]:
        return gts_commands.commands(state)

    def sides_of(self, state: GtsState, given: Command[Any] | TableOrder) -> Collection[str]:
        """Points and chits that are bought belong to the side of their division."""
        if isinstance(given, GtsOrder):
            division = state.divisions.get(given.of_division(state))
            if division is not None:
                return (division.side,)
        return super().sides_of(state, given)

    def prompt(self, state: GtsState) -> Command[Any] | None:
        if state.ended:
            return None
        return gts_commands.prompt(state)

    # ------------------------------------------------------------------ the board

    def headline(self, state: GtsState) -> str:
        if state.setup.scope == "fire":
            return "Fire and checks"
        headline = super().headline(state)
        if state.setup.scope == "mug":
            headline = f"The mug: {state.mug.inside} left"
        if not state.chit or state.ended:
            return headline
        return f"{headline}, {state.chit}"

    def turn(self, state: GtsState) -> int:
        # Parts of the game that are played alone have no turns.
        if state.setup.scope != "whole":
            return 0
        return state.position.turn

    def verdict(
        self, play: Play[GtsState, TableOrder, AnyEvent], viewer: Viewer = PLAYERS
    ) -> Verdict | None:
        if play.ends_with_void:
            return None
        before = play.state_before
        for event in reversed(play.live[-1].events):
            verdict = _verdict_of(before, event)
            if verdict is not None:
                return verdict
        return None

    def narrate(self, state: GtsState, event: AnyEvent, viewer: Viewer = PLAYERS) -> str:
        """A chit set aside is named to its owner only."""
        if isinstance(event, gts_state.ChitBought) and event.aside and viewer == event.side:
            return event.narrate_to_owner()
        return super().narrate(state, event, viewer)

    def page(self, state: GtsState, viewer: Viewer = PLAYERS, most: int = 0) -> Page:
        return Page(
            self.name, (*self._page_blocks(state, viewer, most),), about=(self.headline(state),)
        )

    def board(self, state: GtsState, viewer: Viewer = PLAYERS) -> Page:
        return self.page(state, viewer, UNITS_ON_SCREEN)

    def example_lines(self, state: GtsState) -> Sequence[Sequence[str]]:
        if state.divisions or state.chits:
            return ()
        return EXAMPLES[state.setup.scope]

    def example_board(self, state: GtsState) -> Iterator[Block]:
        if state.setup.scope != "fire":
            yield from self._ledger_blocks(state)
        yield from self._unit_blocks(state, most=0)

    def rank(self, state: GtsState, unit: Counter) -> int:
        """Who may act, then who has a marker, then the others."""
        if unit.id in state.able():
            return 0
        # Who has only acted is of no interest until the next turn.
        if {*unit.flags} - {Marker.ACTED}:
            return 1
        return 2

    def _page_blocks(self, state: GtsState, viewer: Viewer, most: int) -> Iterator[Block]:
        """The board: what of the turn is played with this scope, then the units, at most so many of
        a side (0: any number), and the last notes."""
        tracks = self.turn_track(state)
        if tracks:
            yield Tracks(tracks)
        facts: list[tuple[str, str]] = []
        if state.setup.scope != "fire":
            yield from self._ledger_blocks(state)
            facts += self._mug_facts(state, viewer)
        if state.setup.scope != "mug":
            facts += self._condition_facts(state)
        if state.filled:
            yield Mug(state.mug.inside, tuple(facts))
        else:
            yield Facts(tuple(facts))
        yield from self.chart(state)
        yield from self._unit_blocks(state, most)
        # The last ones only: a long game has many, and the journal has them all.
        notes = [(f"Turn {turn}", text) for turn, text in state.notes[-NOTES_SHOWN:]]
        yield Facts(tuple(notes))

    def _unit_blocks(self, state: GtsState, most: int) -> Iterator[Block]:
        """The units by their formations, which chits activate; by hexes as long as no formation is
        known. ``most``: of a side; 0: all."""
        if any(unit.group for unit in state.units()):
            yield from self.stacks(state, _formation, nowhere="No formation", aside=_hex, most=most)
        else:
            yield from self.stacks(state, _hex, nowhere="Off the map", most=most)

    def _condition_facts(self, state: GtsState) -> Iterator[tuple[str, str]]:
        """Light and weather, the numbers of beaches, barrages on hexes."""
        yield "Conditions", f"{gts_state.LIGHTS[state.light]}, {state.weather}"
        for beach in state.beaches:
            numbers = []
            for id, track in state.tracks.items():
                if id.startswith(f"{beach} "):
                    numbers.append(f"{track.name.removeprefix(f'{beach} ')} {track.value}")
            yield beach, ", ".join(numbers)
        for hex_id, barrages in state.ground.items():
            if barrages:  # there is one in a hex; it is empty once the turn is over
                yield f"Hex {hex_id}", barrages[0]

    def _ledger_blocks(self, state: GtsState, lines: int = 0) -> Iterator[Block]:
        """The divisions with their points. ``lines``: so many on paper, the rest of them empty; 0:
        on the screen."""
        rows = []
        for name, division in state.divisions.items():
            side = state.setup.sides.get(division.side, division.side)
            cp, dp = state.points("cp", name), state.points("dp", name)
            numbers = (cp, dp, division.command, division.dispatch)
            rows.append((name, side, *map(str, numbers)))
        while len(rows) < lines:
            rows.append((WIDE, "", "", "", "", ""))
        if not rows:
            return
        titles = ["Division", "Side", "CP", "DP", "Command", "Dispatch"]
        # On paper numbers are written by hand, so their columns are as the others.
        numeric: tuple[int, ...] = ()
        if not lines:
            numeric = (2, 3, 4, 5)
        yield table(titles, rows, numbers=numeric, written=bool(lines))

    def _mug_facts(self, state: GtsState, viewer: Viewer) -> Iterator[tuple[str, str]]:
        """The chit in play, the mug, and what is bought or set aside; ``viewer`` sees only his own
        chits by name."""
        yield "Chit", state.chit or "none in play"
        if state.filled:
            yield "In the mug", f"{state.mug.inside} of {state.mug.inside + len(state.mug.drawn)}"
        if state.left_over:
            yield "Left over", "one, face down"
        if state.bought:
            yield "Bought for this turn", ", ".join(state.bought)
        # Which chits a side has set aside is its own secret (D.II).
        for side, name in state.setup.sides.items():
            own = [chit.name for chit in (*state.held, *state.ready) if chit.side == side]
            if own and viewer == side:
                yield f"Set aside, {name}", ", ".join(own)
            elif own:
                yield f"Set aside, {name}", f"{len(own)}, hidden"

    def due(self, play: Play[GtsState, TableOrder, AnyEvent], viewer: Viewer = PLAYERS) -> Page:
        """Who must move out of an entry hex, who has not acted, whose leaders may change units, and
        who is suppressed."""
        state = play.state
        able = state.able()
        entering = [unit for unit in able.values() if unit.has(Marker.ENTRY_HEX)]
        # Leaders change units once everybody has acted; then the rest of the turn counts.
        idle: Collection[Counter] = ()
        leaders: Collection[Counter] = ()
        if not able:
            idle, leaders = state.idle(), state.transferable()
        reminders: tuple[tuple[str, Collection[Counter]], ...] = (
            ("Move out of their entry hexes first:", entering),
            ("Not acted under this chit:", able.values()),
            ("May change to another unit, with M:", leaders),
            ("Not acted this turn:", idle),
            ("Suppressed:", state.units(flag=Marker.SUPPRESSED)),
        )
        rows = []
        for lead, reminded in reminders:
            if reminded:
                rows.append(Paragraph(f"{named(reminded)}.", lead=lead))
        return Page("", tuple(rows))

    # ------------------------------------------------------------------ in and out

    def answer(self, line: bytes) -> dict[str, Any]:
        """Answers a query in JSON. Raises DataError."""
        return answer(self.community, self.rules_file, self.book, line)

    def typed(self, state: GtsState) -> OwnersFile:
        """All that the owner has typed in so far, as a file for his next game."""
        chits = tuple(chit for chit in state.chits.values() if chit.kind != "division")
        return OwnersFile(division=tuple(state.divisions.values()), chit=chits, tables=state.tables)

    def taken(self, state: GtsState, raw: Mapping[str, Any], file: str) -> GtsRecord:
        """What a file changes. Raises DataError."""
        owned = resolved(read(raw, OwnersFile, file), file, side=state.setup.sides)
        divisions = dict(state.divisions)
        facts: list[gts_state.Fact] = []
        for division in owned.division:
            if divisions.get(division.name) != division:
                facts.append(gts_state.DivisionSet(division=division))
            divisions[division.name] = division
        for chit in owned.chit:
            if chit.name not in state.chits:
                facts.append(gts_state.ChitSet(chit=chit.of_division(divisions.get(chit.division))))
        if owned.tables and owned.tables != state.tables:
            tables = ruleset.checked_tables(owned.tables, self.rules_file, file)
            facts.append(gts_state.TablesTaken(tables=tables))
        return GtsRecord(facts=tuple(facts))

    # ------------------------------------------------------------------ paper and rules

    def sheets(self) -> tuple[tuple[str, str, Callable[[GtsState], Page]], ...]:
        ledgers = ("ledgers", "Ledgers and register", self._ledger_sheet)
        return (ledgers, ("card", "The tables of your card", self._card_sheet))

    def _ledger_sheet(self, state: GtsState) -> Page:
        """Divisions, chits and units as they are, with empty lines for more."""
        chits = []
        for name, chit in state.chits.items():
            chits.append((name, state.rules.kinds[chit.kind].name, chit.division))
        while len(chits) < PAPER_CHITS:
            chits.append((WIDE, "", ""))
        hits = tick("Coh.", Marker.ONE_HIT, Marker.TWO_HITS)
        ticks = (tick("Supp.", Marker.SUPPRESSED), hits, tick("Acted", Marker.ACTED))
        ledgers = (Heading("Divisions"), *self._ledger_blocks(state, lines=PAPER_DIVISIONS))
        list_of_chits = (Heading("Chits"), table(["Chit", "Kind", "Division"], chits, written=True))
        reinforcement_rows = [(WIDE, "", "", boxes(1)) for _ in range(PAPER_REINFORCEMENTS)]
        titles = ["Reinforcement", "Turn", "Holding box or entry hex", "Here"]
        arriving = (Heading("Reinforcements"), table(titles, reinforcement_rows, written=True))
        roster = self.roster(state, RATINGS, ticks, lines=PAPER_UNITS)
        return Page(self.name, (*ledgers, Beside(list_of_chits, arriving), *roster))

    def _card_sheet(self, state: GtsState) -> Page:
        """The owner's card to be filled in by hand, with the order of a turn and the rules that
        only players apply."""
        results = Facts(tuple(self.rules_file.results.items()))
        blocks = [*self._table_blocks(state.tables, blank=""), Heading("Fire results"), results]
        # The names of terrain are on the owner's map: until he has typed them there is nothing to
        # print but lines for them.
        if not any(id.startswith(TERRAIN) for id in state.tables.values):
            rows = [(WIDE, "", "", "") for _ in range(PAPER_TERRAINS)]
            titles = ["Terrain", "Movement points", "Modifier", "Armored target"]
            blocks += [Heading("Terrain"), table(titles, rows, written=True)]
        # Without the order of a turn nobody plays from paper.
        blocks.append(
            Beside(tuple(_turn_blocks(self.rules_file)), tuple(_chit_blocks(self.rules_file)))
        )
        blocks += explained_of(self.rules_file.explained)
        return Page(self.name, tuple(blocks), about=("Check community values against your card.",))

    def _table_blocks(self, tables: GtsTables, blank: str = BLANK) -> Iterator[Block]:
        """The owner's tables and modifiers, these under headings in the order of the data."""
        names = {id: value.name for id, value in self.rules_file.values.items()}
        for id in tables.values:
            names.setdefault(id, id.removeprefix(TERRAIN))
        headings: dict[str, dict[str, str]] = {}
        for id, name in names.items():
            headings.setdefault(_heading_of(id), {})[id] = name
        yield from tables.blocks(headings, blank)

    def rules(self, state: GtsState | None = None) -> Page:
        """The turn, the chits, the charts, the card as far as it is known, and the gaps."""
        file = self.rules_file
        rulings = self.book.defaults()
        if state:
            rulings = state.rules.rulings
        blocks: list[Block] = [*self.book.differing(rulings)]
        blocks += [*_turn_blocks(file), *_chit_blocks(file)]
        blocks += explained_of(file.explained)
        blocks += [Heading("Fire results"), Facts(tuple(file.results.items()))]
        for chart in file.charts.values():
            blocks += [Heading(chart.title), chart.as_table()]
        if state:
            blocks += self._table_blocks(state.tables)
        blocks += self.book.blocks(rulings)
        return Page(f"The rules of {self.name}", tuple(blocks))


def _turn_blocks(rules: GtsRules) -> Iterator[Block]:
    """The phases of a turn."""
    yield Heading("A turn")
    for phase in rules.phases:
        yield Paragraph(phase.text, lead=f"{phase.name}.")


def _chit_blocks(rules: GtsRules) -> Iterator[Block]:
    """What each kind of chit lets its units do."""
    yield Heading("Chits")
    for kind in rules.kinds.values():
        yield Paragraph(kind.text, lead=f"{capital(kind.name)}.")


def _heading_of(id: str) -> str:
    """The heading under which a modifier stands."""
    for beginning, heading in MODIFIER_HEADINGS.items():
        if id.startswith(beginning):
            return heading
    return "Fire"


def game(tables: Mapping[str, Any], revision: str) -> GtsGame:
    """The game out of its files."""
    book = read_presets(tables["rulings"], "gts/rulings.toml")
    rules = ruleset.read_rules(tables["game"], tables["charts"], book)
    file = "gts/community.toml"
    community = ruleset.checked_tables(read(tables["community"], GtsTables, file), rules, file)
    return GtsGame(rules, community, book, revision)
