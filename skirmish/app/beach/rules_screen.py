"""The rules of Beach Head in our own words: the aim, the phases, the cards, the gaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish import library
from skirmish.app.foot import Foot
from skirmish.app.scrolled_page import ScrolledPage
from skirmish.games.beach_head.manual import PhaseId, signs
from skirmish.games.beach_head.rules_told import aim, card_use, phase_told
from skirmish.games.beach_head.setup import Setup
from skirmish.tabletop.chance import Draw

KEY, DIM, HEAD = "$accent bold", "$foreground 65%", "$primary bold"


class BeachRules(ScrolledPage):
    """One page to scroll; the phase that is played stands on top."""

    TOPIC: ClassVar[str] = "rules"
    HELP = (
        "The rules of this game: the present phase, the aim, all phases, the cards, and the gaps "
        "in the text, each with the answer in force and then the other answers."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1", "dismiss", "Back", key_display="Esc", tooltip="Back to the game",
                id="beach-rules.back"),
    ]  # fmt: skip

    def __init__(self, setup: Setup, phase: PhaseId | None = None) -> None:
        super().__init__()
        self._setup = setup
        self._phase = phase

    def compose(self) -> ComposeResult:
        """Title, page, keys."""
        yield Static("THE RULES OF BEACH HEAD", classes="title", id="summary-title", markup=False)
        with VerticalScroll(id="summary-page", can_focus=False):
            for part in rules(self._setup, self._phase):
                yield Static(part, classes="summary-part", markup=False)
        yield Foot()


def rules(setup: Setup, phase: PhaseId | None) -> Iterator[Content]:
    """The page, part by part."""
    manual = setup.manual
    if phase is not None:
        now = manual.phase[manual.place(phase)]
        yield _part(f"NOW: {now.name.upper()}", [phase_told(manual, now, setup.left_out)])
    yield from _departures(setup)
    yield _part("THE AIM", [aim()])
    yield _part(
        "A TURN",
        [
            Content.assemble(
                (f"{number:>2} {one.name}.  ", "bold"), phase_told(manual, one, setup.left_out)
            )
            for number, one in enumerate(manual.phase, 1)
        ],
    )
    hand = manual.hand
    cards: list[Content | str] = [
        "A card is played on a roll that does not count yet, German rolls too: it sets one die, "
        "adds to the roll, or re-rolls a die. An Admiral repeats the phase that is just ending. "
        f"You fill your hand to {hand.full} cards and keep {hand.keep} at the end of a turn.",
        *(
            Content.assemble(
                (f"{signs([Draw(one.rank)]):>2} {one.name}  ", "bold"), card_use(manual, one)
            )
            for one in sorted(manual.card, key=lambda card: card.rank)
        ),
    ]
    yield _part("CARDS", cards)
    yield _part("TANKS", [f"{one.name}: {one.about}." for one in manual.tank])
    yield _part("GAPS IN THE TEXT AND THEIR RULINGS", _gaps(setup))


def _departures(setup: Setup) -> Iterator[Content]:
    """What this game answers otherwise than by default."""
    others = library.beach_readings().departures(setup.rulings)
    if others:
        yield _part(
            "THIS GAME DIFFERS",
            [
                Content.assemble((f"{one.id} {one.title}.  ", "bold"), one.question, " ", answer)
                for one, answer in others
            ],
        )


def _gaps(setup: Setup) -> Iterator[Content]:
    for name, ruling in library.beach_readings().rulings.items():
        answer = setup.rulings.get(name, ruling.default)
        others = [says for other, says in ruling.answers.items() if other != answer]
        yield Content.assemble(
            (f"{name} {ruling.title}.  ", "bold"),
            f"{ruling.question} ",
            (ruling.answers.get(answer, answer), KEY),
            (f"  (Or: {' '.join(others)})" if others else "", DIM),
        )


def _part(heading: str, lines: Iterable[Content | str]) -> Content:
    said = [Content(line) if isinstance(line, str) else line for line in lines]
    return Content("\n").join([Content.styled(heading, HEAD), *said])
