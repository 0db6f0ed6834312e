"""Bloody Omaha as the shell uses it: set-up, the board, points, paper, rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from skirmish.games.bloody_omaha import commands as given
from skirmish.games.bloody_omaha.orders import BloodyOrder, Record
from skirmish.games.bloody_omaha.printed import (
    ITEMS,
    OwnersFile,
    OwnersGame,
    blank_tables,
    read_owned,
)
from skirmish.games.bloody_omaha.rolls import result_of
from skirmish.games.bloody_omaha.ruleset import (
    CHANNEL,
    RESERVE,
    BloodyRules,
    answer,
    read_rules,
)
from skirmish.games.bloody_omaha.state import (
    DISRUPTED,
    ENGINEERS,
    FLIPPED,
    INITIATIVE,
    RATING,
    TANK,
    AnyEvent,
    BloodyOpened,
    BloodySetup,
    BloodyState,
    Happened,
    value_of,
)
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Command
from skirmish.tabletop.companion.events import Task, TasksSet
from skirmish.tabletop.companion.table_game import BOX, AnyTableOrder, TableGame, TableOrder
from skirmish.tabletop.game import PLAYERS, Field, Seed, Verdict, Viewer
from skirmish.tabletop.journal import Play, tagged
from skirmish.tabletop.page import Block, Facts, Heading, Note, Page, Paragraph, table
from skirmish.tabletop.presets import PresetBook, read_presets
from skirmish.tabletop.slots import Slot, chosen

CHANCE = (
    ("program", "the program rolls, draws and turns up tokens", ""),
    ("own", "your own die, deck and tokens", "You type what you roll, draw and turn up."),
)
HOLDS = (
    ("last", "as in your last game", "Tokens, units, cards, map and tables as you typed them."),
    ("blank", "nothing yet", "Each thing is asked when it is needed."),
)
FACE_DOWN = {"strongpoint": "#", "encounter": "?"}
LEGEND = (
    "# strongpoint, ? encounter face down, · clear; X obstacle, = gap; 2u units, t a tank. "
    "H hedgerow, T town, S strongpoint or the name of its exit."
)


class BloodyGame(TableGame[BloodyState, TableOrder, AnyEvent]):
    """``last``: the game that its owner played before, whose tables he has typed in."""

    id, name = "bloody_omaha", "Bloody Omaha"
    about = "Owners of the playtest game type in its tables once; tokens, turns, modifiers, points."
    order, event = tagged(BloodyOrder) | AnyTableOrder, AnyEvent
    sides = (("us", "American"),)
    ratings: ClassVar[tuple[str, ...]] = ("strength", "disrupted")
    kinds = ("company", "battalion", TANK)
    where: ClassVar[str] = "Square"
    place: ClassVar[Slot] = given.PLACE
    markers: ClassVar[tuple[str, ...]] = (DISRUPTED, FLIPPED)
    remembers: ClassVar[bool] = True

    def __init__(
        self,
        rules: BloodyRules,
        book: PresetBook,
        revision: str = "",
        last: BloodyState | None = None,
    ) -> None:
        self.rules_file, self.book, self.revision, self.last = rules, book, revision, last

    # ------------------------------------------------------------------ set-up

    def after(self, last: BloodyState) -> BloodyGame:
        return BloodyGame(self.rules_file, self.book, self.revision, last)

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        holds = chosen("holds", "What is typed in of the printed game?", HOLDS, "Printed game")
        return (
            Field(slot=chosen("chance", "Who rolls and draws?", CHANCE, "Dice and tokens")),
            *([Field(slot=holds)] if self.last else []),
            *self.book.fields("How are the gaps in the text filled?", "Answers of your own."),
        )

    def follow(self, changed: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.book.follow(changed, answers)

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[AnyEvent]:
        own = answers.get("chance") == "own"
        rulings = self.book.answered(self.book.chosen(answers))
        board = replace(
            self.rules_file.board,
            landward=rulings["O32"] == "low",
            east=1 if rulings["O31"] == "rising" else -1,
        )
        rules = replace(self.rules_file, rulings=rulings, board=board)
        last = self.last if answers.get("holds") != "blank" else None
        owned = last.owned if last else OwnersGame()
        opened = BloodyOpened(
            setup=BloodySetup(rules=rules, revision=self.revision),
            owned=owned,
            tables=last.tables if last else blank_tables(rules, owned),
            dice=Source("die", None if own else seed()),
            seeds=() if own else (seed(), seed(), seed()),
        )
        missing = given.missing(opened.apply(None))
        tasks = TasksSet(tasks=tuple(Task(kind="enter", place=id) for id in missing))
        return [opened, *([tasks] if missing else [])]

    # ------------------------------------------------------------------ what can be done

    def own_commands(self, state: BloodyState) -> Iterator[Command[Any]]:
        return given.commands(state)

    def prompt(self, state: BloodyState) -> Command[Any] | None:
        return None if state.ended else given.prompt(state)

    # ------------------------------------------------------------------ the board

    def headline(self, state: BloodyState) -> str:
        if state.ended:
            return f"over, {result_of(state)}"
        of = f" of {state.sequence.turns}" if state.sequence.turns else ""
        phase = state.sequence.at(state.position).name
        return f"turn {state.position.turn}{of}, {phase}, {result_of(state)}"

    def verdict(self, play: Play[BloodyState, TableOrder, AnyEvent]) -> Verdict | None:
        found = [one for one in play.live[-1].events if isinstance(one, Happened) and one.result]
        if not found:
            return None
        short = found[-1].result if len(found[-1].result) <= 20 else "event"
        return Verdict(text=short, reason=found[-1].text)

    def page(self, state: BloodyState, viewer: Viewer = PLAYERS) -> Page:
        about = (self.headline(state), self.rules_file.label)
        return Page(self.name, tuple(self._board(state)), about=about)

    def _board(self, state: BloodyState) -> Iterator[Block]:
        yield Facts(tuple(self._facts(state)))
        yield self._map(state)
        yield Note(LEGEND)
        yield from self._by_square(state)
        yield Facts(tuple((f"Turn {turn}", text) for turn, text in state.notes[-5:]))

    def _facts(self, state: BloodyState) -> Iterator[tuple[str, str]]:
        left = (
            f"{state.tracks[id].name} {state.tracks[id].value} of {state.tracks[id + RATING].value}"
            for id in (INITIATIVE, ENGINEERS)
        )
        yield "Left", ", ".join(left)
        score = state.score()
        sources = ", ".join(f"{one.label} {one.value}" for one in score.sources if one.value)
        yield "Points", f"{score.points}{f': {sources}' * bool(sources)}"
        needs = [
            f"{count} more {noun}{'s' * (count > 1)}"
            for count, noun in ((score.more_exits, "exit"), (score.more_points, "point"))
            if count
        ]
        to_next = f"; {score.next}: {' and '.join(needs)}" if needs else ""
        exits = " ".join(score.exits) or "no exit"
        yield "Result", f"{score.tier}, {exits} clear{to_next}"
        if state.hand:
            yield "Hand", ", ".join(state.hand)

    def _map(self, state: BloodyState) -> Block:
        board = state.rules.board
        sea = reversed(board.sea) if board.landward else board.sea
        lines = [board.numbers[at : at + board.width]
                 for at in range(0, len(board.numbers), board.width)]  # fmt: skip
        rows = []
        for row in (*sea, board.beaches, *lines):
            cells = [self._cell(state, one) for one in row]
            rows.append((f"{row[0]}-{row[-1]}", *cells, *[""] * (board.width - len(row))))
        return table(["", *map(str, range(1, board.width + 1))], rows)

    def _cell(self, state: BloodyState, square: str) -> str:
        here = [one for one in state.counters.where(place=square) if one.steps]
        units = [one for one in here if one.kind != TANK]
        counted = f"{len(units)}u" * bool(units) + "t" * (len(here) - len(units))
        if square.startswith(CHANNEL):
            return counted or "~"
        if not square.isdigit():
            return f"{'=' if state.has_gap(square) else 'X'}{counted}"
        printed = state.square(square)
        if printed is None:
            return f"-{counted}"
        tokens = [FACE_DOWN.get(one, value_of(one)) for one in state.tokens(square)]
        return f"{printed.exit or printed.kind[0].upper()}{','.join(tokens) or '·'}{counted}"

    def _by_square(self, state: BloodyState) -> Iterator[Block]:
        """The units, those ashore first."""
        places = dict.fromkeys(one.place for one in state.units())
        rank = {CHANNEL: 1, RESERVE: 2, "": 3}
        rows = []
        for place in sorted(places, key=lambda one: (rank.get(one[:1], 0), len(one), one)):
            names = []
            for one in state.units(place):
                tanks = "".join(f" + tank {state.strength(tank)}" for tank in state.tanks(one))
                mark = " disrupted" * one.has(DISRUPTED)
                names.append(f"{one.name} {state.strength(one)}{mark}{tanks}")
            rows.append(({RESERVE: "Reserve"}.get(place, place) or "Nowhere", ", ".join(names)))
        lost = [one.name for one in state.counters if not one.steps]
        rows += [("Eliminated", ", ".join(lost))] if lost else []
        if rows:
            yield Heading("Units")
            yield Facts(tuple(rows))

    def due(self, play: Play[BloodyState, TableOrder, AnyEvent]) -> Page:
        return Page("", tuple(given.due(play.state)))

    # ------------------------------------------------------------------ in and out

    def answer(self, line: bytes) -> dict[str, Any]:
        """Answers a question about points in JSON. Raises DataError."""
        return answer(self.rules_file, self.book, line)

    def typed(self, state: BloodyState) -> OwnersFile:
        lines = {id: state.owned.lines(id) for id in ITEMS}
        return OwnersFile(tables=state.tables).with_lines(lines)

    def taken(self, state: BloodyState, raw: Mapping[str, Any], file: str) -> Record:
        return Record(file=read_owned(state.rules, raw, file))

    # ------------------------------------------------------------------ paper and rules

    def sheets(self) -> tuple[tuple[str, str, Callable[[BloodyState], Page]], ...]:
        return (
            ("sheet", "The play sheet", self._sheet),
            ("tables", "Your tables and cards", self._tables),
        )

    def _sheet(self, state: BloodyState) -> Page:
        boxes = range(1, (state.sequence.turns or 12) + 1)
        rows = [(name, *(BOX for _ in boxes)) for name in ("Turn", "Initiative", "Engineers")]
        counts = state.rules.counts
        points = (
            ("Gaps, 1 each", BOX * counts["gaps"]),
            ("Strongpoints, 2 each", BOX * counts["strongpoints"]),
            ("Encounters, 1 each", BOX * counts["encounters"]),
            ("Towns and exits, 1 each", BOX * 20),
            ("H31 to H40, 1 each", BOX * state.rules.board.width),
            ("Reserve at the end, 1 each", ""),
        )
        blocks = (Heading("Game track"), table(["", *map(str, boxes)], rows), Heading("Points"),
                  Facts(points), Heading("Map"), self._map(state), Note(LEGEND),
                  *self._by_square(state))  # fmt: skip
        return Page(f"{self.name}: play sheet", blocks, about=(state.rules.label,))

    def _tables(self, state: BloodyState) -> Page:
        blocks = [*state.tables.blocks({}), Heading("Cards")]
        for name, options in state.owned.card.items():
            text = "; ".join(f"turn {one.window} {one.text}" for one in options)
            blocks.append(Paragraph(text, lead=f"{name}:"))
        about = (state.rules.label, "As its owner typed it in; nothing of it comes with Skirmish.")
        return Page(f"{self.name}: your tables and cards", tuple(blocks), about=about)

    def rules(self, state: BloodyState | None = None) -> Page:
        rules = state.rules if state else self.rules_file
        blocks: list[Block] = [*self.book.differing(rules.rulings), Heading("A turn")]
        blocks += [Paragraph(one.text, lead=f"{one.name}.") for one in rules.phases]
        blocks.append(Heading("Modifiers"))
        for id, one in rules.modifiers.items():
            lines = [f"turns {a} to {b or 'the end'} {value:+}" for a, b, value in one.turns]
            rest = {
                "a battalion": one.battalion,
                "a strongpoint beside it": one.strongpoint,
                "another division there": one.division,
                "each further asset": one.asset,
            }
            lines += [f"{name} {value:+}" for name, value in rest.items() if value]
            blocks.append(Paragraph(f"{', '.join(lines)}.", lead=f"{rules.tables[id].title}:"))
        rows = [(one.name, str(one.exits), str(one.points)) for one in rules.tiers.values()]
        blocks += [Heading("Results"), table(["", "Exits", "Points"], rows, numbers=(1, 2))]
        text = (rules.label, "What it does not print is typed in by its owner.")
        return Page(
            f"The rules of {self.name}", (*blocks, *self.book.blocks(rules.rulings)), about=text
        )


def game(tables: Mapping[str, Any], revision: str) -> BloodyGame:
    """The game out of its files."""
    book = read_presets(tables["rulings"], "bloody_omaha/rulings.toml")
    return BloodyGame(read_rules(tables["game"], book), book, revision)
