"""Bloody Omaha as the shell uses it: set-up, the board, points, paper, rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from skirmish.games.bloody_omaha.ruleset import BloodyRules, answer, read_rules
from skirmish.games.bloody_omaha.state import AnyEvent, BloodyOpened, BloodySetup, BloodyState
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Command
from skirmish.tabletop.companion.table_game import AnyTableOrder, NextPhase, TableGame, TableOrder
from skirmish.tabletop.game import Field, Seed
from skirmish.tabletop.page import Heading, Page, Paragraph
from skirmish.tabletop.presets import PresetBook, read_presets
from skirmish.tabletop.slots import chosen

CHANCE = (
    ("program", "the program rolls, draws and turns up tokens", ""),
    ("own", "your own die, deck and tokens", "You type what you roll, draw and turn up."),
)


class BloodyGame(TableGame[BloodyState, TableOrder, AnyEvent]):
    id, name = "bloody_omaha", "Bloody Omaha"
    about = "Owners of the playtest game type in its tables once; tokens, turns, modifiers, points."
    order, event = AnyTableOrder, AnyEvent
    sides = (("us", "American"),)

    def __init__(self, rules: BloodyRules, book: PresetBook, revision: str = "") -> None:
        self.rules_file, self.book, self.revision = rules, book, revision

    # ------------------------------------------------------------------ set-up

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        return (
            Field(slot=chosen("chance", "Who rolls and draws?", CHANCE, "Dice and tokens")),
            *self.book.fields("How are the gaps in the text filled?", "Answers of your own."),
        )

    def follow(self, changed: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.book.follow(changed, answers)

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[AnyEvent]:
        own = answers.get("chance") == "own"
        rulings = self.book.answered(self.book.chosen(answers))
        rules = replace(self.rules_file, rulings=rulings)
        setup = BloodySetup(rules=rules, own=own, revision=self.revision)
        return [BloodyOpened(setup=setup, dice=Source("die", None if own else seed()))]

    def own_commands(self, state: BloodyState) -> Iterator[Command[Any]]:
        yield Command(label="Next phase", key="space", word="next phase", make=NextPhase)

    # ------------------------------------------------------------------ in and out

    def answer(self, line: bytes) -> dict[str, Any]:
        """Answers a question about points in JSON. Raises DataError."""
        return answer(self.rules_file, self.book, line)

    # ------------------------------------------------------------------ rules

    def rules(self, state: BloodyState | None = None) -> Page:
        rulings = state.rules.rulings if state else self.book.defaults()
        blocks = [Heading("A turn")]
        phases = [Paragraph(one.text, lead=f"{one.name}.") for one in self.rules_file.phases]
        differing, gaps = self.book.differing(rulings), self.book.blocks(rulings)
        return Page(f"The rules of {self.name}", (*differing, *blocks, *phases, *gaps),
                    about=(self.rules_file.label,))  # fmt: skip


def game(tables: Mapping[str, Any], revision: str) -> BloodyGame:
    """The game out of its files."""
    book = read_presets(tables["rulings"], "bloody_omaha/rulings.toml")
    return BloodyGame(read_rules(tables["game"], book), book, revision)
