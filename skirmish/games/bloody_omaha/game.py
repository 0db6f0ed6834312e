"""Bloody Omaha as the shell uses it: set-up, the board, points, paper, rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from msgspec.structs import replace

from skirmish.games.bloody_omaha import commands, earlier, orders, ruleset
from skirmish.games.bloody_omaha import state as bloody
from skirmish.games.bloody_omaha.orders import BloodyOrder, BloodyRecord
from skirmish.games.bloody_omaha.state import AnyEvent, BloodyState
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Command
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.companion.events import Task, TasksSet
from skirmish.tabletop.companion.hand import DECK
from skirmish.tabletop.companion.squares import by_place, text_map
from skirmish.tabletop.companion.table_game import WIDE, AnyTableOrder, TableGame, TableOrder, boxes
from skirmish.tabletop.companion.typed_lines import TypeIn
from skirmish.tabletop.data_file import read
from skirmish.tabletop.game import PLAYERS, Field, Seed, Viewer
from skirmish.tabletop.journal import Play, tagged
from skirmish.tabletop.page import Beside, Block, Facts, Heading, Note, Page, Paragraph, table
from skirmish.tabletop.presets import PresetBook, read_presets
from skirmish.tabletop.slots import Slot, chosen

CHANCE = (
    ("program", "the program rolls, draws, turns up tokens", ""),
    ("own", "your own die, deck and tokens", "You type what you roll, draw and turn up."),
)
HOLDS = (
    ("last", "as in your last game", "Tokens, units, cards, map and tables as you typed them."),
    ("blank", "nothing yet", "Each thing is asked when it is needed."),
)
SIGNS = {"strongpoint": "#", "encounter": "?", ruleset.MINES: "m", ruleset.EVENT: "e"}
OFF_MAP = {ruleset.RESERVE: "Reserve", "": "Not placed"}
LEGEND = (
    "H hedgerow, T town, S strongpoint or the name of its exit; # strongpoint token, ? encounter "
    "token, m mines, e event, · clear; X obstacle, = gap, ~ sea, - not typed in; 2u units, t tank."
)


class BloodyGame(TableGame[BloodyState, TableOrder, AnyEvent]):
    """``last``: its owner's last game, with what he typed in."""

    id, name = "bloody_omaha", "Bloody Omaha"
    order, event = tagged(BloodyOrder) | BloodyRecord | TypeIn | AnyTableOrder, AnyEvent
    sides = (("us", "American"),)
    ratings: ClassVar[tuple[str, ...]] = ("strength", "disrupted")
    kinds = ("company", "battalion", bloody.TANK)
    where: ClassVar[str] = "Square"
    place: ClassVar[Slot] = commands.PLACE
    markers: ClassVar[tuple[str, ...]] = (bloody.DISRUPTED, bloody.FLIPPED)
    remembers: ClassVar[bool] = True
    wide: ClassVar[bool] = True

    def __init__(self, rules: ruleset.BloodyRules, book: PresetBook, revision: str = "") -> None:
        self.rules_file, self.book, self.revision = rules, book, revision
        self.last: BloodyState | None = None

    def completed(self, event: AnyEvent) -> AnyEvent:
        if not isinstance(event, bloody.BloodyOpened):
            return event
        rules = event.setup.rules
        rules = replace(rules, rulings=self.book.completed(rules.rulings))
        return replace(event, setup=replace(event.setup, rules=rules))

    def upcast(self, order: Any, events: Any) -> tuple[Any, Any]:
        return earlier.upcast(order, events, self.rules_file)

    # ------------------------------------------------------------------ set-up

    def after(self, last: BloodyState) -> BloodyGame:
        nothing = ruleset.OwnersGame()
        if (last.owned, last.tables) == (nothing, ruleset.blank_tables(last.rules, nothing)):
            return self
        found = BloodyGame(self.rules_file, self.book, self.revision)
        found.last = last
        return found

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        holds = chosen("holds", "What is typed in of the printed game?", HOLDS, "Printed game")
        return (
            Field(slot=chosen("chance", "Who rolls and draws?", CHANCE, "Dice and tokens")),
            *([Field(slot=holds)] if self.last else []),
            *self.book.fields(),
        )

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[AnyEvent]:
        own = answers.get("chance") == "own"
        rulings = self.book.answered(self.book.chosen(answers))
        east = 1 if rulings["O31"] == "rising" else -1
        board = replace(self.rules_file.board, landward=rulings["O32"] == "low", east=east)
        rules = replace(self.rules_file, rulings=rulings, board=board)
        last = self.last if answers.get("holds") != "blank" else None
        owned = last.owned if last else ruleset.OwnersGame()
        opened = bloody.BloodyOpened(
            setup=bloody.BloodySetup(rules=rules, revision=self.revision),
            owned=owned,
            tables=last.tables if last else ruleset.blank_tables(rules, owned),
            dice=Source("die", None if own else seed()),
            seeds=() if own else (seed(), seed(), seed()),
        )
        tasks = tuple(Task(kind="enter", place=id) for id in opened.apply(None).missing())
        return [opened, *([TasksSet(tasks=tasks)] if tasks else [])]

    # ------------------------------------------------------------------ what can be done

    def own_commands(self, state: BloodyState) -> Iterator[Command[Any]]:
        return commands.commands(state)

    def prompt(self, state: BloodyState) -> Command[Any] | None:
        return None if state.ended else commands.prompt(state)

    def due(self, play: Play[BloodyState, TableOrder, AnyEvent], viewer: Viewer = PLAYERS) -> Page:
        state, lines = play.state, list[Block]()
        disrupted = [one for one in state.units() if one.has(bloody.DISRUPTED)]
        for lead, units in (("Still to roll:", orders.pending(state)), ("Disrupted:", disrupted)):
            lines += [Paragraph(f"{named(units)}.", lead=lead)] * bool(units and not state.ended)
        return Page("", tuple(lines))

    # ------------------------------------------------------------------ the board

    def headline(self, state: BloodyState) -> str:
        so_far = "" if state.ended else " so far"
        return f"{super().headline(state)}, {state.score().summed()}{so_far}"

    def page(self, state: BloodyState, viewer: Viewer = PLAYERS) -> Page:
        notes = Facts(tuple((f"Turn {turn}", text) for turn, text in state.notes[-5:]))
        return Page(self.name, (*self._board(state), notes), about=(self.headline(state),))

    def _board(self, state: BloodyState) -> Iterator[Block]:
        tracks, score = state.tracks, state.score()
        left = [f"{id} {tracks[id].value} of {tracks[id + bloody.RATING].value}"
                for id in (bloody.INITIATIVE, bloody.ENGINEERS)]  # fmt: skip
        deck = f"deck {len(state.deck.unseen)}, discarded {len(state.deck.drawn)}"
        left += [deck] * state.plays_cards
        exits = " ".join(one.exit for one in state.cleared() if one.exit)
        result = f"{score.tier.capitalize()}; clear exits: {exits or 'none'}"
        yield Facts((
            ("Left", ", ".join(left).capitalize()),
            ("Points", score.listed()),
            ("Result", "; ".join(filter(None, (result, "" if state.ended else score.wanted())))),
        ))  # fmt: skip
        squares, legend, *units = self._map(state, f"{state.rules.label.capitalize()}. ")
        hand = [Facts((("Hand", state.hand_line),))] * bool(state.hand)
        yield from (squares, legend, *hand, *units)

    def _map(self, state: BloodyState, label: str = "") -> Iterator[Block]:
        board = state.rules.board
        sea = board.sea.rows[:: -1 if board.landward else 1]
        yield text_map((*sea, board.beaches, *board.land.rows), partial(self._cell, state))
        yield Note(label + LEGEND)
        order = (*board.land.names, *board.beaches, *board.sea.names, ruleset.RESERVE)
        units = [(OFF_MAP.get(at, at), ", ".join(self._unit(state, one) for one in them))
                 for at, them in by_place(state.units(), order).items()]  # fmt: skip
        lost = [one.name for one in state.counters if not one.steps]
        units += [("Eliminated", ", ".join(lost))] * bool(lost)
        if units:
            yield Heading("Units")
            yield Facts(tuple(units))

    def _cell(self, state: BloodyState, square: str) -> str:
        units, printed_ = len(state.units(square)), state.square(square)
        tanks = len([one for one in state.tanks() if one.place == square])
        here = [f"{units}u"] * bool(units) + ["t"] * tanks
        if square in state.rules.board.beaches:
            ground = ["=" if state.has_gap(square) else "X"]
        elif printed_ is None:
            ground = ["-"] if square.isdigit() else ["~"] * (not here)
        else:
            words = (one.split()[-1] for one in state.tokens(square))
            tokens = [SIGNS.get(word, word) for word in words]
            ground = [printed_.exit or printed_.kind[0].upper(), *(tokens or "·")]
        return " ".join(ground + here)

    @staticmethod
    def _unit(state: BloodyState, one: Counter) -> str:
        tanks = "".join(f" + tank {state.strength(tank)}" for tank in state.tanks(one))
        printed = "/".join(str(one.ratings.get(name, "–")) for name in BloodyGame.ratings)
        back = " disrupted" * one.has(bloody.DISRUPTED)
        group = one.group + " battalion" * (one.kind == "battalion")
        return f"{one.name} ({group}) {printed}{back}{tanks}"

    # ------------------------------------------------------------------ in and out

    def answer(self, line: bytes) -> dict[str, Any]:
        """Answers a question about points in JSON. Raises DataError."""
        return ruleset.answer(self.rules_file, self.book, line)

    def typed(self, state: BloodyState) -> ruleset.OwnersFile:
        lines = {id: state.owned.lines(id) for id in state.rules.lines}
        return ruleset.OwnersFile(tables=state.tables).with_lines(lines)

    def taken(self, state: BloodyState, raw: Mapping[str, Any], file: str) -> BloodyRecord:
        found = read(raw, ruleset.OwnersFile, file,
                     lambda one: (*state.file_problems(one), *one.table_problems()))  # fmt: skip
        tables = found.tables and found.tables.checked(state.codes, file)
        return BloodyRecord(file=replace(found, tables=tables))

    # ------------------------------------------------------------------ paper and rules

    def sheets(self) -> tuple[tuple[str, str, Callable[[BloodyState], Page]], ...]:
        return (("sheet", "The play sheet", self._sheet), ("tables", "Your tables", self._tables))

    def _sheet(self, state: BloodyState) -> Page:
        most, turns = {**state.rules.counts}, state.sequence.turns or 12
        most |= {"towns_and_exits": 20, "southern_row": 10, "reinforcements": most["reserves"]}
        rows = [("Turn", boxes(turns, state.position.turn - (not state.ended)))]
        for id in (bloody.INITIATIVE, bloody.ENGINEERS):
            rating = state.tracks[id + bloody.RATING].value
            rows.append((id.capitalize(), boxes(max(turns, rating), rating)))
        points = zip(state.rules.points.items(), state.score().sources, strict=True)
        rows += [(f"{one.label.capitalize()}, {each} each", boxes(most[id], one.value // each))
                 for (id, each), one in points]  # fmt: skip
        lines = [(WIDE, "", "", boxes(1))] * -(-most["units"] // 2)
        half = (table(["Unit", "Strength", "Square", "Disr."], lines),)
        units: list[Block] = [Heading("Units"), Beside(half, half)] * (not state.units())
        blocks = (Heading("Tracks and points"), table(["", ""], rows), Heading("Map"))
        return Page(self.name, (*blocks, *self._map(state), *units), about=(state.rules.label,))

    def _tables(self, state: BloodyState) -> Page:
        cards = [(name, "; ".join(f"{one.text} ({one.when})" for one in options))
                 for name, options in state.owned.card.items()]  # fmt: skip
        cards += [("", WIDE)] * (state.rules.counts[DECK] - len(cards))
        about = (state.rules.label, "As its owner typed it in; nothing of it comes with Skirmish.")
        blocks = (*state.tables.blocks({}, ""), Heading("Cards"), table(["Card", "Options"], cards))
        return Page(self.name, blocks, about=about)

    def rules(self, state: BloodyState | None = None) -> Page:
        rules = state.rules if state else self.rules_file
        blocks: list[Block] = [*self.book.differing(rules.rulings), Heading("A turn")]
        blocks += [Paragraph(one.text, lead=f"{one.name}.") for one in rules.phases]
        blocks.append(Heading("Modifiers"))
        for id, one in rules.modifiers.items():
            text = ", ".join(one.lines(ruleset.REASONS))
            blocks.append(Paragraph(f"{text}.", lead=f"{rules.tables[id].title}:"))
        rows = [(one.name, str(one.exits), str(one.points)) for one in rules.tiers.values()]
        blocks += [Heading("Results"), table(["", "Exits", "Points"], rows, numbers=(1, 2))]
        about = (rules.label, "What it does not print is typed in by its owner.")
        blocks += self.book.blocks(rules.rulings)
        return Page(f"The rules of {self.name}", tuple(blocks), about=about)


def game(tables: Mapping[str, Any], revision: str) -> BloodyGame:
    """The game out of its files."""
    book = read_presets(tables["rulings"], "bloody_omaha/rulings.toml")
    return BloodyGame(ruleset.read_rules(tables["game"], book), book, revision)
