"""What the odd scenarios say at the table: waves, service, hidden men, dust, lots, guns left."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace
from skirmish.app.battle.mode import Mode, Step
from skirmish.app.battle.news import everything, news
from skirmish.app.battle.openings import opened
from skirmish.app.battle.prompt_answers import answering
from skirmish.app.battle.prompt_lists import Arriving
from skirmish.app.battle.verdict_words import reason, word
from steps import CARDS, a_scenario

from skirmish import library
from skirmish.app.battle.keys import strip
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.opening import Chosen, from_armies
from skirmish.games.plastic.battle.orders import (
    AnyOrder,
    Choose,
    Correct,
    Count,
    EndTurn,
    Enter,
    Fire,
    Give,
    Serve,
    SetClock,
    Show,
    Volley,
)
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.rules.army import Army, ArmyList
from skirmish.tabletop.chance import Draw, Source


def a_play(number: int, **chosen: Any) -> BattlePlay:
    return record.codec.play([record.opening(a_scenario(number, **chosen))])


def done(play: BattlePlay, *orders: AnyOrder) -> BattlePlay:
    for order in orders:
        play.accept(play.consider(order))
    return play


def row(play: BattlePlay, side: str, letter: str) -> str:
    return next(r.key for r in rows(play.state, side) if r.letter == letter)


def lines(play: BattlePlay, mode: Step) -> list[str]:
    assert isinstance(mode, Mode)
    return ["".join(text for text, _ in line) for line in mode.lines(play)]


def pressed(play: BattlePlay, mode: Step, keys: Iterable[str]) -> Step:
    for key in keys:
        assert isinstance(mode, Mode), (key, mode)
        mode = mode.press(key, play)
    return mode


def told(play: BattlePlay) -> list[str]:
    return ["".join(text for text, _ in line) for line in news(play)]


def test_who_comes_on_in_part_is_offered_by_letters_that_no_panel_shows() -> None:
    play = done(a_play(9), SetClock(side="german", turn=8, phase=1))
    mode = Arriving(side="german")
    assert "i Rifle 50  a Machinegun 4  o Mortar 2" in lines(play, mode)[1]
    assert lines(play, mode)[2].startswith("5i five of it, Enter brings on the whole wave")
    some = pressed(play, mode, "5i2a")
    assert "i Rifle 45  a Machinegun 2" in lines(play, some)[1]
    order = pressed(play, some, ["i", "enter"])
    assert isinstance(order, Enter)
    assert order.units[row(play, "german", "i")] == 50, "no digit: the rest of the row, not more"
    done(play, order)


def test_models_that_are_alike_stand_together_when_one_is_asked_for() -> None:
    play = done(a_play(2), EndTurn(), EndTurn(), EndTurn())
    tanks = row(play, "french", "t")
    done(play, Serve(row=tanks, count=3))
    shot = Fire(shooter=row(play, "german", "t"), target=tanks)
    done(play, shot, Show((Draw(1, "H"),)))
    assert lines(play, answering(play.state))[1].split("   ")[:2] == [
        "T1-3 undamaged",
        "T4-12 not served",
    ]


def test_service_is_for_the_side_that_needs_it_and_says_when_none_is_due() -> None:
    play = a_play(2)
    assert play.state.mover == "german"
    says = lines(play, opened("serve", play.state))
    assert says[0] == "S SERVE  French are refuelled or served."
    assert says[2] == "None can be served now; press the letter to see why."
    done(play, EndTurn(), EndTurn(), EndTurn())
    assert lines(play, opened("serve", play.state))[2] == "4 more can be served this turn."


def test_hints_of_one_line_name_the_rows_that_can_be_meant() -> None:
    dog, airfield = a_play(10), a_play(3, hidden={"german/hidden/rifle": 6})
    assert lines(dog, opened("convert", dog.state))[2] == "m Machinegun becomes Rifle"
    assert lines(dog, opened("reveal", dog.state))[2] == "This side has nobody hidden."
    hidden = lines(airfield, opened("reveal", airfield.state))
    assert hidden[2] == "Hidden: r Rifle 6"
    reminder = "A unit that moves on, onto or off the hills moves 3\u00a0in at most."
    assert reminder in told(dog), "R is no key where nobody is hidden"


def test_a_volley_keeps_its_hits_on_the_screen_when_a_count_follows() -> None:
    play = a_play(5, sources=dict.fromkeys(("german", "russian"), Source("die")))
    volley = Volley(shooter=row(play, "russian", "r"), target=row(play, "german", "r"), count=3)
    done(play, replace(volley, reach=8), Show((Draw(5), Draw(4), Draw(12))))
    rifle = row(play, "german", "r")
    done(play, Give((rifle, rifle)), Count(values={"german": 3, "russian": 2}))
    assert word(play) == "2 HITS"
    assert "miss: 12" in ["".join(text for text, _ in line) for line in reason(play)]


def test_dust_says_what_it_does_and_what_ends_it() -> None:
    play = a_play(8)
    tank, other = row(play, "russian", "t"), row(play, "german", "t")
    assert not any("DUST" in line for line in told(play))
    done(play, Fire(shooter=tank, target=other), Show((Draw(11, "S"),)))
    assert "DUST: nobody sees beyond 12 in; the next jack of spades ends it." in told(play)


def test_a_limit_is_told_while_it_holds_and_once_when_it_ends() -> None:
    play = done(a_play(9), SetClock(side="british", turn=7, phase=1))
    limit = "May not move within 2.5\u00a0ft of the S edge before turn 8."
    assert f"British: {limit}" in told(play)
    done(play, SetClock(side="british", turn=8, phase=1))
    assert f"British, no longer in force: {limit}" in told(play)
    done(play, SetClock(side="british", turn=9, phase=1))
    assert not any(limit in line for line in told(play))


def test_who_was_chosen_of_the_table_is_told_beside_the_draws() -> None:
    play = done(a_play(3), EndTurn(), EndTurn(), EndTurn())
    done(play, Show((Draw(5, "H"), Draw(10, "H"))), Choose(2))
    assert "Added: 3 Rifle, 1 Machinegun, 1 Jeep at 2." in told(play)
    play = done(a_play(3), EndTurn(), EndTurn(), EndTurn())
    done(play, Show((Draw(5, "H"), Draw(9, "H"))))
    assert not any(line.startswith("New") for line in told(play)), "the draw has said it"


def test_what_was_agreed_before_play_can_be_read_in_the_battle() -> None:
    play = a_play(7)
    assert "Entry and exit: As on the map, through areas A and X" in str(everything(play))


def test_each_lot_says_what_it_is_for_and_what_it_came_to() -> None:
    reds, blues = (
        Army(ArmyList(name=name, units={"rifle": 60}), library.catalog(), {})
        for name in ("Reds", "Blues")
    )
    setup = from_armies(
        reds,
        blues,
        library.rulings(),
        sources=(CARDS, CARDS),
        chosen=Chosen(),
        lots=True,
    )
    play = record.codec.play([record.opening(setup)])
    assert "for who places terrain first" in lines(play, answering(play.state))[0]
    done(play, Show((Draw(9, "H"),)), Show((Draw(4, "S"),)))
    assert "Drawn: Reds 9H, Blues 4S: Reds place terrain first." in told(play)
    assert "for who chooses an edge" in lines(play, answering(play.state))[0]
    done(play, Show((Draw(2, "H"),)), Show((Draw(4, "D"),)))
    assert "Drawn: Reds 2H, Blues 4D: Blues choose their edge." in told(play)


def test_the_strip_names_no_key_that_is_typed_as_a_rank() -> None:
    play = a_play(8)
    assert "journal" in str(strip(play.state, 400))
    tank, other = row(play, "russian", "t"), row(play, "german", "t")
    done(play, Fire(shooter=tank, target=other))
    assert "journal" not in str(strip(play.state, 400))
    assert "home" in str(strip(play.state, 400))


def test_losses_by_hand_leave_the_verdict_of_a_single_shot() -> None:
    play = a_play(8)
    tank, other = row(play, "russian", "t"), row(play, "german", "t")
    done(play, Fire(shooter=tank, target=other), Show((Draw(12, "H"),)))
    done(play, Correct(row=row(play, "german", "r"), by=-1))
    assert word(play) == "MISS"
