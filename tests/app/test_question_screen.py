"""One question at a time on the screen: by arrows, by letters, by mouse; the same battle."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
import pytest
from steps import (
    CARDS,
    DECK,
    MIXED,
    NARROW,
    WIDE,
    a_scenario,
    battles_listed,
    eventually,
    fought,
    hold,
    keep,
    press,
    press_until,
    resume,
    shown,
    the_app,
    type_draw,
    until,
    wait_for,
    word,
)
from steps import state as battle_state
from textual.pilot import Pilot

from skirmish.app.application import SkirmishApp
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.foot import Foot
from skirmish.app.home import HomeScreen
from skirmish.app.play.answer_list import AnswerLine, AnswerList
from skirmish.app.play.big_letters import high_letters
from skirmish.app.play.ordering import TitleAndHeadline
from skirmish.app.play.questions import QuestionScreen
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.agenda import CasualtyAsk, DrawAsk, RepeatAsk
from skirmish.games.plastic.battle.orders import EndPhase, Fire
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State


@pytest.fixture(autouse=True)
def nothing_is_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of a test come quicker than any hand's."""
    monkeypatch.setattr(QuestionScreen, "HELD_WITHIN", 0.0)
    monkeypatch.setattr(QuestionScreen, "PAUSE_AFTER_ORDER", 0.0)


async def questions(pilot: Pilot[None]) -> QuestionScreen:
    """Resume the battle, then F2."""
    await resume(pilot)
    await press(pilot, "f2")
    await until(pilot, QuestionScreen)
    return here(pilot)


def name(screen: QuestionScreen) -> str:
    """What is asked."""
    return screen.question.name if screen.question else "draw"


def here(pilot: Pilot[None]) -> QuestionScreen:
    screen = pilot.app.screen
    assert isinstance(screen, QuestionScreen)
    return screen


async def click(pilot: Pilot[None], words: str) -> None:
    """Click the answer with those words."""
    screen = here(pilot)
    at = next(n for n, a in enumerate(screen.answers) if a.words == words)
    answers = screen.query_one(AnswerList)
    row = sum(str(one.prompt).count("\n") + 1 for one in answers.options[:at])
    padding = answers.styles.padding
    offset = (padding.left + 1, row + padding.top)
    assert await pilot.click("#answers", offset=offset)
    await pilot.pause()


def listed(screen: QuestionScreen) -> str:
    return "\n".join(str(one.prompt) for one in screen.query_one(AnswerList).options)


def fired(order: Fire) -> State:
    """Where a battle of the same deck stands after that shot."""
    battle = record.codec.play([record.opening(a_scenario(1, DECK))])
    battle.accept(battle.consider(order))
    return battle.state


def shot(*, cover: bool = False) -> Fire:
    """A Polish rifle at a German one."""
    state = record.codec.play([record.opening(a_scenario(1, DECK))]).state
    keys = {side.id: rows(state, side.id)[0].key for side in state.setup.sides}
    return Fire(shooter=keys["polish"], target=keys["german"], cover=cover)


async def test_a_shot_with_arrows_and_enter_alone(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await questions(pilot)
        assert "Choose a Polish unit." in shown(pilot, "asks")
        await press(pilot, "down", "up", "enter")  # rifles
        assert "Choose a German unit." in shown(pilot, "asks")
        await press(pilot, "down", "down", "up", "up", "enter")
        assert "in front of" in shown(pilot, "asks")
        await press(pilot, "enter")  # no, as a rule
        assert name(screen) == "draw"
        assert "Rifle → Rifle → in the open" in shown(pilot, "trail")
        assert shown(pilot, "asks") == "A Rifle Guy fires at a Rifle Guy."
        assert "About 4 in 10, 42%. Ace to 5 hits." in shown(pilot, "messages")
        assert "A-5" not in shown(pilot, "messages")
        assert "█" in shown(pilot, "letters")
        await press(pilot, "enter")
        assert screen.state == fired(shot())
        assert len(screen.session.play.live) == 2


async def test_what_is_answered_survives_a_kill_and_a_step_back_is_taken_back(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await questions(pilot)
        await press(pilot, *"rr", "y", "escape")
        assert "in front of" in shown(pilot, "asks")
        await press(pilot, "y")
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await until(pilot, BattleScreen)
        draft = pilot.app.screen.draft  # type: ignore[attr-defined]
        assert draft.order() == shot(cover=True)


async def test_a_shot_with_letters_alone_is_that_of_the_battle_screen(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=WIDE) as pilot:
        screen = await questions(pilot)
        await press(pilot, *"rr", "y", "space")
        assert screen.state == fired(shot(cover=True))
        assert shown(pilot, "letters") == high_letters(word(screen.session.play))
        drawn = screen.state.verdict
        assert drawn is not None
        assert drawn.draw.words.upper() in shown(pilot, "because")
        await press(pilot, "f2")
        await until(pilot, BattleScreen)
        assert battle_state(pilot) == screen.state
        last = screen.session.play.live[-1].order
        assert isinstance(last, Fire)
        assert (last.cover, last.close, last.grouped) == (True, False, True)


async def test_a_shot_a_phase_and_an_undo_with_the_mouse_alone(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await questions(pilot)
        for words in ("Rifle", "Rifle", "Yes", "Draw"):
            await click(pilot, words)
        assert screen.state == fired(shot(cover=True))
        for _ in range(20):
            if screen.state.ask is None:
                break
            usual = screen.answers[screen.cursor]
            repeat = isinstance(screen.state.ask, RepeatAsk)
            await click(pilot, "Stop firing" if repeat else usual.words)
        assert screen.state.ask is None
        lines = len(screen.session.play.live)
        await click(pilot, "Next phase")
        assert screen.state.clock.phase == 2
        await click(pilot, "Undo")
        assert screen.state.clock.phase == 1
        assert len(screen.session.play.live) == lines
        await click(pilot, "End this player turn")
        await click(pilot, "End the turn")
        assert screen.state.clock.side == "polish"
        await click(pilot, "The full screen")
        await until(pilot, BattleScreen)


async def test_own_cards_who_dies_and_the_shots_that_may_follow(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await questions(pilot)
        await press(pilot, *"mr", "n", "space")
        assert isinstance(screen.state.ask, DrawAsk)
        await type_draw(pilot, "5")  # its suit is no matter
        assert isinstance(screen.state.ask, CasualtyAsk)
        assert shown(pilot, "letters") == high_letters("HIT") or "choose any man" in shown(
            pilot, "asks"
        )
        await press(pilot, "m")
        assert screen.state.lost.keys() == {"german:M1"}
        assert isinstance(screen.state.ask, RepeatAsk)
        assert "FIRE AGAIN?" in shown(pilot, "asks")
        await press(pilot, "r", "y", "space")  # the next one is in cover
        await type_draw(pilot, "q")
        assert name(screen) == "suit"
        await press(pilot, "s")
        assert "for the breakdown test" in shown(pilot, "asks")
        await type_draw(pilot, "2d")
        assert "holds" in shown(pilot, "because")
        await press(pilot, "o", "r", "space", "escape")  # the card is not drawn
        assert screen.state.ask is None
        await press(pilot, "backspace")
        assert name(screen) == "draws"
        await press(pilot, "escape")
        assert name(screen) == "suit"


async def offered_again(pilot: Pilot[None]) -> QuestionScreen:
    """A machinegun has hit, and its next shot is offered to a player with own cards."""
    screen = await questions(pilot)
    await press(pilot, *"mr", "n", "space")
    await type_draw(pilot, "5h")
    await press(pilot, "m")
    assert isinstance(screen.state.ask, RepeatAsk)
    return screen


@pytest.mark.parametrize("before", [(), ("r",), ("r", "y")], ids=["target", "cover", "draw"])
async def test_a_card_typed_where_a_repeat_shot_is_offered_is_its_draw(
    where: str, before: tuple[str, ...]
) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await offered_again(pilot)
        assert "Or type the card that you draw" in shown(pilot, "messages")
        await press(pilot, *before, "5", "s")
        assert "5s_" in shown(pilot, "asks")
        assert screen.state.shots == 1, "only Enter fires"
        await press(pilot, "enter")
        assert screen.state.shots == 2
        assert [str(judged.draw) for judged in screen.state.judged][-1] == "5S"


async def test_a_card_typed_for_a_repeat_shot_is_taken_back_or_refused(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await offered_again(pilot)
        for keys in (("5", "escape"), ("5", "backspace"), ("5", "s", "escape")):
            await press(pilot, *keys)
            assert "FIRE AGAIN?" in shown(pilot, "asks")
            assert name(screen) == "target"
        await press(pilot, "r", "5", "escape")
        assert name(screen) == "cover", "back where it was begun"
        await press(pilot, "5", "5", "enter")
        assert screen.state.shots == 1, "no card is a 55, and the Enter behind it fires nothing"
        assert "5" in shown(pilot, "messages")


async def test_while_a_card_is_typed_no_answer_is_marked(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await questions(pilot)
        await press(pilot, "m", "r", "n", "space")
        assert isinstance(screen.state.ask, DrawAsk)
        assert [one.words for one in screen.answers] == ["Undo", "The full screen", "Say who won"]
        assert "►" not in listed(screen)
        await press(pilot, "enter")
        assert "Type it first" in shown(pilot, "messages")
        assert isinstance(screen.state.ask, DrawAsk)
        await press(pilot, "up")
        assert screen.answers[screen.cursor].words == "Say who won"
        await press(pilot, "5", "h", "enter")
        assert isinstance(screen.state.ask, CasualtyAsk)
        assert "►" in listed(screen)


async def test_the_book_says_no_and_may_be_overruled(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await questions(pilot)
        await press(pilot, *"mt")
        await press_until(pilot, lambda: name(screen) == "draw", "n")
        assert "The rules say no:" in shown(pilot, "because")
        assert "only in contact" in shown(pilot, "because")
        await press(pilot, "n")
        assert name(screen) != "draw"
        await press_until(pilot, lambda: name(screen) == "draw", "n")
        await press(pilot, "y")
        assert isinstance(screen.state.ask, DrawAsk)
        last = screen.session.play.live[-1].order
        assert isinstance(last, Fire)
        assert last.insist


async def test_escape_goes_one_question_back_each_time(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await questions(pilot)
        await press(pilot, *"rr", "y")
        names = [name(screen)]
        for _ in range(3):
            await press(pilot, "escape")
            names.append(name(screen))
        assert names == ["draw", "cover", "target", "shooter"]
        await press(pilot, *"rr", "enter")
        await press(pilot, "escape", "escape", "escape", "escape")
        await until(pilot, BattleScreen)
        assert len(screen.session.play.entries) == 1


async def test_a_key_without_meaning_is_answered_with_what_would_be_right(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await questions(pilot)
        await press(pilot, "z")
        assert "Choose one of these" in shown(pilot, "messages")
        await press(pilot, *"ck")
        await press(pilot, "escape", "z")
        assert "Choose a German unit." in shown(pilot, "asks")
        await press(pilot, "question_mark", "escape", "j", "J")
        await eventually(pilot, lambda: not isinstance(pilot.app.screen, QuestionScreen))


async def test_a_volley_begun_on_the_full_screen_is_counted_here_too(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"6rrl", "space", "f2")
        await until(pilot, QuestionScreen)
        await press(pilot, "equals_sign")
        assert "6 Rifle > Rifle" in shown(pilot, "asks")
        await press(pilot, "3", "enter")
        assert here(pilot).state.counts[-1].hits == 3
        assert len(here(pilot).state.lost) == 3


async def test_a_misread_card_is_typed_anew(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await questions(pilot)
        await press(pilot, *"rr", "n", "space")
        await type_draw(pilot, "9h")
        assert not screen.state.lost
        await press(pilot, "tab")
        assert "What was wrong? Another card? Just type what it really was." in shown(pilot, "asks")
        assert "Rifle > Rifle, 9H: miss." in shown(pilot, "messages")
        await press(pilot, *"4h")
        assert "4h_" in shown(pilot, "asks")
        await press(pilot, "enter", "enter")
        assert [str(one.draw) for one in screen.state.judged] == ["4H"]
        assert len(screen.state.lost) == 1
        await press(pilot, "tab", "escape")  # nothing was wrong after all
        assert len(screen.state.lost) == 1
        await press(pilot, "backspace")
        assert not screen.state.lost


async def test_who_dies_is_asked_only_after_a_hit_and_the_rule_stands_there(where: str) -> None:
    """Whether he stood alone or within 3 in decides nothing before a man is hit."""
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await questions(pilot)
        await press(pilot, *"rr", "n")
        assert name(screen) == "draw"
        await press(pilot, "space")
        await type_draw(pilot, "2h")
        assert isinstance(screen.state.ask, CasualtyAsk)
        told = " ".join(shown(pilot, "messages").split())
        assert "dies if he stood alone or was hit from within 3 in: Enter." in told
        assert "move now" not in told, "who moves has nothing to do with who dies"
        await press(pilot, "enter")
        assert screen.state.ask is None
        assert len(screen.state.lost) == 1


async def test_a_point_is_the_same_shot_again(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await questions(pilot)
        assert "The same shot again" not in listed(screen)
        await press(pilot, "full_stop")
        assert "no shot here" in shown(pilot, "messages")
        await press(pilot, *"rr", "y", "space")
        await type_draw(pilot, "9h")
        assert "The same shot again   Rifle → Rifle, in cover" in listed(screen)
        await press(pilot, "r", "full_stop")
        assert screen.state.shots == 1, "another shot is being put together"
        await press(pilot, "escape", "full_stop")
        await type_draw(pilot, "10h")
        assert screen.state.shots == 2
        fired_at = [entry.order for entry in screen.session.play.live if entry.order]
        assert [one.cover for one in fired_at if isinstance(one, Fire)] == [True, True]
        await press(pilot, *"mt", "y")  # fired though the rules advise against it
        while isinstance(screen.state.ask, DrawAsk):
            await type_draw(pilot, "9h")
        assert "The same shot again" not in listed(screen)


async def test_only_weapons_that_the_rules_allow_are_offered(where: str) -> None:
    """A tank's machine gun hurts another tank only in contact: nobody is asked which weapon."""
    async with the_app(where).run_test(size=NARROW) as pilot:
        await wait_for(pilot, "none", "Or press n")
        await press(pilot, "enter")
        await until(pilot, QuestionScreen)
        screen = here(pilot)
        await press(pilot, "t", "t")
        assert name(screen) != "weapon"
        await press(pilot, "escape", "r")
        assert name(screen) == "weapon"


async def test_tab_again_is_the_shot_before(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await questions(pilot)
        for card in ("9h", "10h"):
            await press(pilot, *"rr", "n", "space")
            await type_draw(pilot, card)
        for card in ("10H", "9H", "10H"):
            await press(pilot, "tab")
            assert f"Rifle > Rifle, {card}: miss." in shown(pilot, "messages")


async def test_he_was_in_cover_and_the_suit_is_asked(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await questions(pilot)
        await press(pilot, *"rr", "n", "space")
        await type_draw(pilot, "5")
        await press(pilot, "tab", "c")
        assert "Which suit had it?" in shown(pilot, "asks")
        await press(pilot, "c")
        assert not screen.state.lost
        assert name(screen) == "shooter"


async def test_a_key_held_down_draws_once(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QuestionScreen, "PAUSE_AFTER_ORDER", 60.0)  # however slow the test is
    fought(where, EndPhase(), source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await questions(pilot)
        await press(pilot, *"rr", "n")
        await hold(pilot, "enter", 8)
        assert len(screen.session.play.live) == 3
        assert isinstance(screen.state.ask, CasualtyAsk) or name(screen) == "shooter"


async def test_battles_open_in_questions_where_the_player_wants_that(where: str) -> None:
    fought(where, source=DECK)
    app = the_app(where)
    async with app.run_test(size=NARROW) as pilot:
        await app.change_settings(msgspec.structs.replace(app.settings, questions=True))
        await battles_listed(pilot)
        await press(pilot, "enter")
        await until(pilot, QuestionScreen)
        await press(pilot, "f2")
        await until(pilot, BattleScreen)
        await press(pilot, "f2")
        await until(pilot, QuestionScreen)
        await press(pilot, "H")
        await until(pilot, HomeScreen)
        await battles_listed(pilot)
        await press(pilot, "enter")
        await until(pilot, QuestionScreen)
        await press(pilot, "H")
        await until(pilot, HomeScreen)


async def test_a_status_that_is_longer_than_a_row_takes_two(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    headline = "Turn 1 of 6 · Germans ahead: Americans lost 10 of 16 strength, Germans 0 of 16"
    place = TitleAndHeadline("Your first evening", headline)
    monkeypatch.setattr(QuestionScreen, "title_and_headline", place)
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await questions(pilot)
        assert shown(pilot, "place") == headline
        assert screen.query_one("#place").size.height == 2
        last_row_of_answers = screen.query_one(AnswerList).region.bottom
        assert last_row_of_answers <= screen.query_one(Foot).region.y


async def test_distances_are_told_in_the_player_s_measure(where: str) -> None:
    fought(where, source=DECK)
    app = the_app(where)
    async with app.run_test(size=NARROW) as pilot:
        await app.change_settings(msgspec.structs.replace(app.settings, measure="centimetres"))
        await questions(pilot)
        assert "more than 5\u00a0cm" in shown(pilot, "messages")
        await press(pilot, "r")
        assert "A Rifle Guy reaches 30\u00a0cm." in shown(pilot, "messages")


@pytest.mark.parametrize("name", MIXED, ids=range(len(MIXED)))
async def test_names_are_shown_as_they_are(where: str, name: str) -> None:
    setup = a_scenario(1, CARDS)
    sides = tuple(msgspec.structs.replace(side, people=name, player=name) for side in setup.sides)
    keep(where, msgspec.structs.replace(setup, title=name, sides=sides))
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await questions(pilot)
        assert name.upper()[:3] in shown(pilot, "place").upper()
        await press(pilot, *"rr", "n", "space")
        await type_draw(pilot, "2h")
        assert isinstance(screen.state.ask, CasualtyAsk)
        for size in (NARROW, WIDE):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert name[:12] in shown(pilot, "asks")
            for part in screen.query("*"):
                assert part.region.right <= size[0], part
                assert part.region.bottom <= size[1], part


# ------------------------------------------------------------------ pictures

Steps = Callable[[Pilot[None]], Awaitable[None]]


async def who_shoots(pilot: Pilot[None]) -> None:
    await questions(pilot)


async def in_cover(pilot: Pilot[None]) -> None:
    await questions(pilot)
    await press(pilot, *"mr")


async def the_draw(pilot: Pilot[None]) -> None:
    await questions(pilot)
    await press(pilot, *"mr", "y")


async def whose_card(pilot: Pilot[None]) -> None:
    await the_draw(pilot)
    await press(pilot, "space")


async def a_hit(pilot: Pilot[None]) -> None:
    await whose_card(pilot)
    await type_draw(pilot, "5h")


async def shoot_again(pilot: Pilot[None]) -> None:
    await a_hit(pilot)
    await press(pilot, "enter")


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
@pytest.mark.parametrize("steps", [who_shoots, in_cover, the_draw, whose_card, a_hit, shoot_again])
def test_a_question_looks_as_it_did(
    snap_compare: Callable[..., bool], where: str, steps: Steps, size: tuple[int, int]
) -> None:
    fought(where)
    app: SkirmishApp = the_app(where)
    assert snap_compare(app, terminal_size=size, run_before=steps)


async def test_a_shot_that_nothing_seen_would_change_says_so(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await questions(pilot)
        for _ in range(2):
            await press(pilot, "greater_than_sign")
        await press(pilot, "r", "r", "1")  # one of them is in contact
        await press_until(pilot, lambda: name(screen) == "draw", "n")
        await press(pilot, "space")
        assert screen.state.ask is None
        await press(pilot, "tab")
        labels = [one.words for one in screen.answers]
        assert "at another target" in labels
        assert not any("cover" in label for label in labels)
        await press(pilot, "t")
        assert "at whom was it?" in shown(pilot, "asks")


async def test_answers_that_find_no_room_are_scrolled_to(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        found = (await questions(pilot)).query_one(AnswerList)
        answers = [AnswerLine(f"answer {n}" + " and what it does" * 2, str(n)) for n in range(30)]
        for cursor in (0, 15, 29):
            found.show(answers, cursor, width=76, room=found.size.height)
            await pilot.pause()
            assert found.scroll_offset.y <= cursor < found.scroll_offset.y + found.size.height


async def test_a_long_note_goes_on_below_its_own_beginning(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        answer_list = (await questions(pilot)).query_one(AnswerList)
        answer = AnswerLine("Rifle Guy", "a", "a remark that is too long for one row " * 2)
        answer_list.show([answer], 0, width=60, room=10)
        first_row, *more_rows = str(answer_list.options[0].prompt).split("\n")
        begin_of_note = first_row.index("a remark")
        assert more_rows
        for row in more_rows:
            assert len(row) - len(row.lstrip()) == begin_of_note
