"""The game that a play sheet is printed of, and what both sides of the sheet say of it: its name
and its rulings."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from skirmish import library
from skirmish.games.beach_head.events import BeachOpened, CraftHit, Killed, SquadsLanded
from skirmish.games.beach_head.ruleset import BeachSetup, Ruleset
from skirmish.games.beach_head.state import BeachState
from skirmish.registry import BEACH, load
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.text import terms
from skirmish.sheets.layout.title_band import TitleBand
from skirmish.tabletop.journal import Play
from skirmish.tabletop.presets import PresetBook

GAME = "Beach Head"
VARIANTS = {"normandy": "Normandy", "omaha": "Omaha Beach"}
"""The names of the beaches, by the variant of the game."""


@dataclass
class TurnCounts:
    """What happened in each turn, by its number."""

    craft_hit: Counter[int] = field(default_factory=Counter)
    squads_landed: Counter[int] = field(default_factory=Counter)
    squads_lost: Counter[int] = field(default_factory=Counter)


class ChangedRuling(NamedTuple):
    """A ruling that is not at its default, with its answer as a sentence."""

    id: str
    title: str
    answer: str


@dataclass(frozen=True)
class PrintedGame:
    """A game as it is printed, with the presets from which its rulings may come."""

    state: BeachState
    preset_book: PresetBook
    ended: str = ""
    """The day on which a finished game ended."""
    counts: TurnCounts | None = None
    """What happened in each turn; None if there is no journal to count it from."""

    @property
    def setup(self) -> BeachSetup:
        """How the game was set up."""
        return self.state.setup

    @property
    def ruleset(self) -> Ruleset:
        """The numbers by which the game is played: those that it was begun with."""
        return self.state.ruleset

    @cached_property
    def first_state(self) -> BeachState:
        """The state before the first turn. The phases are described from it, since the present
        state would leave out what is skipped in this turn."""
        return BeachOpened(setup=self.setup).apply(None)

    @property
    def beach(self) -> str:
        """The name of the beach."""
        return VARIANTS[self.setup.variant]

    @property
    def preset_name(self) -> str:
        """The name of the preset from which all the rulings are; "own rulings" where they are from
        none."""
        preset = self.preset_book.presets.get(self.setup.named)
        if preset is None:
            return "own rulings"
        return preset.name.lower()

    @property
    def changed_rulings(self) -> list[ChangedRuling]:
        """The rulings that are not at their defaults."""
        changed = []
        for ruling, answer in self.preset_book.departures(self.setup.rulings):
            changed.append(ChangedRuling(ruling.id, ruling.title, answer))
        return changed


def printed_game(
    game: StoredGame | BeachState | BeachSetup | None, *, ended: str = ""
) -> PrintedGame:
    """What is printed of a stored game, of a state without its journal, of a set-up before the
    first turn, or (None) as an empty sheet; ``ended``: as in ``PrintedGame``."""
    preset_book = library.beach().book
    if isinstance(game, StoredGame):
        return PrintedGame(game.play.state, preset_book, ended, turn_counts(game.play))
    if isinstance(game, BeachState):
        return PrintedGame(game, preset_book, ended)
    if isinstance(game, BeachSetup):
        # Before the first turn all boxes are open.
        return PrintedGame(BeachOpened(setup=game).apply(None), preset_book, ended)
    return PrintedGame(_state_of_empty_sheet(), preset_book, ended)


def _state_of_empty_sheet() -> BeachState:
    """A new game by the rules as printed, with the player's own dice and cards: an empty sheet is
    for playing without the program."""
    (opened,) = load(BEACH.id).open({"dice": "own", "cards": "own"}, _no_seed)
    state: BeachState = opened.apply(None)
    return state


def _no_seed() -> int:
    """The seed of a game in which the program draws nothing: any number does."""
    return 0


def turn_counts(play: Play[BeachState, Any, Any]) -> TurnCounts:
    """Folds the journal again to count by the turn: the state only has the totals of the game."""
    counts = TurnCounts()
    # There is no state before the first event, which opens the game.
    state: BeachState | None = None
    for entry in play.live:
        for event in entry.events:
            state = event.apply(state)
            if isinstance(event, CraftHit):
                counts.craft_hit[state.turn] += 1
            if isinstance(event, SquadsLanded):
                counts.squads_landed[state.turn] += event.squads
            if isinstance(event, Killed):
                # Where the whole roll is scored (B2), that is more than the squads ashore.
                counts.squads_lost[state.turn] += event.scored
    return counts


def side_band(game: PrintedGame, number: str, title: str) -> Flowable:
    """The title band of one side of the sheet: its ``number``, the name of the game, and at the
    right the ``title`` of the side above the beach and the rulings."""
    about = f"A solo game of dice and cards; {game.preset_name}"
    lines_at_right = (title, game.beach, about)
    # The lowest band: the sheet has little room.
    return TitleBand("Side", number, GAME.upper(), *lines_at_right, least=TitleBand.FLAT)


def rulings_in_full(game: PrintedGame, lead: str = "") -> Flowable:
    """The changed rulings with their answers in one paragraph, behind ``lead`` in bold."""
    pairs = []
    if lead:
        pairs.append((lead, ""))
    for ruling in game.changed_rulings:
        pairs.append((f"{ruling.id} {ruling.title}:", ruling.answer))
    return terms(pairs, styles.SMALL)
