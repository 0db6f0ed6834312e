"""The options of a scenario."""

from __future__ import annotations

from skirmish import library, shelf
from skirmish.app.setup_screen import SOURCES, YES_NO, Line, SetupScreen
from skirmish.games.plastic.battle.opening import from_scenario
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.scenarios.scenario import Scenario


class ScenarioSetup(SetupScreen):
    """The options of a scenario."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__()
        self._scenario = scenario

    @property
    def heading(self) -> str:
        """Its number and title."""
        return f"{self._scenario.number}  {self._scenario.title.upper()}"

    def rulings_that_concern(self) -> int | None:
        """This scenario."""
        return self._scenario.number

    async def options(self) -> list[Line]:
        """Option groups of the lists, sources, nationalities."""
        catalog = library.catalog().with_variants(self._scenario.variants)
        sources = [
            (name, words)
            for name, words in SOURCES
            if not (self._scenario.cards_only and name.endswith("die"))
        ]
        lines = []
        for side in self._scenario.sides:
            people = catalog.nations[side.id].people
            for group in side.contingents:
                for index, choice in enumerate(group.choices):
                    values = [
                        (str(n), " and ".join(catalog.units[u].named(c) for u, c in o.items()))
                        for n, o in enumerate(choice.one_of)
                    ]
                    lines.append(Line(f"{group.id}:{index}", f"{people} take", values))
        for side_id in self._scenario.order_of_play():
            people = catalog.nations[side_id].people
            lines.append(Line(f"source:{side_id}", f"{people}: chance", sources))
        return [*lines, Line("nations", "Nationalities are played", YES_NO)]

    def setup(self) -> Setup:
        """The scenario as chosen."""
        options = {
            group.id: [int(self.value(f"{group.id}:{i}")) for i in range(len(group.choices))]
            for side in self._scenario.sides
            for group in side.contingents
        }
        return from_scenario(
            self._scenario,
            library.catalog(),
            library.rulings(),
            sources={
                side: self.source(f"source:{side}") for side in self._scenario.order_of_play()
            },
            options=options,
            answers=self.answers(),
            nationalities=self.value("nations") == "yes",
            revision=shelf.revision(),
        )
