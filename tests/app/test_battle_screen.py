"""The battle screen by its keys, on a real database; what is shown is what is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from steps import (
    DECK,
    END_TURN,
    NARROW,
    WIDE,
    a_scenario,
    eventually,
    fought,
    keep,
    press,
    resume,
    shown,
    state,
    the_app,
    type_draw,
    until,
    word,
)
from textual.pilot import Pilot

from skirmish.app.asking import ChoiceScreen
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.games.plastic.battle.agenda import CasualtyAsk, DrawAsk, RepeatAsk
from skirmish.games.plastic.battle.orders import EndTurn
from skirmish.games.plastic.rules.options import Options


def lost(pilot: Pilot[None]) -> list[str]:
    return sorted(state(pilot).lost)


async def test_a_card_is_told_once_beside_its_verdict_and_once_where_it_is_judged_again(
    where: str,
) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r", "space")
        await type_draw(pilot, "5h")
        panels = "".join(shown(pilot, part) for part in ("asked", "word", "reason")).lower()
        assert panels.count("5 of hearts") == 1
        assert "5h" not in panels
        assert "machinegun against guys: a-8. the defender may choose" in panels.replace("\n", " ")
        await press(pilot, "tab")
        assert not pilot.app.screen.query_one("#verdict").display
        assert shown(pilot, "asked").count("5H") == 1
        assert "5 of hearts" not in shown(pilot, "asked")


async def test_a_count_told_anew_does_not_stand_beside_the_old_verdict(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "greater_than_sign", *"9rr9", "equals_sign", "2", "enter", "enter")
        assert word(pilot.app.screen.session.play) == "2 HITS"
        verdict = pilot.app.screen.query_one("#verdict")
        assert verdict.display
        await press(pilot, "tab")
        assert "HOW MANY HIT?" in shown(pilot, "asked")
        assert "Space" not in shown(pilot, "keys")
        assert not verdict.display
        assert all(len(line) <= 78 for line in shown(pilot, "asked").splitlines())
        await press(pilot, "escape")
        assert verdict.display
        await press(pilot, "greater_than_sign")  # as after any other shot
        assert not verdict.display


async def test_a_pin_draw_by_itself_is_told_by_its_large_word_and_its_card(where: str) -> None:
    fought(where, options=Options(pinning=True))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "K")
        await type_draw(pilot, "8h")
        assert shown(pilot, "reason") == "8 OF HEARTS   F1 why"
        assert word(pilot.app.screen.session.play) == "NOT PINNED"
        await press(pilot, "m", "r", "space")
        await type_draw(pilot, "9c")
        await type_draw(pilot, "7h")
        assert shown(pilot, "reason").startswith("9 OF CLUBS")
        assert "NOT PINNED (7 of hearts)" in shown(pilot, "reason")


async def test_a_whole_turn_of_scenario_1_with_the_players_own_cards(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert "FIRE: POLES" in shown(pilot, "who")
        # Germans move; a Polish machinegun fires at moving riflemen: hit, hit again, miss.
        await press(pilot, "m", "r", "space")
        assert isinstance(state(pilot).ask, DrawAsk)
        await type_draw(pilot, "5h")
        assert isinstance(state(pilot).ask, CasualtyAsk)
        await press(pilot, "enter")
        assert lost(pilot) == ["german:R1"]
        assert isinstance(state(pilot).ask, RepeatAsk)
        await press(pilot, "space")
        await type_draw(pilot, "as")
        assert lost(pilot) == ["german:R1", "german:R2"]  # an ace: nobody is asked
        await press(pilot, "space")
        await type_draw(pilot, "9c")
        assert state(pilot).ask is None
        # Defensive fire: the cannon at the tank; the queen of spades asks for another card.
        await press(pilot, "greater_than_sign", "c", "t", "space")
        await type_draw(pilot, "qs")
        assert isinstance(state(pilot).ask, DrawAsk)
        await type_draw(pilot, "2d")
        assert state(pilot).verdict is not None
        assert "holds" in state(pilot).verdict.explain
        # Close fire, then the defenders' answer: a machinegun fights as a rifle.
        await press(pilot, "greater_than_sign")
        assert "FIRE: GERMANS" in shown(pilot, "who")
        await press(pilot, "g", "r", "space")
        await type_draw(pilot, "8d")
        assert "polish:R1" in lost(pilot)
        await press(pilot, "escape", "greater_than_sign", "m", "r", "space")
        await type_draw(pilot, "6h")
        assert "as a rifle" in state(pilot).verdict.explain
        assert shown(pilot, "reason").startswith("6 OF HEARTS")
        await press(pilot, "greater_than_sign")
        clock = state(pilot).clock
        assert (clock.turn, clock.side, clock.phase) == (1, "polish", 1)
        assert all(not source.gone for source in state(pilot).sources.values())  # both shuffled
        last = state(pilot)
    # Another program, another day: the same state out of the database.
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert state(pilot) == last
        screen = pilot.app.screen
        assert isinstance(screen, BattleScreen)
        for left in range(len(screen.session.play.live) - 1, 0, -1):
            awaited = isinstance(state(pilot).ask, DrawAsk)  # Backspace is the typist's there
            await press(pilot, "escape" if awaited else "backspace")
            await eventually(pilot, lambda left=left: len(screen.session.play.live) == left)
        assert lost(pilot) == []
        assert state(pilot).clock.phase == 1


async def test_a_battle_resumes_in_the_middle_of_an_ask(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r", "space")
        await type_draw(pilot, "5h")
        assert isinstance(state(pilot).ask, CasualtyAsk)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert isinstance(state(pilot).ask, CasualtyAsk)
        assert "WHO DIES?" in shown(pilot, "asked")
        await press(pilot, "m")
        assert lost(pilot) == ["german:M1"]


async def test_a_shot_takes_three_keys_and_in_cover_four(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=WIDE) as pilot:
        await resume(pilot)
        await press(pilot, "r", "r", "space")
        assert len(state(pilot).fired) == 1
        if isinstance(state(pilot).ask, CasualtyAsk):
            await press(pilot, "enter")
        await press(pilot, "r", "r", "c", "space")
        assert len(state(pilot).fired) == 2
        screen = pilot.app.screen
        assert isinstance(screen, BattleScreen)
        shots = [
            e for e in screen.session.play.live if e.order and getattr(e.order, "cover", False)
        ]
        assert len(shots) == 1


async def test_the_verdict_is_painted_before_the_rest_of_the_screen(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fought(where, source=DECK)
    painted: list[str] = []
    for part in ("show_verdict", "show_asked"):
        paint = getattr(BattleScreen, part)

        def noted(*about: object, part: str = part, paint: Any = paint, **how: object) -> Any:
            painted.append(part)
            return paint(*about, **how)

        monkeypatch.setattr(BattleScreen, part, noted)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r")
        painted.clear()
        await press(pilot, "space")
        assert painted[:2] == ["show_verdict", "show_asked"]
        assert "Machinegun > Rifle" not in shown(pilot, "asked")


async def test_advice_is_given_and_can_be_overruled(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        for card in ("9h", "9d"):
            await press(pilot, "m", "t")
            assert "only in contact" in shown(pilot, "asked")
            await press(pilot, "space")
            assert "! fires anyway" in shown(pilot, "asked")
            await press(pilot, "exclamation_mark")
            await type_draw(pilot, card)
        assert len(state(pilot).fired) == 2
        await press(pilot, "m", "r", "space")
        assert "have already fired" in shown(pilot, "asked")


async def test_space_is_not_offered_for_a_shot_that_is_advised_against(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "m", "t")
        assert "! fires anyway" in " ".join(shown(pilot, "asked").split())
        assert "Space" not in shown(pilot, "asked")
        assert "Space draw" not in shown(pilot, "keys")
        await press(pilot, "space")
        assert "Space" not in shown(pilot, "asked")
        await press(pilot, "escape", "m", "r")
        assert "Space draw" in shown(pilot, "asked")
        assert "Space draw" in shown(pilot, "keys")


async def test_nonsense_keys_are_answered_with_what_would_be_right(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "z")
        assert "There is no Polish row z" in shown(pilot, "asked")
        await press(pilot, "down")
        assert "number" not in shown(pilot, "asked")
        await press(pilot, *"99rr4", "space", "space")
        assert shown(pilot, "asked").count("not 99") == 1
        await press(pilot, *["escape"] * 6)
        await press(pilot, "space")
        assert "WHO FIRES?  Choose a Polish unit." in shown(pilot, "asked")
        await press(pilot, "r", "r", "h")
        assert "h changes nothing here" in shown(pilot, "asked")
        await press(pilot, "space")
        await type_draw(pilot, "kh")
        assert "not in this deck" in shown(pilot, "asked")
        await type_draw(pilot, "13")
        assert "is no card" in shown(pilot, "asked")
        await press(pilot, "escape", "escape")
        assert state(pilot).ask is None
        assert state(pilot).fired == frozenset()


async def test_a_card_that_has_gone_is_refused(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        for draw in ("9h", "9h"):
            await press(pilot, "r", "r", "space")
            await type_draw(pilot, draw)
        assert "has gone since the last shuffle" in shown(pilot, "asked")
        assert isinstance(state(pilot).ask, DrawAsk)


async def test_undone_draws_come_again_and_both_players_are_told(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "r", "r", "space")
        screen = pilot.app.screen
        assert isinstance(screen, BattleScreen)
        gone = state(pilot).sources["polish"].gone
        await press(pilot, "backspace")
        assert f"is still the {gone[0].words}." in shown(pilot, "due")
        await press(pilot, "r", "t", "space")  # another shot, the same card
        await press(pilot, "exclamation_mark")
        assert state(pilot).sources["polish"].gone == gone


async def test_the_terms_end_it_and_the_players_may_say_otherwise(where: str) -> None:
    last = fought(where, *[EndTurn()] * 20)
    assert (last.clock.turn, last.outcome) == (11, None)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *END_TURN)
        await eventually(pilot, lambda: state(pilot).outcome)
        assert state(pilot).outcome.winner == "polish"
        assert "POLES WIN" in shown(pilot, "who")
        await press(pilot, "r")
        assert "Backspace opens it again" in shown(pilot, "asked")
        await press(pilot, "F")
        assert "1 " in shown(pilot, "asked")
        await press(pilot, "1")
        await eventually(pilot, lambda: state(pilot).outcome is None)
        await press(pilot, "F")
        assert "1 " in shown(pilot, "asked")
        await press(pilot, "1")
        await eventually(pilot, lambda: state(pilot).outcome)
        assert state(pilot).outcome.winner == "german"
        await until(pilot, BattleScreen)
        await press(pilot, "H")
        await until(pilot, HomeScreen)


async def test_the_sheet_is_printed_from_the_battle_and_never_over_another(where: str) -> None:
    folder = Path(where).parent
    (folder / "scenario-01-overmatched.pdf").write_bytes(b"mine")
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "P")
        await until(pilot, ChoiceScreen)
        await press(pilot, "1")
        await pilot.app.workers.wait_for_complete()
    assert (folder / "scenario-01-overmatched.pdf").read_bytes() == b"mine"
    assert (folder / "scenario-01-overmatched-2.pdf").read_bytes().startswith(b"%PDF")


async def test_the_mouse_chooses_rows_as_letters_do(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        germans, poles = pilot.app.screen.query("SidePanel").results()
        await pilot.click(poles, offset=(4, 2))
        await pilot.click(germans, offset=(4, 1))
        assert "Machinegun > Rifle" in shown(pilot, "asked")


async def test_two_programs_on_one_battle_lose_nothing(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        async with the_app(where).run_test(size=NARROW) as other:
            await resume(other)
            await press(other, *END_TURN)
            await press(pilot, "greater_than_sign")
            assert "not carried out" in shown(pilot, "asked")
            assert state(pilot) == state(other)


async def test_what_a_hit_leaves_to_do_is_said_with_its_keys(where: str) -> None:
    """FIRE AGAIN names Space and Esc; Enter at rest names the question, not reinforcements that
    this battle does not have; cover that saves nobody says why."""
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "enter")
        assert "reinforcements" not in shown(pilot, "asked")
        assert "WHO FIRES?" in shown(pilot, "asked")
        await press(pilot, "m", "r", "space")
        await type_draw(pilot, "5h")
        await press(pilot, "enter")
        assert isinstance(state(pilot).ask, RepeatAsk)
        flat = " ".join(shown(pilot, "asked").split())
        assert "Space or your card fires, a letter picks another target, Esc stops." in flat
        assert "Enter alone" not in flat
        await press(pilot, "tab", "c")
        assert "In cover: 5 of hearts still hits." in shown(pilot, "asked")


async def test_a_volley_whose_number_is_typed_says_that_space_draws(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "greater_than_sign", *"9rr8")
        assert "Space draw. A number from 0 to" in shown(pilot, "asked")
        await press(pilot, "space")
        assert isinstance(state(pilot).ask, DrawAsk)


async def test_the_journal_keeps_to_its_room_where_one_line_is_left(where: str) -> None:
    keep(where, a_scenario(10), EndTurn())
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert "Both sides shuffle" in shown(pilot, "due")
        room, keys = (pilot.app.screen.query_one(f"#{part}") for part in ("journal-room", "keys"))
        await eventually(pilot, lambda: room.region.height)
        assert room.region.bottom <= keys.region.y
