"""Steps that tests of the screens share: a battle kept beforehand, keys, waiting for a screen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from time import monotonic
from typing import Any

from textual import events
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from skirmish import library
from skirmish.app.application import SkirmishApp
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.play.setup import GameSetup
from skirmish.app.scenarios.browser import ScenarioBrowser
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.progress import headline
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.verdict import verdict
from skirmish.store.database import Store
from skirmish.tabletop.chance import Source

NARROW = (80, 24)
WIDE = (120, 40)
HOSTILE = (
    "[/b]",
    "[bold red]Unit [/b] [@click=app.quit]x[/]",
    "🪖" * 40,
    "כוח המשימה של הצפון",
    "x" * 80,
    "\\[",
)
"""Names that people may type, and that a screen must show as they are."""
MIXED = (
    "[/b] [bold red]Unit [/b] [@click=app.quit]x[/] \\[ כוח המשימה של הצפון",
    "🪖" * 40 + "x" * 40,
)
"""The same in two, for screens that have to be opened anew for each."""
CARDS = Source("deck")
DECK = Source("deck", seed=7)
END_TURN = ("E", "enter")
"""Before phases 3 and 4 were played; Enter answers that they are skipped."""
OWN_CARDS = ("l", *["down"] * 3, "right", "right", *["down"] * 2, "right", "right")
"""On the options of Overmatched: nobody rides, and both sides type their own cards."""


def the_app(where: str) -> SkirmishApp:
    """The app on a database of the test's own; every deck comes in the same order."""
    folder = Path(where).parent
    return SkirmishApp(where, folder, seed=lambda: 7, settings_path=folder / "settings.toml")


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


async def hold(pilot: Pilot[None], key: str, repeats: int) -> None:
    """Hold a key down: a keyboard repeats it after half a second, then thirty times a second."""
    times = [0.0, *(0.5 + 0.033 * nth for nth in range(repeats))]
    began = monotonic() - times[-1]
    for time in times:
        pressed = events.Key(key, None)
        pressed.time = began + time
        pilot.app.post_message(pressed)
        await pilot.pause()


async def eventually(pilot: Pilot[None], holds: Callable[[], object]) -> None:
    """Wait until something holds; half a minute at most, since tests share their cores."""
    patience = monotonic() + 30
    while monotonic() < patience:
        await pilot.pause()
        if holds():
            return
        await pilot.pause(0.01)
    raise AssertionError(f"it never came to hold; {pilot.app.screen} is in front")


async def press_until(pilot: Pilot[None], holds: Callable[[], object], *keys: str) -> None:
    """Press keys again and again until something holds, twenty times at most."""
    for _ in range(20):
        if holds():
            return
        await press(pilot, *keys)
    assert holds(), f"it never came to hold; {pilot.app.screen} is in front"


async def until(pilot: Pilot[None], kind: type) -> None:
    """Wait until a screen of that kind is in front."""
    await eventually(pilot, lambda: isinstance(pilot.app.screen, kind))
    await pilot.pause()


async def wait_for(pilot: Pilot[None], part: str, words: str) -> None:
    """Wait until a part of the screen says ``words``."""
    await eventually(pilot, lambda: words in shown(pilot, part))


async def battles_listed(pilot: Pilot[None], count: int = 1) -> None:
    """Wait until home lists so many battles."""
    await until(pilot, HomeScreen)
    await eventually(
        pilot,
        lambda: (
            [
                sum(one.id != "first-evening" for one in battles.options)
                for battles in pilot.app.screen.query(OptionList)
            ]
            == [count]
        ),
    )


def keep(where: str, setup: Setup, *orders: AnyOrder) -> State:
    """A battle begun and fought so far, kept as the app keeps it; where it stands."""
    battle = record.codec.play([record.opening(setup)])
    (first,) = battle.entries
    with Store.open(where) as store:
        begun = record.codec.written(first)
        number = store.add_battle(GAME, setup.title, headline(battle.state), [begun]).id
        for order in orders:
            entry = battle.consider(order)
            battle.accept(entry)
            store.append(
                number,
                record.codec.written(entry),
                headline=headline(battle.state),
                over=battle.state.outcome is not None,
            )
    return battle.state


def fought(where: str, *orders: AnyOrder, source: Source = CARDS, **chosen: Any) -> State:
    """Overmatched, fought so far and kept: both sides type their own cards unless ``source``
    says otherwise; ``chosen`` are further options of the scenario. ``resume`` is then one key.
    Nobody starts aboard unless that is chosen, so that everybody can be shot at."""
    setup = a_scenario(1, source, **chosen)
    return keep(where, setup, *orders)


def a_scenario(number: int, source: Source = CARDS, **chosen: Any) -> Setup:
    """A scenario as it opens, both sides drawing from the like of ``source``."""
    scenario = library.scenarios()[number]
    sources = dict.fromkeys(scenario.order_of_play(), source)
    return from_scenario(
        scenario,
        library.catalog(),
        library.rulings(),
        sources=chosen.pop("sources", sources),
        chosen=SetupChoices(**{"loads": False, **chosen}),
    )


async def begin(pilot: Pilot[None], *options: str) -> None:
    """Home, new battle, Overmatched, its options, begin."""
    await until(pilot, HomeScreen)
    await press(pilot, "n")
    await until(pilot, ScenarioBrowser)
    await wait_for(pilot, "what", "Overmatched")
    await press(pilot, "enter")
    await until(pilot, GameSetup)
    await press(pilot, *options, "b")
    await until(pilot, BattleScreen)


async def resume(pilot: Pilot[None]) -> None:
    """Home, then the battle changed last."""
    await battles_listed(pilot)
    await press(pilot, "enter")
    await until(pilot, BattleScreen)


async def each_resumed(
    pilot: Pilot[None], count: int, kind: type = BattleScreen
) -> AsyncIterator[None]:
    """Home, then each of so many battles in turn, the one changed last first."""
    await battles_listed(pilot, count)
    for _ in range(count):
        await press(pilot, "enter")
        await until(pilot, kind)
        yield
        await press(pilot, "escape", "escape", "escape", "H")
        await until(pilot, HomeScreen)
        await press(pilot, "down")


async def type_draw(pilot: Pilot[None], draw: str) -> None:
    """A player's own card or roll."""
    await press(pilot, *draw, "enter")


def state(pilot: Pilot[None]) -> State:
    screen = pilot.app.screen
    assert isinstance(screen, BattleScreen)
    return screen.session.state


def shown(pilot: Pilot[None], part: str) -> str:
    """What the Static of that id says."""
    return str(pilot.app.screen.query_one(f"#{part}", Static).render())


def open_page(pilot: Pilot[None]) -> str:
    """The name of a scenario's page that stands reversed among all of them; empty if none does."""
    strip = pilot.app.screen.query_one("#strip", Static).content
    assert isinstance(strip, Content)
    for span in strip.spans:
        if "reverse" in str(span.style):
            return strip.plain[span.start : span.end].strip()
    return ""


def journal_part(pilot: Pilot[None]) -> str:
    """The part that shows the journal: on a large screen it stands beside the map, on a larger one
    beside everything."""
    for part in ("aside", "beside"):
        if any(room.display for room in pilot.app.screen.query(f"#{part}-room")):
            return part
    return "journal"


def last_order(pilot: Pilot[None]) -> AnyOrder | None:
    """The newest order that stands."""
    screen = pilot.app.screen
    assert isinstance(screen, BattleScreen)
    return screen.session.play.live[-1].order


def row_of(pilot: Pilot[None], side: str, letter: str) -> Row:
    """The row of a side with that letter."""
    return next(row for row in rows(state(pilot), side) if row.letter == letter)


def word(play: BattlePlay) -> str:
    """The large word of the verdict; empty where nothing was judged."""
    found = verdict(play)
    return found.text if found else ""
