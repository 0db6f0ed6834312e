"""A scenario before it begins: what its text leaves open, and what players may choose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from skirmish import library, shelf
from skirmish.app.setup.answers import number_typed, place_typed, units_typed, units_written
from skirmish.app.setup.chosen import Seed
from skirmish.app.setup.lines import Line, Pick, Secret, Typed
from skirmish.app.setup.parts import FORCES, option_lines, side_lines
from skirmish.app.setup.screen import SetupScreen
from skirmish.app.setup.usual import rulings_liked
from skirmish.games.plastic.battle.opening import from_scenario, may_hide
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.rules.catalog import Catalog, plural
from skirmish.games.plastic.scenarios.happening_kinds import AskAtSetup, Reveal
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.store.settings import Settings

LOADS = "loads"


class ScenarioSetup(SetupScreen):
    """The options of a scenario."""

    ABOUT = "scenario-rules"

    def __init__(self, scenario: Scenario, liked: Settings | None = None) -> None:
        super().__init__(liked)
        self._scenario = scenario
        self._catalog: Catalog = library.catalog().with_variants(scenario.variants)

    @property
    def heading(self) -> str:
        """Its number and title."""
        return f"{self._scenario.number}  {self._scenario.title.upper()}"

    async def options(self) -> list[Line]:
        """Option groups of the lists, what the text leaves out, who hides, who rides; then what
        every battle has."""
        plain = from_scenario(
            self._scenario,
            library.catalog(),
            library.rulings(),
            sources={side.id: _any_source() for side in self._scenario.sides},
        )
        lines = [*self._choices(), *self._asks(), *self._hidden(plain)]
        if plain.aboard:
            lines.append(_loads(plain))
        for side in self._scenario.order_of_play():
            lines += side_lines(
                side,
                self._people(side),
                self._catalog,
                self.liked,
                cards_only=self._scenario.cards_only,
            )
        return [*lines, *option_lines("what the scenario needs")]

    def usual_rulings(self) -> Mapping[str, str]:
        """The book's, and on top the player's."""
        book = library.rulings()
        return book.defaults() | rulings_liked(self.liked, book)

    def setup(self, seed: Seed) -> Setup:
        """The scenario as chosen."""
        picks = {line.id: line for line in self.lines}
        order = self._scenario.order_of_play()
        chosen = msgspec.structs.replace(
            self.chosen({side: side for side in order}),
            lists={
                group.id: [int(self.value(f"{group.id}:{i}")) for i in range(len(group.choices))]
                for side in self._scenario.sides
                for group in side.contingents
            },
            answers={ask.id: _answer(picks[f"ask:{ask.id}"]) for ask in self._questions()},
            hidden={
                int(name.removeprefix("hidden:")): int(self.value(name))
                for name in picks
                if name.startswith("hidden:")
            },
            loads=LOADS not in picks or self.value(LOADS) == "yes",
        )
        return from_scenario(
            self._scenario,
            library.catalog(),
            library.rulings(),
            sources={side: self.source(side, seed) for side in order},
            chosen=chosen,
            revision=shelf.revision(),
        )

    def refreshed(self, setup: Setup) -> None:
        """Who can ride depends on the lists and on a ruling."""
        line = next((line for line in self.lines if line.id == LOADS), None)
        if isinstance(line, Pick) and setup.aboard:
            fresh = _loads(setup)
            line.values, line.explained = fresh.values, fresh.explained

    # -------------------------------------------------------------- the lines of its own

    def _people(self, side: str) -> str:
        return self._catalog.nations[side].people

    def _questions(self) -> tuple[AskAtSetup, ...]:
        return self._scenario.questions()

    def _choices(self) -> Iterator[Line]:
        for side in self._scenario.sides:
            for group in side.contingents:
                for index, choice in enumerate(group.choices):
                    values = [
                        (
                            str(n),
                            " and ".join(
                                self._catalog.units[unit].named(count)
                                for unit, count in option.items()
                            ),
                        )
                        for n, option in enumerate(choice.one_of)
                    ]
                    yield Pick(
                        id=f"{group.id}:{index}",
                        label=f"{self._people(side.id)} take",
                        topic=FORCES,
                        values=values,
                        meaning=f"{group.called}: choose one of {len(values)} lists.",
                        explained=dict(values),
                    )

    def _asks(self) -> Iterator[Line]:
        for ask in self._questions():
            name, label = f"ask:{ask.id}", ask.id.replace("_", " ").capitalize()
            if ask.about == "option":
                at = ask.options.index(str(ask.proposal))
                values = tuple((option, option) for option in ask.options)
                yield Pick(
                    id=name,
                    label=label,
                    topic=FORCES,
                    values=values,
                    at=at,
                    proposed=at,
                    meaning=ask.question,
                )
                continue
            text, question = str(ask.proposal), ask.question
            if isinstance(ask.proposal, dict):
                text = units_written(ask.proposal, self._catalog)
                question += " Write a number before each unit, with commas between them."
            yield Typed(
                id=name,
                label=label,
                topic=FORCES,
                question=question,
                text=text,
                proposal=text,
                read={"units": self._units, "number": number_typed}.get(ask.about, place_typed),
                stepped=ask.about == "number",
            )

    def _units(self, text: str) -> dict[str, int]:
        return units_typed(text, self._catalog)

    def _hidden(self, setup: Setup) -> Iterator[Line]:
        """How many a side hides, and what it wants to be able to prove of that."""
        for index, kind in enumerate(self._scenario.happenings):
            if not isinstance(kind, Reveal):
                continue
            able = may_hide(kind, setup.pieces)
            usual = sum(piece in setup.hidden for piece in able)
            people = self._people(kind.side)
            unit = self._catalog.units[setup.by_id[able[0]].unit] if able else None
            what = plural(unit.short.lower()) if unit else "men"
            most = len(able)
            yield Pick(
                id=f"hidden:{index}",
                label=f"{people}: hidden {what}",
                topic=FORCES,
                values=[(str(n), "none" if not n else f"{n} of {most}") for n in range(most + 1)],
                at=usual,
                proposed=usual,
                meaning=self._scenario.unmarked(kind.text),
            )
            yield Secret(
                id=f"seal:{kind.side}",
                label=f"{people}: sealed note",
                topic=FORCES,
                meaning="Where they hide, on paper or written here. Nobody can read it until it is "
                "opened in the battle. Press Enter to write it while the other side looks away.",
                question=f"Only the {people} may look now. Write where they hide. This replaces "
                "what was written before; if you leave it empty, nothing is sealed.",
            )


def _answer(line: Line) -> Any:
    return line.value if isinstance(line, Pick | Typed) else None


def _any_source() -> Any:
    from skirmish.tabletop.chance import Source

    return Source("deck")


def _loads(setup: Setup) -> Pick:
    """Who rides at the start: so many of all guys of those groups, and in what."""
    groups = {setup.by_id[rider].contingent for rider in setup.aboard}
    guys = [p for p in setup.pieces if p.contingent in groups and setup.unit(p.unit).is_guy]
    riding = sum(piece.id in setup.aboard for piece in guys)
    guns = len(setup.aboard) - riding
    carriers = Counter(setup.by_id[carrier].unit for carrier in set(setup.aboard.values()))
    inside = ", ".join(setup.unit(unit).named(count) for unit, count in sorted(carriers.items()))
    towed = f" and {guns} cannon" if guns else ""
    return Pick(
        id=LOADS,
        label="Loads at the start",
        topic=FORCES,
        values=(("yes", f"{riding} of {len(guys)} ride{towed}"), ("no", "everybody on foot")),
        explained={
            "yes": f"They start in {inside}.",
            "no": "You load them on the battle screen, or they walk.",
        },
    )
