"""What to fight: one of the ten scenarios, or two of the armies that are kept."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from skirmish import library
from skirmish.games.plastic.scenarios.scenario import Scenario

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp

TWO_ARMIES = "armies"


class NewBattleScreen(Screen[None]):
    """The list on the left, what the chosen line is about on the right."""

    CSS_PATH = "new_battle.tcss"
    HELP = "The arrows choose, Enter goes on to the options of the battle."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.pop_screen", "Home", tooltip="Back without beginning"),
        Binding("p", "print", "Print sheet", tooltip="Print the sheet of the chosen scenario"),
    ]

    @property
    def skirmish(self) -> SkirmishApp:
        """The app."""
        return cast("SkirmishApp", self.app)

    def compose(self) -> ComposeResult:
        """List and description."""
        yield Static("NEW BATTLE   Enter: its options", classes="title", id="heading", markup=False)
        with Horizontal():
            yield OptionList(id="fights", markup=False)
            with VerticalScroll(id="about", can_focus=False):
                yield Static(id="what", markup=False)
        yield Footer(show_command_palette=False)

    async def on_mount(self) -> None:
        """Read the scenarios; a broken data file is told, not thrown."""
        from skirmish.tabletop.reading import DataError

        try:
            scenarios = await asyncio.to_thread(library.scenarios)
        except DataError as error:
            await self.skirmish.tell("The scenarios cannot be read", str(error))
            return
        fights = self.query_one("#fights", OptionList)
        fights.add_options(
            Option(Content(f"{n:>2}  {s.title}"), id=str(n)) for n, s in scenarios.items()
        )
        fights.add_option(Option(Content(" *  Two armies: the basic game"), id=TWO_ARMIES))
        fights.highlighted = 0
        fights.focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Tell about the line."""
        name = event.option_id or TWO_ARMIES
        about = _basic_game() if name == TWO_ARMIES else _about(library.scenarios()[int(name)])
        self.query_one("#what", Static).update(about)
        self.query_one("#about").scroll_home(animate=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """On to its options."""
        from skirmish.app.armies_setup import ArmiesSetup
        from skirmish.app.scenario_setup import ScenarioSetup

        if event.option_id == TWO_ARMIES:
            self.app.push_screen(ArmiesSetup())
        elif event.option_id:
            self.app.push_screen(ScenarioSetup(library.scenarios()[int(event.option_id)]))

    def action_print(self) -> None:
        """Print the chosen scenario's sheet."""
        from skirmish.app.printing import print_scenario

        fights = self.query_one("#fights", OptionList)
        if fights.highlighted is None:
            return
        name = fights.get_option_at_index(fights.highlighted).id or TWO_ARMIES
        if name == TWO_ARMIES:
            self.notify("Rosters are printed from the armies: a on the home screen.", markup=False)
        else:
            self.run_worker(print_scenario(self.skirmish, library.scenarios()[int(name)]))


def _about(scenario: Scenario) -> Content:
    """A scenario in a few lines: when and where, who, how long, how it is won."""
    catalog = library.catalog()
    parts: list[Content | str | tuple[str, str]] = [
        (f"{scenario.title}\n", "bold $accent"),
        (f"{scenario.date}, {scenario.place}\n\n", "$foreground 65%"),
        f"{scenario.unmarked(scenario.situation)}\n\n",
    ]
    for side in scenario.sides:
        points, pdg = scenario.points(side.id, catalog), scenario.pdg(side.id, catalog)
        first = ", moves first" if side.id == scenario.moves_first else ""
        parts += [
            (f"{catalog.nations[side.id].people}", "bold"),
            f"{first}: {_span(points)} points, strength {_span(pdg)}\n",
            (f"{side.name}\n", "$foreground 65%"),
        ]
    end = scenario.ends_after
    length = f"{end.turn} turns" if end else "no turn limit"
    parts += [
        (f"\nLength: {length}\n\n", ""),
        ("Victory\n", "bold"),
        scenario.unmarked(scenario.victory.text),
    ]
    return Content.assemble(*parts)


def _basic_game() -> Content:
    game = library.catalog().basic_game
    return Content.assemble(
        ("The basic game\n\n", "bold $accent"),
        f"Two armies of the same points, {game.points} as a rule, on a table of 5 by 8 feet. "
        "Whoever loses half his strength is beaten; "
        f"after turn {game.last_turn} it is a draw.\n\n"
        "The side that places its figures first also moves first. Armies are built under a on "
        "the home screen.",
    )


def _span(pair: tuple[int, int]) -> str:
    return str(pair[0]) if pair[0] == pair[1] else f"{pair[0]} or {pair[1]}"
