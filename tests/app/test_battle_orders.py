"""Orders beside the shots, through the whole screen: windows, waves, counts, looking back."""

from __future__ import annotations

from itertools import product

import pytest
from deep import deep_every
from steps import (
    DECK,
    END_TURN,
    MIXED,
    NARROW,
    WIDE,
    a_scenario,
    each_resumed,
    eventually,
    fought,
    hold,
    keep,
    last_order,
    press,
    press_until,
    resume,
    row_of,
    shown,
    state,
    the_app,
    type_draw,
    until,
    word,
)
from textual import events
from textual.pilot import Pilot
from textual.widgets import OptionList

from skirmish import library
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.battle.summary import SummaryScreen
from skirmish.app.play.journal_page import JournalPage
from skirmish.games.plastic.battle.agenda import DrawAsk, OutcomeAsk, RepeatAsk
from skirmish.games.plastic.battle.orders import AddNote, EndTurn, Enter, Fire, Load, Show, Volley
from skirmish.games.plastic.battle.rows import rows
from skirmish.store.settings import Settings
from skirmish.tabletop.chance import parse_card


def flat(pilot: Pilot[None], part: str) -> str:
    return " ".join(shown(pilot, part).split())


# ------------------------------------------------------------------ own cards, losses only


async def test_draws_typed_ahead_go_into_the_repeat_shots(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r", "space")
        await type_draw(pilot, "a 1h 9")
        assert len(state(pilot).lost) == 2
        assert state(pilot).ask is None
        await press(pilot, "m", "r", "space")
        await type_draw(pilot, "ad")
        assert isinstance(state(pilot).ask, RepeatAsk)
        await press(pilot, "space")  # the next draw is opened, its field has the keys
        assert isinstance(state(pilot).ask, DrawAsk)


async def test_the_suit_alone_is_asked_for_with_one_letter(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r", "c", "space")
        await type_draw(pilot, "5")
        assert "WHICH SUIT is the five?" in shown(pilot, "asked")
        await press(pilot, "s")
        assert state(pilot).ask is None
        assert not state(pilot).lost


async def test_a_side_that_keeps_losses_only_says_so_and_can_change_its_mind(where: str) -> None:
    fought(where, levels={"polish": "ledger"})
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert "losses only" in shown(pilot, "tabs")
        assert "WHO FELL?  The Poles record losses only. Choose a German unit." in shown(
            pilot, "asked"
        )
        await press(pilot, *"2r")
        assert len(state(pilot).lost) == 2
        await press(pilot, *"-r")
        assert len(state(pilot).lost) == 3
        await press(pilot, "I", "2", "1")
        await eventually(pilot, lambda: state(pilot).levels["polish"] == "referee")
        await until(pilot, BattleScreen)
        await press(pilot, "m", "r", "space")
        assert state(pilot).shots == 1


async def test_who_can_no_longer_win_is_said_in_a_line_and_the_end_proposed_once(
    where: str,
) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"-23r")
        assert "THE END?  The Germans can no longer win." in shown(pilot, "asked")
        assert "The Germans can no longer win." in shown(pilot, "situation").split("\n")
        await press(pilot, "p")
        assert state(pilot).outcome is None
        await press(pilot, *"rr")
        assert "THE END?" not in shown(pilot, "asked")
        await press(pilot, "escape", "escape", "escape", "backspace")
        assert "THE END?" in shown(pilot, "asked")
        for key in ("enter", "space", "r", "k", "space"):  # a shot that was typed ahead
            await press(pilot, key)
            assert state(pilot).outcome is None
        assert "e ends it, p plays it out." in flat(pilot, "asked")
        await press(pilot, "f2", "enter", "space")  # one question at a time: no line is marked
        assert "e ends it, p plays it out." in flat(pilot, "messages")
        await press(pilot, "f2")
        assert state(pilot).outcome is None
        await press(pilot, "e")
        outcome = state(pilot).outcome
        assert outcome is not None
        assert outcome.winner == "polish"


# ------------------------------------------------------------------ advice overruled


async def test_what_was_advised_against_is_done_with_one_key(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"Lk11r", "enter")
        assert "! loads them anyway" in shown(pilot, "asked")
        await press(pilot, "exclamation_mark")
        order = last_order(pilot)
        assert isinstance(order, Load)
        assert order.insist
        await press(pilot, *"+t")
        assert "! adds them to the battle" in shown(pilot, "asked")
        await press(pilot, "exclamation_mark")
        assert len(row_of(pilot, "german", "t").alive) == 2
        # Firm is firm, and an advice that has passed is not overruled later.
        await press(pilot, *"-9t")
        assert "! " not in shown(pilot, "asked")
        entries = len(pilot.app.screen.session.play.entries)
        await press(pilot, "exclamation_mark")
        assert len(pilot.app.screen.session.play.entries) == entries


# ------------------------------------------------------------------ what is due


async def test_enter_brings_the_wave_that_is_due(where: str) -> None:
    keep(where, a_scenario(9), *[EndTurn()] * 15)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert "Germans, Reaction force: 50 Rifle" in flat(pilot, "due")
        await press(pilot, "enter")
        order = last_order(pilot)
        assert isinstance(order, Enter)
        assert "Reaction force: 50" not in flat(pilot, "due")
        assert not any(row.waiting for row in rows(state(pilot), "german"))
        await press(pilot, "enter")
        assert "No reinforcements are due" in shown(pilot, "asked")


async def test_players_count_at_will_and_when_it_decides(where: str) -> None:
    keep(where, a_scenario(9), *[EndTurn()] * 46)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"C4", "enter", *"9", "enter")
        assert "9 when last counted, turn 24" in flat(pilot, "situation")
        await press(pilot, *END_TURN)
        await press(pilot, *END_TURN)
        assert isinstance(state(pilot).ask, OutcomeAsk)
        assert "TIME IS UP, COUNT" in shown(pilot, "asked")
        await press(pilot, *"12", "enter", *"3", "enter")
        assert state(pilot).outcome.winner == "british"
        assert "Y is the summary" in flat(pilot, "asked")


async def test_the_end_of_a_turn_says_once_which_fights_it_skips(where: str) -> None:
    """Enter ends it all the same, Esc goes back to it; in phase 4 nothing is left to skip."""
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        before = state(pilot).clock
        await press(pilot, "E")
        told = flat(pilot, "asked")
        assert "This skips close combat (phase 3) and the Polish answer (phase 4)." in told
        assert "Enter ends the turn all the same." in told
        assert state(pilot).clock == before
        await press(pilot, "E")
        assert "Enter ends the turn, Esc goes back to it." in flat(pilot, "asked")
        await press(pilot, "escape")
        assert "skips" not in flat(pilot, "asked")
        assert state(pilot).clock == before
        await press(pilot, "E", "enter")
        assert (state(pilot).clock.side, state(pilot).clock.phase) == ("polish", 1)
        await press(pilot, *["greater_than_sign"] * 2, "E")
        told = flat(pilot, "asked")
        assert "This skips the German answer in close combat (phase 4)." in told
        await press(pilot, "escape", "greater_than_sign", "E")
        assert (state(pilot).clock.turn, state(pilot).clock.side) == (2, "german")


async def test_the_list_of_a_command_answers_to_arrows_and_enter(where: str) -> None:
    """``I``: the second side becomes a ledger without a letter typed; the letters go on working."""
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert set(state(pilot).levels.values()) == {"clerk"}
        await press(pilot, "I", "enter")
        assert "Germans: clerk" in shown(pilot, "asked"), "Enter takes nothing by itself"
        await press(pilot, "down", "down", "enter")
        assert "Poles: from now on" in flat(pilot, "asked")
        await press(pilot, "up", "up", "up", "enter")
        await eventually(pilot, lambda: state(pilot).levels["polish"] == "ledger")
        assert state(pilot).levels["german"] == "clerk"
        await press(pilot, "I", "down", "up", "1", "5")
        await eventually(pilot, lambda: state(pilot).levels["german"] == "ledger")
        await press(pilot, "up")
        assert "LOOKING BACK" in shown(pilot, "asked"), "at rest the arrows walk in the journal"


async def test_both_are_told_to_shuffle_their_own_decks(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "r", "r", "space")
        await type_draw(pilot, "9c")
        assert "shuffle now" not in shown(pilot, "due")
        await press(pilot, *END_TURN)
        assert "Both sides shuffle their decks now" in shown(pilot, "due")
        await press(pilot, "greater_than_sign")
        assert "shuffle now" not in shown(pilot, "due")


async def test_everything_due_can_be_read_where_it_does_not_fit(where: str) -> None:
    keep(where, a_scenario(10))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert "F7 " in shown(pilot, "due")
        assert "Within 6 in of the N edge" not in flat(pilot, "due")
        await press(pilot, "U")
        said = flat(pilot, "board")
        assert "Within 6 in of the N edge" in said
        assert "Victory:" in said
        room = pilot.app.screen.query_one("#board-room")
        await press(pilot, *["pagedown"] * 5)
        assert room.scroll_y == room.max_scroll_y


# ------------------------------------------------------------------ windows


async def test_optional_rules_and_force_quality_are_switched_in_play(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert not state(pilot).options.pinning
        await press(pilot, "Z", "1")
        await eventually(pilot, lambda: state(pilot).options.pinning)
        await press(pilot, "7", "2")  # it stays open for the next
        await eventually(pilot, lambda: state(pilot).quality_of("german") is not None)
        await press(pilot, "escape", "r")
        assert "Fire: Rifle\nAT WHOM?" in shown(pilot, "asked")


@pytest.mark.parametrize("text", MIXED, ids=range(len(MIXED)))
async def test_words_that_people_type_are_shown_as_they_are(where: str, text: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "N")
        pilot.app.screen.post_message(events.Paste(text))
        await press(pilot, "enter")
        await eventually(pilot, lambda: isinstance(last_order(pilot), AddNote))
        assert text.split(maxsplit=1)[0][:20] in flat(pilot, "journal")
        await press(pilot, "up")
        await press(pilot, "escape", "J")
        await until(pilot, JournalPage)


async def test_a_secret_is_sealed_and_opened(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "Q", "2", *"mill")
        assert "mill" not in shown(pilot, "asked")
        assert "****_" in shown(pilot, "asked")
        await press(pilot, "enter")
        await eventually(pilot, lambda: "polish" in state(pilot).sealed)
        assert "mill" not in flat(pilot, "journal")
        await press(pilot, "Q", "2")
        await eventually(pilot, lambda: not state(pilot).sealed)
        assert "mill" in flat(pilot, "journal")


async def test_the_end_of_a_broken_refusal_is_not_shown_a_second_time(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *(">" * 2), *"2rr", "equals_sign", *"2a")
        text = shown(pilot, "asked")
        assert "No a is asked for here" in text
        assert text.count("drops it") == 1


async def test_space_is_offered_only_where_it_does_something(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert "Space" not in shown(pilot, "keys")
        await press(pilot, "m", "r")
        assert "Space draw" in shown(pilot, "keys")
        await press(pilot, "space", *"ah", "enter")
        assert "Space fire again" in shown(pilot, "keys")


# ------------------------------------------------------------------ looking back


async def test_back_to_here_takes_back_all_that_came_after_and_redo_brings_it(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"-3r", *"-k", *"-m")
        await press(pilot, "up", "up", "up", "b")
        assert "2 later lines are undone" in shown(pilot, "asked")
        await press(pilot, "enter")
        assert len(state(pilot).lost) == 3
        await press(pilot, "ctrl+y")
        assert len(state(pilot).lost) == 5


async def test_struck_lines_stay_in_the_journal_hidden_until_asked_for(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"-3r", *"-k", "backspace", "up", "v", "enter")
        assert not state(pilot).lost
        assert "Rifle" not in shown(pilot, "journal")
        await press(pilot, "J")
        await until(pilot, JournalPage)
        listed = pilot.app.screen.query_one(OptionList)
        before = listed.option_count
        await press(pilot, "h")
        texts = [str(listed.get_option_at_index(i).prompt) for i in range(listed.option_count)]
        assert listed.option_count > before
        assert any("Rifle -3" in text and "(void)" in text for text in texts)
        assert any("(undone)" in text for text in texts)
        await press(pilot, "escape")
        await until(pilot, BattleScreen)


async def test_from_the_journal_a_whole_line_is_made_void_or_says_why_it_stays(where: str) -> None:
    rifles, guns = "german/column/rifle", "polish/rearguard/machinegun"
    shot = Fire(shooter=guns, target=rifles, cover=True)
    fought(where, AddNote(" ".join(["A long note."] * 9)), shot, Show((parse_card("AH"),)))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "escape", "J")
        await until(pilot, JournalPage)
        listed = pilot.app.screen.query_one(OptionList)
        rows = [str(listed.get_option_at_index(i).prompt) for i in range(listed.option_count)]
        (note,) = [row for row in rows if "A long note." in row]
        _, *more = note.splitlines()
        assert more
        assert all(line.startswith("     A ") or line[5:6].isalpha() for line in more)
        await press(pilot, "home", "v")
        assert "The opening cannot be made void." in str(list(pilot.app._notifications))
        await press(pilot, "end", "v")
        await eventually(pilot, lambda: "1 void or undone: h" in shown(pilot, "title"))
        # The key that shows them, as the player has it.
        await pilot.app.change_settings(Settings(keys={"journal.hidden": "f6"}))
        await eventually(pilot, lambda: "1 void or undone: F6" in shown(pilot, "title"))
        await press(pilot, "escape")
        await until(pilot, BattleScreen)
        assert not state(pilot).lost
        assert not state(pilot).fired


async def test_half_of_a_volley_that_was_put_right_is_not_made_void(where: str) -> None:
    """Where all lines are shown, what was typed after the correction is a line by itself."""
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"2rr8", "space", *"9h", "enter", *"1=2h 9c", "enter", "enter")
        assert len(state(pilot).lost) == 1
        await press(pilot, "J")
        await until(pilot, JournalPage)
        await press(pilot, "h", "end", "v", "escape")
        await until(pilot, BattleScreen)
        assert state(pilot).ask is None
        assert not state(pilot).lost
        assert not state(pilot).fired
        assert "2H" not in shown(pilot, "journal")


async def test_a_shot_is_judged_again_from_the_cursor(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        for card in ("3s", "9c"):
            await press(pilot, "r", "r", "space")
            await type_draw(pilot, card)
            if state(pilot).ask:
                await press(pilot, "enter")
        await press(pilot, "up", "up", "tab", "c")
        assert not state(pilot).lost


async def test_tab_past_the_only_shot_says_so(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "r", "m", "space", "tab")
        assert "Esc leaves." in shown(pilot, "asked")
        assert "same" not in shown(pilot, "keys")
        await press(pilot, "tab")
        assert "Tab leads no further here." in shown(pilot, "asked")


# ------------------------------------------------------------------ keys held down, both sizes


async def test_space_held_down_counts_twice_at_most_and_another_key_is_not_eaten(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fought(where, source=DECK)
    monkeypatch.setattr(BattleScreen, "HELD_WITHIN", 0.1)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"2rr", "space")
        kept = pilot.app.screen.session
        entries = len(kept.play.entries)
        assert isinstance(last_order(pilot), Volley)
        await hold(pilot, "space", 3)
        assert "Space is held down" in flat(pilot, "asked")
        await hold(pilot, "space", 7)
        assert len(kept.play.entries) <= entries + 1
        await press_until(pilot, lambda: state(pilot).ask is None, "enter")
        await press(pilot, "full_stop")
        assert len(kept.play.entries) > entries


async def test_a_key_held_down_with_ctrl_is_called_by_its_name(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fought(where, source=DECK)
    monkeypatch.setattr(BattleScreen, "HELD_WITHIN", 0.1)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await hold(pilot, "ctrl+z", 3)
        assert "Ctrl+Z is held down" in flat(pilot, "asked")


async def test_the_prompt_of_a_volley_says_whose_card_it_wants(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"2mr8", "space")
        assert "for Machinegun 1 of 2, 0 hits so far" in flat(pilot, "asked")
        await type_draw(pilot, "8h 7d 9c")
        assert "for Machinegun 2 of 2, 2 hits so far" in flat(pilot, "asked")
        await type_draw(pilot, "qs")
        assert "for the breakdown test of Machinegun 2 of 2, 2 hits so far" in flat(pilot, "asked")
        await type_draw(pilot, "2s")
        assert word(pilot.app.screen.session.play) == "2 HITS 1 BROKEN"


async def test_a_misread_card_and_a_suit_nobody_told_are_typed_into_judge_again(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"rrl", "space")  # a lone man, so that nobody is asked for
        await type_draw(pilot, "5")
        assert state(pilot).lost
        await press(pilot, "tab", "c")
        assert "Which suit had it?" in flat(pilot, "asked")
        await press(pilot, "s")
        assert not state(pilot).lost
        await press(pilot, "tab", *"10h", "backspace", "backspace", "backspace", *"4d", "enter")
        assert [str(judged.draw) for judged in state(pilot).judged] == ["4D"]
        assert state(pilot).lost
        assert "It was the 4 of diamonds, not the 5 of spades." in flat(pilot, "journal")


async def test_a_volley_of_own_cards_is_told_in_twelve_keys(where: str) -> None:
    """20 rifles, and as many keys for 40."""
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        keys = (*"20rr20", "equals_sign", *"12a1", "enter")
        assert len(keys) <= 12
        await press(pilot, *keys)
        assert state(pilot).counts[-1].hits == 12
        assert "choose 11 of 12 men" in flat(pilot, "asked")
        assert "20 fired, 12 low enough (1 ace)" in flat(pilot, "reason")
        await press(pilot, "enter")
        assert len(state(pilot).lost) == 12
        await press(pilot, "tab", "c", "b", "5", "enter", "enter")  # all of it in cover after all
        assert len(state(pilot).lost) == 7
        assert "5 saved by cover" in flat(pilot, "journal")


async def test_equals_counts_the_rest_of_a_volley_that_was_begun_card_by_card(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"6rrl", "space")
        await type_draw(pilot, "9h 5d")
        await press(pilot, "equals_sign", "escape")
        assert isinstance(state(pilot).ask, DrawAsk)
        await type_draw(pilot, "9d")
        await press(pilot, "equals_sign", "4")
        await press(pilot, "enter")
        assert "At most 3 can hit, not 4. Enter: 3. Esc drops it." in flat(pilot, "asked")
        await press(pilot, "escape", "2", "tab", "enter")
        assert (state(pilot).ask, len(state(pilot).lost)) == (None, 3)


async def test_the_program_counts_its_own_cards(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "r", "equals_sign")
        assert "= counts the hits of a volley" in flat(pilot, "asked")
        await press(pilot, "escape", *"6rr", "equals_sign")
        assert "The program draws for this side" in flat(pilot, "asked")


@pytest.mark.parametrize("typed", ["9h", "9h 10d"])
async def test_a_card_that_has_gone_is_taken_with_an_exclamation_mark(
    where: str, typed: str
) -> None:
    """It is true, it lies there: the one before it was read wrong."""
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"rr", "space")
        await type_draw(pilot, "9h")
        await press(pilot, *"2rr", "space")
        await type_draw(pilot, typed)
        assert "mistyped. ! takes the card" in flat(pilot, "asked")
        await press(pilot, "exclamation_mark")
        assert str(state(pilot).judged[1].draw) == "9H"
        assert pilot.app.screen.draft is None or not pilot.app.screen.draft.typed
        assert "one of the two was mistyped" in flat(pilot, "journal")


async def test_a_card_typed_ahead_of_its_field_is_not_lost(where: str) -> None:
    """Space and the card in one breath: the field is not there yet when the card's keys come."""
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        for typed in (*"rr 9h", "enter", *"2rr", "space", *"10", "enter", *"3d", "enter"):
            key, character = ("space", " ") if typed == " " else (typed, typed[:2][:1])
            pilot.app.post_message(events.Key(key, None if len(typed) > 1 else character))
        await eventually(pilot, lambda: len(state(pilot).judged) == 3)
        assert [str(judged.draw) for judged in state(pilot).judged] == ["9H", "10", "3D"]


async def test_no_part_of_the_screen_is_pushed_off_it(where: str) -> None:
    known, seen = deep_every(3, library.published_scenarios()), set()
    for number in known:
        keep(where, a_scenario(number, DECK, loads=True))
    async with the_app(where).run_test(size=NARROW) as pilot:
        async for _ in each_resumed(pilot, len(known)):
            seen.add(state(pilot).setup.scenario.number)
            await nothing_is_pushed_off(pilot)
    assert seen == set(known)


async def nothing_is_pushed_off(pilot: Pilot[None]) -> None:
    firing = rows(state(pilot), state(pilot).firing_side)[0]
    foes = rows(state(pilot), state(pilot).mover)
    target = next(row for row in foes if row.on_foot)
    again = [(firing.letter, target.letter), ("space",), ("escape", "up")]
    for size, keys in product((NARROW, WIDE), [("escape",), *again]):
        if pilot.app.size != size:
            await pilot.resize_terminal(*size)
        await press(pilot, *keys)
        bottom = pilot.app.screen.query_one("#keys")
        await eventually(pilot, lambda bar=bottom, size=size: bar.region.y == size[1] - 1)
        assert bottom.region.height == 1
        for part in ("asked", "due", "journal", "reason"):
            widget = pilot.app.screen.query_one(f"#{part}")
            if widget.display and widget.parent.display:
                wrapped = widget.render().wrap(max(widget.content_size.width, 1))
                assert len(wrapped) <= max(widget.content_size.height, 1), (part, keys)


async def test_enter_fires_again_where_space_does(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r", "space")
        await type_draw(pilot, "ah")
        await press(pilot, "enter")
        ask = state(pilot).ask
        assert isinstance(ask, DrawAsk)
        assert state(pilot).shots == 2


async def test_the_keys_below_can_be_clicked_and_the_summary_is_offered(where: str) -> None:
    fought(where, *[EndTurn()] * 20)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        at = shown(pilot, "keys").index("end turn")
        await pilot.click("#keys", offset=(at, 0))
        await press(pilot, "enter")
        await eventually(pilot, lambda: state(pilot).outcome)
        assert "Y summary" in shown(pilot, "keys")
        await press(pilot, "Y")
        await until(pilot, SummaryScreen)


async def test_a_card_typed_where_a_repeat_shot_is_offered_is_its_draw(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r", "space")
        await type_draw(pilot, "ah")
        await press_until(pilot, lambda: isinstance(state(pilot).ask, RepeatAsk), "enter")
        assert "Space or your card fires" in flat(pilot, "asked")
        shots = state(pilot).shots
        await press(pilot, *"9s", "enter")
        assert state(pilot).shots == shots + 1
        assert str(state(pilot).judged[-1].draw) == "9S"
        assert state(pilot).ask is None


async def test_a_number_too_long_fires_nothing(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"10000rr", "space", "enter")
        assert state(pilot).shots == 0
        assert "100 is too many: 99 is the most. Esc drops it." in flat(pilot, "asked")
        await press(pilot, "escape", *"rr", "space")
        assert isinstance(last_order(pilot), Fire)
