"""Whose an order is in the companions of board games: that of the units it names."""

from __future__ import annotations

from typing import Any

import gts_table
import omaha_table

from skirmish.games.gts.actions import Act
from skirmish.games.gts.checks import CheckQuality
from skirmish.games.gts.orders import BuyChit, Pay, Proceed
from skirmish.games.omaha.orders import HoldFire, MoveUnits
from skirmish.tabletop.companion.table_orders import CorrectCounter, NextPhase, WriteNote

BOTH = {"us", "german"}


def whose(game: Any, play: Any, given: Any) -> set[str]:
    return set(game.sides_of(play.state, given))


def test_in_omaha_units_are_ordered_by_their_own_side() -> None:
    game, play = omaha_table.GAME, omaha_table.table()
    mine = {side: next(one.id for one in play.state.counters if one.side == side) for side in BOTH}
    for side, unit in mine.items():
        for order in (
            MoveUnits(units=(unit,), place="K7"),
            HoldFire(units=(unit,)),
            CorrectCounter(counter=unit, steps=1),
        ):
            assert whose(game, play, order) == {side}
    for order in (NextPhase(), WriteNote(text="x")):
        assert whose(game, play, order) == BOTH
    assert all(whose(game, play, one) == BOTH for one in game.commands(play.state))


def test_against_the_solitaire_germans_of_omaha_there_is_one_player() -> None:
    game, play = omaha_table.GAME, omaha_table.table(solitaire=True)
    assert set(game.players(play.state)) == {"us"}
    german = next(one.id for one in play.state.counters if one.side == "german")
    assert whose(game, play, HoldFire(units=(german,))) == {"us"}  # he plays them, too


def test_in_the_grand_tactical_series_points_and_chits_belong_to_their_division() -> None:
    game, play = gts_table.GAME, gts_table.entered()
    for division, chit, unit, side in (
        ("82nd", "505", "A/505", "allied"),
        ("406", "Becker", "1/Becker", "german"),
    ):
        counter = gts_table.unit(play, unit).id
        for order in (
            Pay(points="cp", division=division),
            BuyChit(chit=chit),
            Act(unit=counter, action="pass"),
            CheckQuality(unit=counter),
        ):
            assert whose(game, play, order) == {side}, order
    assert whose(game, play, Proceed()) == {"allied", "german"}
