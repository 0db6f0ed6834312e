"""Every order of every game is given by the phone of a side to which it belongs, and the pages of
all sides can be shown after it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import bloody_table
import gts_table
import omaha_table
import pytest
from deep import deep_count

from skirmish import registry
from skirmish.games.gts.checks import Contact
from skirmish.session import Session, at_once, job_runner
from skirmish.store.database import Store
from skirmish.tabletop.companion.table_orders import (
    FollowChart,
    JumpTo,
    NextPhase,
    PutBack,
    SetControl,
    TakeCounters,
)
from skirmish.tabletop.form import SetupForm
from skirmish.tabletop.game import PLAYERS
from skirmish.web.side_html import fragment
from skirmish.web.side_player import SidePlayer, board_page, side_page
from tests.games.plastic.campaign.evenings import every_order

sys.path.append(str(Path(__file__).resolve().parents[1] / "games" / "plastic" / "battle"))
sys.path.append(str(Path(__file__).resolve().parents[1] / "games" / "beach_head"))

from test_random_battles import CASES
from test_random_battles import played as battle_played
from test_random_games import played as beach_played
from test_random_games import setup as beach_setup

AT_LEAST, MOST = deep_count(2, 4), 60
"""Evenings of a game that are played on phones; the most until each kind of order has come up."""
EVERYBODY_LOOKS = deep_count(20, 7)
"""After so many orders, and after the first one of each kind, all pages are built."""
EARLY = {"omaha": 9, "gts": 56}
"""The first seed: it brings the kind of order that would come up last."""
RARE = (
    NextPhase(),
    JumpTo(phase=1),
    SetControl(place="J7", side="us", name="American"),
    FollowChart(chart="landing"),
    TakeCounters(counters=()),
    PutBack(cup="mug", chit="a chit"),
    Contact(unit="nobody", leader="nobody", marker=1),
)
"""Orders that hardly any evening needs; where they do not fit the game they are refused."""


def battles() -> Iterator[Any]:
    for case in CASES:
        yield battle_played(case).play


def campaigns() -> Iterator[Any]:
    for seed in range(4):
        yield every_order(seed)


def beaches() -> Iterator[Any]:
    for seed in range(MOST):
        chance = Random(seed)
        yield beach_played(
            chance, beach_setup(chance, own_dice=seed % 2 > 0, own_cards=seed % 3 > 1)
        )


def omahas() -> Iterator[Any]:
    for seed in (EARLY["omaha"], *range(MOST)):
        yield omaha_table.played(Random(seed))


def tactical() -> Iterator[Any]:
    for seed in (EARLY["gts"], *range(MOST)):
        yield gts_table.played(Random(seed), 120)


def bloody() -> Iterator[Any]:
    for seed in range(MOST):
        yield bloody_table.played(Random(seed), 120)


class Phones:
    """The phones of all sides in one game, and how often each kind of order was given."""

    def __init__(self, game: Any, store: Store, first: Any) -> None:
        self.game = game
        self.session = at_once(Session.opened(game, job_runner(store), first))

    def player(self, side: str | None) -> SidePlayer:
        play = self.game.seen(self.session.play, side)
        return SidePlayer(self.session, side, lambda: play, len(self.session.play.entries))

    def give(self, order: Any) -> None:
        """Given by each side's phone to which it belongs; what belongs to the table alone is
        refused to every phone, and given there."""
        sides = self.game.players(self.session.state) or {PLAYERS: ""}
        before = len(self.session.play.entries)
        for side in sides:
            player = self.player(side)
            if at_once(player.give([order])):
                break
            waits = player.why_wait != "" and game_cuts_off(player, order)
            assert waits or not player.is_own(order), (order, player.notice)
        else:
            at_once(self.session.give(order))
        assert len(self.session.play.entries) == before + 1

    def look(self) -> None:
        """Build the page of every side and of a spectator."""
        for side in (*self.game.players(self.session.state), PLAYERS, None):
            player = self.player(side)
            fragment(side_page(player, board_page(player, side or "")))


def game_cuts_off(player: SidePlayer, order: Any) -> bool:
    return bool(player.game.cuts_off(player.session.state, order))


def orders_given(game: Any, plays: Iterable[Any], wanted: set[type]) -> set[type]:
    """The kinds of orders that were given on phones, in evenings until each that is ``wanted``
    has come up."""
    kinds: set[type] = set()
    for nth, play in enumerate(plays):
        orders = [entry.order for entry in play.entries[1:]]
        if nth >= AT_LEAST and {type(order) for order in orders} <= kinds:
            continue
        with Store.open("sqlite://") as store:
            phones = Phones(game, store, play.entries[0])
            for number, order in enumerate(orders):
                new = type(order) not in kinds
                phones.give(order)
                kinds.add(type(order))
                if new or number % EVERYBODY_LOOKS == 0:
                    phones.look()
            assert phones.session.state == play.state
        if nth >= AT_LEAST and wanted <= kinds:
            break
    return kinds


@pytest.mark.parametrize(
    ("id", "plays"),
    [
        ("plastic", battles),
        ("campaign", campaigns),
        ("beach_head", beaches),
        ("omaha", omahas),
        ("gts", tactical),
        ("bloody_omaha", bloody),
    ],
)
def test_every_order_is_given_by_the_phone_of_its_side(
    id: str, plays: Callable[[], Iterator[Any]]
) -> None:
    game = registry.load(id)
    wanted = set(get_args(game.order)) - {type(order) for order in RARE}
    assert not wanted - orders_given(game, plays(), wanted)


@pytest.mark.parametrize("id", ["omaha", "gts", "bloody_omaha"])
@pytest.mark.parametrize("order", RARE, ids=lambda order: type(order).__name__)
def test_an_order_that_does_not_fit_the_game_is_answered_on_the_phone(id: str, order: Any) -> None:
    game = registry.load(id)
    form = SetupForm(game)
    with Store.open("sqlite://") as store:
        phones = Phones(game, store, game.opening(form.answers, lambda: 7))
        for side in (*game.players(phones.session.state), PLAYERS):
            player = phones.player(side)
            taken = at_once(player.give([order]))
            assert taken or player.notice.endswith("."), player.notice
            phones.look()


def test_no_game_is_left_out() -> None:
    ids = [one.id for one in registry.GAMES]
    marks = test_every_order_is_given_by_the_phone_of_its_side.pytestmark
    assert {id for id, _ in marks[0].args[1]} == {"plastic", *ids}
