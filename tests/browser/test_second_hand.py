"""Two hands in one battle: nobody's thumb cuts off the other, and who waits is told for what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from test_page_html import Reader
from test_thumb import Thumb, opened

from skirmish import registry
from skirmish.player import AnyCommand
from skirmish.session import AnySession, at_once
from skirmish.store.database import Store
from skirmish.tabletop.game import PLAYERS
from skirmish.tabletop.slots import ENTER, TAB
from skirmish.web.side_html import fragment
from skirmish.web.side_player import InHand, SidePlayer, board_page, side_page
from skirmish.web.side_view import Button, SidePage

OWN = {"battle": "10", "draws:german": "own_deck", "draws:american": "own_deck"}
SENTENCE = re.compile(r"[A-Z][^.!?]*[.!?]")


class Hand:
    """The phone of a side that sees what the other one has begun."""

    def __init__(self, session: AnySession, side: str | None) -> None:
        self.session, self.side = session, side
        self.keys: tuple[str, ...] = ()
        self.at = 0
        self.others: list[Hand] = []

    def player(self) -> SidePlayer:
        entries = len(self.session.play.entries)
        if entries != self.at:
            self.at, self.keys = entries, ()
        begun = [InHand(one.side, one.keys) for one in self.others if one.keys]
        play = self.session.game.seen(self.session.play, self.side)
        return SidePlayer(self.session, self.side, lambda: play, entries, self.keys, others=begun)

    def tap(self, *presses: str) -> str:
        notice = ""
        for press in presses:
            player = self.player()
            at_once(player.tap(press))
            notice = player.notice
            self.keys, self.at = player.keys, len(self.session.play.entries)
        return notice

    def page(self) -> SidePage:
        player = self.player()
        return side_page(player, board_page(player, self.side or "Watching"))

    def button(self, label: str) -> Button:
        found = [one for _, buttons in self.page().commands for one in buttons]
        return next(one for one in found if one.text == label)

    @property
    def text(self) -> str:
        return " ".join(Reader(fragment(self.page())).text.split())


Hands = tuple[Hand, Hand]


def two_hands(store: Store, **answers: str) -> Hands:
    session = opened("plastic", store, **(answers or OWN))
    germans, americans = Hand(session, "german"), Hand(session, "american")
    germans.others, americans.others = [americans], [germans]
    return germans, americans


@pytest.fixture
def hands() -> Iterator[Hands]:
    with Store.open("sqlite://") as store:
        yield two_hands(store)


def entries(hand: Hand) -> int:
    return len(hand.session.play.entries)


# ------------------------------------------------------------------ nobody is cut off


def cannot_go_on(hand: Hand, why: str) -> None:
    before = entries(hand)
    for label, key in (("Next phase", ">"), ("End this player turn", "E")):
        button = hand.button(label)
        assert button.is_off
        assert hand.tap(key) == why
    assert entries(hand) == before
    assert hand.text.count(why) <= 1


def unfinished(order: str) -> str:
    """Who waits is told what the other side has not finished."""
    return f"The Germans must {order} first, or call it off."


def test_the_mover_waits_until_the_defender_has_fired_again_or_stopped(hands: Hands) -> None:
    germans, americans = hands
    germans.tap("m", "i", ENTER, "7", "h", ENTER)
    americans.tap(ENTER)
    assert type(germans.session.state.ask).__name__ == "RepeatAsk"
    cannot_go_on(americans, "The Germans must answer first.")
    assert "may fire again with the Machinegun Guy, or stop." in americans.text
    assert "The Americans must wait for your answer." in germans.text
    germans.tap("escape")
    assert not americans.button("Next phase").is_off
    before = entries(americans)
    americans.tap(">")
    assert entries(americans) == before + 1


def test_no_other_order_of_the_mover_declines_the_offer(hands: Hands) -> None:
    germans, americans = hands
    germans.tap("m", "i", ENTER, "7", "h", ENTER)
    americans.tap(ENTER)
    before = entries(americans)
    assert americans.tap("D") == "The Germans must answer first."
    assert entries(americans) == before


def test_a_question_of_who_dies_is_not_settled_by_the_other_hand(hands: Hands) -> None:
    germans, americans = hands
    germans.tap("m", "i", ENTER, "7", "h", ENTER)
    assert type(germans.session.state.ask).__name__ == "CasualtyAsk"
    before = entries(germans)
    assert germans.tap(">") == "The Americans must answer first."
    assert entries(germans) == before
    assert "The Americans choose who of them dies." in germans.text
    assert "The Germans must wait for your answer." in americans.text


def test_what_the_defender_puts_together_is_not_cut_off(hands: Hands) -> None:
    germans, americans = hands
    assert not americans.button("Next phase").is_off
    germans.tap("m")
    assert not americans.text.count("Against you now")
    germans.tap("i")
    cannot_go_on(americans, unfinished("fire"))
    germans.tap("back", "back")
    assert not americans.button("Next phase").is_off


def test_a_shot_that_is_judged_again_is_not_cut_off(hands: Hands) -> None:
    germans, americans = hands
    germans.tap("m", "i", ENTER, "j", "h", ENTER)
    germans.tap(TAB)
    germans.tap("5")
    cannot_go_on(americans, unfinished("judge the last shot again"))
    assert "The shot is judged again" in americans.text


def test_a_shot_of_an_earlier_turn_is_judged_again_on_the_phone_of_who_fired(hands: Hands) -> None:
    """The other side has fired since, and its turn is over as well."""
    germans, americans = hands
    germans.tap("m", "i", ENTER, "j", "h", ENTER)
    americans.tap("E", ENTER)
    americans.tap("r", "r", ENTER, "q", "h", ENTER)
    germans.tap("E", ENTER)
    rifle = "Rifle (116th Regiment at the seawall)"
    for hand, people in ((germans, "Machinegun"), (americans, rifle)):
        assert not hand.button("Judge the last shot again").why_not
        before = entries(hand)
        hand.tap(TAB)
        question = hand.page().question
        assert question is not None
        assert "Judge again: " in hand.text
        assert f"{people} > " in hand.text  # with its group where there are several such rows
        hand.tap("back")
        assert entries(hand) == before
    germans.tap(TAB)
    germans.tap("5", "h", ENTER)
    assert type(germans.session.play.entries[-1].order).__name__ == "Rejudge"


def test_who_stands_up_again_is_said_beside_the_new_verdict(hands: Hands) -> None:
    """The owner puts the man back on the table, and the journal of his phone is folded."""
    germans, americans = hands
    back = "Back on the table: 1 Rifle Guy (116th Regiment on the sand)."

    def verdict() -> str:
        shown = americans.page().verdict
        if shown is None:
            return ""
        return shown.reason

    germans.tap("m", "i", ENTER, "3", "c", ENTER)
    americans.tap("i")
    assert back not in verdict()
    germans.tap(TAB, "c")
    assert back in verdict()
    # Another card still kills: he is hit as before, and nobody stands up.
    germans.tap(TAB, "c")
    americans.tap("i")
    assert back not in verdict()


def test_what_is_advised_against_can_be_done_anyway_where_nothing_is_asked() -> None:
    """In D of the first turn of GTS a division has no points: a phone had neither the button that
    rolls for them nor one that goes on without."""
    with Store.open("sqlite://") as store:
        session = opened("gts", store)
        hand = Hand(session, "allied")
        hand.tap("D", "a", "1 Abn\n", "4\n", "3\n", "0\n", "0\n", *["space"] * 3)
        assert session.state.phase_id == "points"
        assert hand.button("Roll for points").press == "O"
        before = entries(hand)
        player = hand.player()
        at_once(player.tap("space"))
        page = side_page(player, board_page(player, "Allied"))
        assert (session.state.phase_id, page.notice) == ("points", "1 Abn has no points yet.")
        buttons = [button for _, group in page.commands for button in group]
        (anyway,) = [button for button in buttons if button.text == "Do it anyway"]
        assert hand.tap(anyway.press) == ""
        assert entries(hand) == before + 1
        assert session.state.phase_id == "parks"


class UngroupedPlayer(SidePlayer):
    """A player of a game whose commands stand under no heading."""

    @property
    def commands(self) -> tuple[AnyCommand, ...]:
        return tuple(replace(command, group="") for command in super().commands)


def test_do_it_anyway_is_the_first_button_also_where_commands_have_no_heading() -> None:
    with Store.open("sqlite://") as store:
        session = opened("gts", store)
        hand = Hand(session, "allied")
        hand.tap("D", "a", "1 Abn\n", "4\n", "3\n", "0\n", "0\n", *["space"] * 3)
        entries_now = len(session.play.entries)
        player = UngroupedPlayer(session, "allied", lambda: session.play, entries_now)
        at_once(player.tap("space"))
        page = side_page(player, board_page(player, "Allied"))
        ((heading, buttons),) = page.commands
        assert (heading, buttons[0].text) == ("", "Do it anyway")
        assert "Roll for points" in [button.text for button in buttons]


# ------------------------------------------------------------------ who waits is told for what


def test_who_waits_reads_the_shot_in_words(hands: Hands) -> None:
    germans, americans = hands
    germans.tap("m", "i", "c")
    shot = (
        "A German Machinegun Guy fires at your Rifle Guys (116th Regiment on the sand), in cover: "
        "needs A-8."
    )
    assert shot in americans.text
    assert "Machinegun > Rifle" not in americans.text
    germans.tap(ENTER)
    assert f"{shot} The Germans draw." in americans.text
    assert "The Americans must wait for your answer." in germans.text


def test_an_old_result_leaves_when_the_next_question_comes(hands: Hands) -> None:
    germans, americans = hands
    germans.tap("m", "i", ENTER, "7", "h", ENTER)
    assert [hand.page().verdict.text for hand in hands] == ["HIT", "HIT"]
    assert [one.page().verdict.tone for one in hands] == ["good", "bad"]
    spectator = Hand(germans.session, None)
    assert large(spectator) == "HIT good"
    americans.tap(ENTER)
    assert [one.page().verdict for one in (*hands, spectator)] == [None, None, None]


def test_ones_own_pin_stands_large() -> None:
    with Store.open("sqlite://") as store:
        germans, americans = two_hands(store, **OWN, **{"option:pinning": "on"})
        germans.tap("m", "i", ENTER, "9", "h", ENTER)
        assert large(germans) == large(americans) == "MISS quiet"
        assert "The Americans draw for the pin test." in germans.text
        americans.tap("q", "s", ENTER)
        assert (large(germans), large(americans)) == ("PINNED good", "PINNED bad")
        assert "The shot: miss, 9 of hearts." in americans.text
        americans.tap("N", "a note\n")
        assert large(americans) == ""


def test_who_fired_reads_his_hit_and_who_is_pinned_his_pin() -> None:
    """The program draws both at once."""
    with Store.open("sqlite://") as store:
        answers = {"battle": "10", "option:pinning": "on"}
        germans, americans = two_hands(store, **answers)
        seen = set()
        for _ in range(6):
            germans.tap("m", "i", "1", ENTER)
            seen.add((large(germans), large(americans)))
        assert ("0 HITS quiet", "PINNED bad") in seen, seen


def large(hand: Hand) -> str:
    verdict = hand.page().verdict
    return "" if verdict is None else f"{verdict.text} {verdict.tone}"


def test_no_sentence_stands_twice(hands: Hands) -> None:
    germans, americans = hands
    for taps in (("m",), ("i",), ("c",), (ENTER,), ("7", "h", ENTER)):
        germans.tap(*taps)
        for hand in hands:
            not_twice(hand.page())
    americans.tap(ENTER)
    for hand in hands:
        not_twice(hand.page())


@pytest.mark.parametrize("id", [one.id for one in registry.GAMES])
def test_no_sentence_stands_twice_in_any_game(id: str) -> None:
    chance = Random(3)
    with Store.open("sqlite://") as store:
        session = opened(id, store)
        sides = list(session.game.players(session.state)) or [PLAYERS]
        thumbs = [Thumb(session, side) for side in sides]
        for _ in range(80):
            thumb = chance.choice(thumbs)
            before = len(session.play.entries)
            choices = thumb.choices()
            if choices:
                goes_on = [ENTER] if ENTER in choices and chance.random() < 0.5 else choices
                thumb.tap(chance.choice(goes_on))
            for other in thumbs:
                if len(session.play.entries) > before and other is not thumb:
                    other.keys = ()
                not_twice(other.page())


def not_twice(page: SidePage) -> None:
    """No sentence is repeated. The journal repeats on purpose, and what two sides have in common
    stands under each."""
    repeats = r'<table>.*?</table>|<section id="(?:journal|phases)">.*?</section>'
    html = re.sub(f"(?s){repeats}|<button.*?</button>", "", fragment(page))
    board = re.search(r'(?s)<section id="board".*?</section>', html)
    assert board is not None
    found = sentences(html.replace(board[0], ""))
    assert len(found) == len(set(found)), found
    assert not set(found) & set(sentences(board[0]))


def sentences(html: str) -> list[str]:
    texts = re.findall(r">([^<]+)<", html)
    every = [sentence for text in texts for sentence in SENTENCE.findall(text)]
    return [sentence for sentence in every if len(sentence.split()) > 3]


# ------------------------------------------------------------------ names and targets


def test_men_are_called_by_their_group(hands: Hands) -> None:
    germans, americans = hands
    germans.tap("1", "2", "r", "i", "2", "0", ENTER)
    germans.tap("=")
    germans.tap("1", "2", ENTER)
    text = americans.text
    assert "WHO DIES?" in text
    assert "Rifle (116th Regiment on the sand)" in text
    assert not re.search(r"\([a-z]\)", text)


def test_impossible_targets_look_impossible_with_the_reason() -> None:
    with Store.open("sqlite://") as store:
        germans, _ = two_hands(store)
        germans.tap("r")
        question = germans.page().question
        assert question is not None
        targets: dict[str, Any] = {one.text: one for one in question.options}
        craft = targets["Landing Craft"]
        assert craft.note.startswith("A Rifle Guy hurts a Landing Craft only in contact")
        assert craft.is_unwise
        assert not targets["Rifle, 116th Regiment on the sand"].is_unwise
        html = fragment(germans.page())
        assert re.search(r'<button [^>]*class="weak"[^>]*>Landing Craft', html)
