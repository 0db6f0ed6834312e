"""What a battle says of itself: what is due, the verdict, its rows, the board in words."""

from __future__ import annotations

import pytest
from fights import CARDS, GAME, a_play, asked, at, done, flat, row, said
from msgspec.structs import replace

from skirmish import library
from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.orders import (
    AddNote,
    ChooseCasualties,
    ChooseResult,
    Correct,
    Count,
    CountHits,
    EndPhase,
    EndTurn,
    Fire,
    Serve,
    SetClock,
    Show,
    Volley,
)
from skirmish.games.plastic.battle.record import BattlePlay, codec, opening
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.row_words import row_status, status_beside_ready
from skirmish.games.plastic.rules.army import Army, ArmyList
from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.page import Paragraph


def due(play: BattlePlay) -> list[str]:
    """Everything that is due, a line each."""
    blocks = [one for one in GAME.due(play).blocks if isinstance(one, Paragraph)]
    return [f"{one.lead} {one.text}".strip().replace("\u00a0", " ") for one in blocks]


def test_no_verdict_of_before_comes_back_when_a_line_is_made_void() -> None:
    play = a_play(5)
    shot = Fire(shooter=row(play, "russian", "r"), target=row(play, "german", "r"), close=True)
    done(play, shot, Show((Draw(4, "H"),)), shot, Show((Draw(9, "H"),)))
    assert GAME.verdict(play).text == "MISS"
    last = GAME.journal(play)[-1]
    play.accept(play.possible("void", *last.entry_numbers))
    assert GAME.journal(play)[-1].text.endswith("4H hit. Germans: Rifle -1.")
    assert GAME.verdict(play) is None
    done(play, shot, Show((Draw(3, "H"),)))
    assert GAME.verdict(play).text == "HIT"


def test_models_that_are_alike_say_so_when_one_is_asked_for() -> None:
    play = done(a_play(2), EndTurn(), EndTurn(), EndTurn())
    tanks = row(play, "french", "t")
    done(play, Serve(row=tanks, count=3), Fire(shooter=row(play, "german", "t"), target=tanks))
    done(play, Show((Draw(1, "H"),)))
    told = said(asked(play))
    assert told.count("undamaged") == 3
    assert told.count("not served") == 9


def test_what_the_hills_do_is_told_and_r_is_no_key_where_nobody_hides() -> None:
    reminder = "A unit that moves on, onto or off the hills moves 3 in at most."
    assert reminder in due(a_play(10))


def test_a_volley_keeps_its_hits_in_the_verdict_when_a_count_follows() -> None:
    play = a_play(5, sources=dict.fromkeys(("german", "russian"), Source("die")))
    volley = Volley(shooter=row(play, "russian", "r"), target=row(play, "german", "r"), count=3)
    done(play, replace(volley, reach=8), Show((Draw(5), Draw(4), Draw(12))))
    rifle = row(play, "german", "r")
    done(play, ChooseCasualties((rifle, rifle)), Count(values={"german": 3, "russian": 2}))
    found = GAME.verdict(play)
    assert (found.text, found.tone) == ("2 HITS", "good")
    assert "miss: 12" in found.reason.split("\n")


def test_dust_says_what_it_does_and_what_ends_it() -> None:
    play = a_play(8)
    tank, other = row(play, "russian", "t"), row(play, "german", "t")
    assert not any("DUST" in line for line in due(play))
    done(play, Fire(shooter=tank, target=other), Show((Draw(11, "S"),)))
    assert "DUST: nobody sees beyond 12 in; the next jack of spades ends it." in due(play)
    assert "Dust covers the table." in flat(GAME.page(play.state))


def test_a_limit_is_told_while_it_holds_and_once_when_it_ends() -> None:
    play = done(a_play(9), SetClock(side="british", turn=7, phase=1))
    limit = "May not move within 2.5 ft of the S edge before turn 8."
    assert f"British: {limit}" in due(play)
    done(play, SetClock(side="british", turn=8, phase=1))
    assert f"British, no longer in force: {limit}" in due(play)
    done(play, SetClock(side="british", turn=9, phase=1))
    assert not any(limit in line for line in due(play))


def test_who_was_chosen_of_the_table_is_told_beside_the_draws() -> None:
    play = done(a_play(3), EndTurn(), EndTurn(), EndTurn())
    done(play, Show((Draw(5, "H"), Draw(10, "H"))), ChooseResult(2))
    assert "Added: 3 Rifle, 1 Machinegun, 1 Jeep at 2." in due(play)


def test_what_was_agreed_before_play_can_be_read_in_the_battle() -> None:
    told = flat(GAME.due_and_progress(a_play(7)))
    assert "Entry and exit: As on the map, through zones A and X" in told
    assert "Victory:" in told


def test_each_lot_says_what_it_is_for_and_what_it_came_to() -> None:
    reds, blues = (
        Army(ArmyList(name=name, units={"rifle": 60}), library.catalog(), {})
        for name in ("Reds", "Blues")
    )
    setup = from_armies(
        reds, blues, library.rulings(), sources=(CARDS, CARDS), chosen=SetupChoices(), lots=True
    )
    play = codec.play([opening(setup)])
    assert "for who places terrain first" in said(asked(play))
    done(play, Show((Draw(9, "H"),)), Show((Draw(4, "S"),)))
    assert "Drawn: Reds 9H, Blues 4S: Reds places terrain first." in due(play)
    assert "for who chooses an edge" in said(asked(play))
    done(play, Show((Draw(2, "H"),)), Show((Draw(4, "D"),)))
    assert "Drawn: Reds 2H, Blues 4D: Blues chooses an edge." in due(play)


@pytest.mark.parametrize("by_hand", [True, False])
def test_a_verdict_leaves_with_the_next_order_or_phase_and_not_with_a_note(by_hand: bool) -> None:
    play = a_play(8)
    tank, other = row(play, "russian", "t"), row(play, "german", "t")
    done(play, Fire(shooter=tank, target=other), Show((Draw(12, "H"),)))
    done(play, AddNote("The dog took the dice."))
    found = GAME.verdict(play)
    assert (found.text, found.tone) == ("MISS", "quiet")
    done(play, Correct(row=row(play, "german", "r"), by=-1) if by_hand else EndPhase())
    assert GAME.verdict(play) is None


def test_a_volley_judged_again_after_its_turn_stands_in_large_words() -> None:
    play = a_play(8)
    rifle, other = row(play, "russian", "r"), row(play, "german", "r")
    done(play, Volley(shooter=rifle, target=other, count=4, close=True), CountHits(low=3))
    done(play, EndTurn())
    done(play, CountHits(low=2, anew=play.state.all_counts[0].shot.id))
    assert GAME.verdict(play).text == "2 HITS"


@pytest.mark.parametrize(
    ("number", "side", "unit", "loads", "says"),
    [
        (1, "german", "truck", True, "K1 10r, K2 10r"),
        (1, "german", "halftrack", True, "3r 2m 1o 4g"),
        (1, "german", "mortar", True, "1 aboard H1"),
        (3, "german", "rifle", False, "6 hidden, ready"),
    ],
)
def test_a_row_says_who_is_inside_and_who_is_hidden(
    number: int, side: str, unit: str, loads: bool, says: str
) -> None:
    state = a_play(number, loads=loads).state
    found = next(one for one in rows(state, side) if one.unit.id == unit and one.here)
    assert row_status(state, found, 15) == says


def test_beside_the_number_that_can_fire_only_what_else_is_true_is_said() -> None:
    state = a_play(3).state
    riflemen = [own for own in rows(state, "german") if own.unit.id == "rifle" and own.here]
    assert {status_beside_ready(state, own) for own in riflemen} == {"", "6 hidden"}


def test_a_row_says_what_is_fuelled_and_who_exited() -> None:
    tanks = a_play(2).state
    fuelled = next(
        one for one in rows(tanks, "french") if one.here[:1] and one.here[0] in tanks.unserved
    )
    assert row_status(tanks, fuelled, 15) == f"0 of {len(fuelled.here)} fuelled"


def test_the_board_in_words_is_what_its_viewer_may_see() -> None:
    play = a_play(3, hidden={"german/hidden/rifle": 6})
    hidden = row(play, "german", "l")
    assert "hidden" in flat(GAME.page(play.state))
    assert "hidden" not in flat(GAME.page(play.state, "american")).lower().replace(
        "hidden\u00a0", ""
    )
    assert rows(play.state, "german")[0].key == hidden
    played = at(a_play(1), 1, "polish")
    told = flat(GAME.page(played.state))
    assert "Turn 1, Poles to move, phase 1: Movement." in told
    assert "Germans fire at anyone who moves more than 2 in." in told
    assert "0 of 28 strength lost." in told
