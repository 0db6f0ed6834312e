"""WWII Plastic Skirmish as the shell knows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from skirmish.games.plastic.army_file import from_body
from skirmish.games.plastic.battle.decide import Battle
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.orders import AnyOrder, PlayOn
from skirmish.games.plastic.battle.rebuilding import look_at
from skirmish.games.plastic.battle.record import BattleCodec, codec, opening
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import headline, still_over
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.setup_fields import BattleFields
from skirmish.tabletop.commands import Command
from skirmish.tabletop.game import PLAYERS, Field, Game, Seed, Viewer
from skirmish.tabletop.page import Page
from skirmish.tabletop.reading import DataError
from skirmish.tabletop.refusal import nonsense


class PlasticGame(Battle, Game[State, AnyOrder, AnyEvent]):
    """The flagship with its numbers, rulings and scenarios; these are read where one is set up."""

    id, name, noun = "plastic", "WWII Plastic Skirmish", "battle"
    order, event = AnyOrder, AnyEvent

    def __init__(
        self,
        catalog: Catalog,
        book: RulingBook,
        scenarios: Callable[[], Mapping[int, Scenario]],
        small: Callable[[], Army],
        revision: str,
    ) -> None:
        self.catalog, self.book, self.scenarios = catalog, book, scenarios
        self.small, self.revision = small, revision

    @cached_property
    def form(self) -> BattleFields:
        """What can be set up."""
        return BattleFields(
            self.catalog, self.book, self.scenarios(), small=self.small, revision=self.revision
        )

    @property
    def codec(self) -> BattleCodec:
        return codec

    # ------------------------------------------------------------------ set-up

    def equipped(self, armies: Iterable[tuple[str, str, str]], settings: Any) -> PlasticGame:
        found: dict[str, Army] = {}
        warnings = []
        for id, name, body in armies:
            try:
                found[id] = from_body(body, self.catalog, self.book, name)
            except DataError as error:
                warnings.append(f"{error} The army is left out.")
        game = PlasticGame(self.catalog, self.book, self.scenarios, self.small, self.revision)
        game.warnings = tuple(warnings)
        game.form = BattleFields(
            self.catalog,
            self.book,
            self.scenarios(),
            armies=found,
            small=self.small,
            level=settings.level,
            chance=settings.chance,
            liked=settings.rulings,
            revision=self.revision,
        )
        return game

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        return self.form.fields(answers)

    def follow(self, changed: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.form.follow(changed, answers)

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[AnyEvent]:
        try:
            return opening(self.form.setup(answers, seed)).events
        except ValueError as error:
            raise nonsense("setup", str(error)) from None

    def first_orders(self, answers: Mapping[str, Any]) -> Sequence[AnyOrder]:
        return self.form.first_orders(answers)

    def title(self, state: State) -> str:
        return state.setup.title

    # ------------------------------------------------------------------ what is shown

    def commands(self, state: State) -> tuple[Command[AnyOrder], ...]:
        del state
        return ()

    def page(self, state: State, viewer: Viewer = PLAYERS) -> Page:
        del state, viewer
        return Page("")

    def headline(self, state: State) -> str:
        return headline(state)

    def over(self, state: State) -> bool:
        return state.outcome is not None

    def follow_up(self, state: State) -> AnyOrder | None:
        """If what had ended the battle was made void, it goes on."""
        ended = state.outcome is not None and not still_over(state)
        return PlayOn(anew=True) if ended else None

    def look_at(self, state: State) -> None:
        look_at(state)
