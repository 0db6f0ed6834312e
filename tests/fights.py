"""Battles for tests of what is said and done in them: by keys, as at the table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from skirmish import library, registry
from skirmish.games.plastic.battle.orders import AnyOrder, EndTurn
from skirmish.games.plastic.battle.record import BattlePlay, codec, opening
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.tabletop.chance import Source
from skirmish.tabletop.command_pages import draft_page, hint_of
from skirmish.tabletop.commands import Draft, pressed
from skirmish.tabletop.page import Page
from skirmish.tabletop.page_text import as_text

CARDS = Source("deck")
DECK = Source("deck", seed=7)
GAME: Any = registry.load("plastic")
KEYS = {" ": "space", "\n": "enter", "\t": "tab", "<": "backspace"}


def a_play(number: int, *orders: AnyOrder, source: Source = CARDS, **chosen: Any) -> BattlePlay:
    """A scenario with everybody on foot, both sides with own cards, after these orders."""
    scenario = library.scenarios()[number]
    sources = chosen.pop("sources", dict.fromkeys(scenario.order_of_play(), source))
    setup = from_scenario(
        scenario,
        library.catalog(),
        library.rulings(),
        sources=sources,
        chosen=SetupChoices(**{"loads": False, **chosen}),
    )
    return done(codec.play([opening(setup)]), *orders)


def done(battle: BattlePlay, *orders: AnyOrder) -> BattlePlay:
    for order in orders:
        battle.accept(battle.consider(order))
    return battle


def at(battle: BattlePlay, turn: int, side: str) -> BattlePlay:
    while (battle.state.clock.turn, battle.state.clock.side) != (turn, side):
        done(battle, EndTurn())
    return battle


def asked(battle: BattlePlay) -> Draft[Any] | None:
    """The question that is open."""
    prompt = GAME.prompt(battle.state)
    return None if prompt is None else Draft(command=prompt)


def drafted(battle: BattlePlay, keys: Iterable[str], draft: Draft[Any] | None = None) -> Draft[Any]:
    """What keys put together: characters, or names of keys."""
    draft = draft or asked(battle)
    commands = GAME.commands(battle.state)
    for key in keys:
        draft = pressed(draft, commands, KEYS.get(key, key))
    assert draft is not None
    return draft


def order(battle: BattlePlay, keys: Iterable[str], draft: Draft[Any] | None = None) -> AnyOrder:
    """The order that keys come to."""
    found = drafted(battle, keys, draft)
    assert found.complete, (keys, found.answers, found.typed)
    return found.order(lambda: 7)  # type: ignore[no-any-return]


def given(battle: BattlePlay, keys: Iterable[str]) -> BattlePlay:
    """The battle after the order that keys come to."""
    return done(battle, order(battle, keys))


def said(draft: Draft[Any] | None) -> str:
    """All that the question says."""
    assert draft is not None
    return f"{flat(draft_page(draft))} {hint_of(draft)}"


def flat(page: Page) -> str:
    """A page in one line."""
    return " ".join(as_text(page).split())


def row(battle: BattlePlay, side: str, letter: str) -> str:
    return next(one.key for one in rows(battle.state, side) if one.letter == letter)
