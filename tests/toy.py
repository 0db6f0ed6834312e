"""A game of two sides and one die, first to ten. It proves that a game is rules, data and a line in
the registry: no other file of the program knows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.commands import Command
from skirmish.tabletop.game import PLAYERS, Game, Seed, Verdict, Viewer
from skirmish.tabletop.journal import Play
from skirmish.tabletop.page import Gauge, Page, Paragraph, Step, Steps
from skirmish.tabletop.refusal import nonsense
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.slots import Choose, Dice, Number, Option, Words

Side = Literal["red", "blue"]
NAMES: dict[Side, str] = {"red": "Red", "blue": "Blue"}
OTHER: dict[Side, Side] = {"red": "blue", "blue": "red"}


class State(msgspec.Struct, frozen=True):
    goal: int
    player: str
    dice: Source
    points: dict[Side, int]
    mover: Side = "red"
    rolled: int = 0


class Opened(msgspec.Struct, frozen=True, tag="opened", tag_field="event"):
    goal: int
    player: str
    dice: Source

    def apply(self, state: State | None) -> State:
        return State(self.goal, self.player, self.dice, {"red": 0, "blue": 0})

    def narrate(self, state: State) -> str:
        return f"{state.player or 'Somebody'} plays to {self.goal}."


class Rolled(msgspec.Struct, frozen=True, tag="rolled", tag_field="event"):
    face: int

    def apply(self, state: State) -> State:
        dice = state.dice.drawn(Draw(self.face))
        return msgspec.structs.replace(state, rolled=self.face, dice=dice)

    def narrate(self, state: State) -> str:
        return f"{NAMES[state.mover]} rolls {self.face}."


class Given(msgspec.Struct, frozen=True, tag="given", tag_field="event"):
    side: Side

    def apply(self, state: State) -> State:
        points = state.points | {self.side: state.points[self.side] + state.rolled}
        return msgspec.structs.replace(state, points=points, rolled=0, mover=OTHER[state.mover])

    def narrate(self, state: State) -> str:
        return f"{NAMES[self.side]} takes {state.rolled}."


class Roll(msgspec.Struct, frozen=True, tag="roll", tag_field="order"):
    face: int | None = None

    def decide(self, state: State) -> list[Any]:
        if state.rolled:
            raise nonsense("rolled", "The die has been rolled; say who takes it.")
        return [Rolled(self.face or state.dice.peek((), 6).rank)]


class Take(msgspec.Struct, frozen=True, tag="take", tag_field="order"):
    side: Side

    def decide(self, state: State) -> list[Any]:
        if not state.rolled:
            raise nonsense("not_rolled", "Roll first.")
        return [Given(self.side)]


class Toy(Game[State, Any, Any]):
    id, name = "toy", "First to Ten"
    order, event = Roll | Take, Opened | Rolled | Given
    sides = (("red", "Red"), ("blue", "Blue"))

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        dice = Choose(
            name="dice", text="Whose die is it?", default="program",
            options=(Option(value="program", label="the program's", key="p"),
                     Option(value="own", label="your own, typed in", key="o")),
        )  # fmt: skip
        goal = Number(name="goal", text="How many points win?", low=1, high=99, default=10)
        player = Words(name="player", text="Who plays?", default="")
        return (Field(slot=goal), Field(slot=dice), Field(slot=player, help="For the journal."))

    def open(self, answers: Mapping[str, Any], seed: Seed) -> list[Any]:
        own = answers["dice"] == "own"
        return [Opened(answers["goal"], answers["player"], Source("die", None if own else seed()))]

    def commands(self, state: State) -> tuple[Command[Any], ...]:
        if self.over(state):
            return ()
        if state.dice.typed:
            face = Dice(name="face", text="What does the die show?")
            return (Command(label="Roll", key="r", slots=(face,), make=lambda face: Roll(face[0])),)
        return (Command(label="Roll", key="r", make=Roll),)

    def prompt(self, state: State) -> Command[Any] | None:
        if not state.rolled:
            return None
        options = tuple(Option(value=side, label=name, key=side[0]) for side, name in NAMES.items())
        slot = Choose(name="side", text=f"Who takes the {state.rolled}?", options=options,
                      default=state.mover)  # fmt: skip
        return Command(label="Take", slots=(slot,), make=Take)

    def page(self, state: State, viewer: Viewer = PLAYERS) -> Page:
        turn = Steps(tuple(
            Step(f"{name}'s roll", "now" if side == state.mover else "next")
            for side, name in NAMES.items()
        ))  # fmt: skip
        gauges = [Gauge(NAMES[side], points, state.goal) for side, points in state.points.items()]
        return Page(self.name, (turn, *gauges, Paragraph(state.player, lead="Played by")))

    def headline(self, state: State) -> str:
        red, blue = state.points.values()
        return f"Red {red}, Blue {blue}"

    def over(self, state: State) -> bool:
        return max(state.points.values()) >= state.goal

    def verdict(self, play: Play[State, Any, Any], viewer: Viewer = PLAYERS) -> Verdict | None:
        faces = [event.face for event in play.live[-1].events if isinstance(event, Rolled)]
        return Verdict(text=str(faces[0]), reason="The die is cast.") if faces else None


def game(tables: Mapping[str, Any], revision: str) -> Toy:
    return Toy()
