"""The gaps in the rules and how they are filled, to read at the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish import library
from skirmish.app.host import Host, ModalScreen
from skirmish.app.windows import SCROLL

TOPICS = {
    "army": "ARMIES",
    "shot": "SHOTS",
    "check": "CHECKS",
    "turn": "THE TURN",
    "movement": "MOVEMENT",
    "works": "WORKS",
    "battle": "THE BATTLE",
    "scenario": "SCENARIOS",
}


class RulingsScreen(ModalScreen[None]):
    """Every ruling with the answer in force: those of a battle, or the usual ones."""

    CSS_PATH = "rulings.tcss"
    TOPIC: ClassVar[str] = "rulings"
    EXTRA = "The rulings are"
    HELP = "The answers in force here. Set-up chooses them for a battle, the settings for all."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape,enter,q,G",
            "dismiss",
            "Close",
            show=False,
            tooltip="Close the list",
            id="rulings.close",
        ),
        Binding("space", "scroll(12)", show=False, tooltip="Scroll down a page", id="rulings.page"),
        *SCROLL,
    ]

    def __init__(self, answers: Mapping[str, str], scenario: int | None = None) -> None:
        super().__init__()
        self._answers = answers
        self._scenario = scenario

    def compose(self) -> ComposeResult:
        """One scrolling window."""
        with VerticalScroll(classes="window"):
            yield Static("Rulings: how gaps in the rules are filled", classes="title", markup=False)
            yield Static(Content("\n").join(self._lines()))
            yield Static("\nEsc closes this window.", classes="quiet", markup=False)

    def action_scroll(self, by: int) -> None:
        """Scroll the window."""
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)

    def _lines(self) -> Iterator[Content]:
        """By topic; rulings of other scenarios than the one being fought are left out."""
        rulings = [
            ruling
            for ruling in library.rulings().rulings.values()
            if not (self._scenario and ruling.scenarios) or self._scenario in ruling.scenarios
        ]
        measured = cast("Host", self.app).measured
        order = list(TOPICS)
        rulings.sort(key=lambda ruling: order.index(ruling.topic))
        for topic, group in groupby(rulings, key=lambda ruling: ruling.topic):
            yield Content.styled(f"\n{TOPICS[topic]}", "bold $primary")
            for ruling in group:
                answer = self._answers.get(ruling.id, ruling.default)
                usual = answer == ruling.default
                yield Content.assemble(
                    (f"{ruling.id} ", "$accent bold"),
                    (f"{ruling.title}. ", "bold"),
                    (f"{measured(ruling.question)} ", "$foreground 65%"),
                    ("" if usual else "NOT THE DEFAULT: ", "$warning bold"),
                    measured(ruling.answers.get(answer, answer)),
                )
