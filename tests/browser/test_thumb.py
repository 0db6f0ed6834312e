"""Every game is played by thumbs alone: whatever stands on the page of a side can be tapped, and is
taken or answered with a sentence. More of it: ``SKIRMISH_TAPS=5000``."""

from __future__ import annotations

import os
from itertools import count
from random import Random

import pytest
from test_page_html import Reader

from skirmish import registry
from skirmish.session import AnySession, Session, at_once, job_runner
from skirmish.store.database import Store
from skirmish.tabletop.command_pages import hint_of
from skirmish.tabletop.commands import Command, Draft, pressed
from skirmish.tabletop.form import SetupForm
from skirmish.tabletop.game import PLAYERS, prompt_for_others
from skirmish.tabletop.slots import ENTER, Choose, ChooseSeveral, Number, Option, Words
from skirmish.web.side_html import fragment
from skirmish.web.side_player import SidePlayer, board_page, question_of, side_page
from skirmish.web.side_view import SidePage

TAPS = int(os.environ.get("SKIRMISH_TAPS", "120"))
TYPED = ("1/116\n", "J7\n", "3\n", "A/505\n", "a note\n")


def opened(id: str, store: Store, **answers: str) -> AnySession:
    seeds = count(7)
    game = registry.load(id)
    form = SetupForm(game)
    for name, answer in answers.items():
        form.answer(name, form.read(name, answer))
    first = game.opening(form.answers, lambda: next(seeds))
    session = at_once(Session.opened(game, job_runner(store), first))
    for order in game.first_orders(form.answers, lambda: next(seeds)):
        at_once(session.give(order))
    return session


class Thumb:
    """The phone of a side."""

    def __init__(self, session: AnySession, side: str) -> None:
        self.session, self.side = session, side
        self.keys: tuple[str, ...] = ()

    def player(self) -> SidePlayer:
        play = self.session.game.seen(self.session.play, self.side)
        entries = len(self.session.play.entries)
        return SidePlayer(self.session, self.side, lambda: play, entries, self.keys)

    def page(self) -> SidePage:
        player = self.player()
        return side_page(player, board_page(player, self.side))

    def choices(self) -> list[str]:
        """What the page lets one tap, and what may be written where there is a field."""
        player, page = self.player(), self.page()
        found = Reader(fragment(page)).found
        taps = [
            str(attributes["data-press"])
            for tag, attributes in found
            if tag == "button" and "data-press" in attributes and "disabled" not in attributes
        ]
        writes = any(tag == "input" for tag, _ in found)
        if page.question is not None and (page.question.back is None or not player.keys):
            assert taps or writes, page.question
        return [*taps, *(TYPED if writes else ())]

    def tap(self, press: str) -> str:
        player = self.player()
        at_once(player.tap(press))
        self.keys = player.keys
        return player.notice


def test_what_is_said_to_a_thumb_does_not_name_keys() -> None:
    with Store.open("sqlite://") as store:
        germans = Thumb(opened("plastic", store, battle="10"), "german")
        germans.tap("m")
        germans.tap("r")
        shot = fragment(germans.page())
        assert "2+ 44%" in shot
        assert "Type how many" not in shot
        assert "in cover" in shot
        assert "<td>c</td>" not in shot
        germans.keys = ()
        for key in "99mr":
            germans.tap(key)
        too_many = fragment(germans.page())
        assert "6 are left, not 99." in too_many
        assert "Enter: 6" not in too_many
        assert "<input" not in too_many


@pytest.mark.parametrize(
    ("id", "answers"),
    [
        ("plastic", {"battle": "10"}),
        ("plastic", {"battle": "1", "draws:german": "own_deck", "draws:polish": "own_die"}),
        *((one.id, {}) for one in registry.GAMES),
    ],
)
def test_a_game_is_played_by_thumbs_alone(id: str, answers: dict[str, str]) -> None:
    chance = Random(5)
    with Store.open("sqlite://") as store:
        session = opened(id, store, **answers)
        sides = list(session.game.players(session.state)) or [PLAYERS]
        thumbs = [Thumb(session, side) for side in sides]
        for _ in range(TAPS):
            thumb = chance.choice(thumbs)
            before = len(session.play.entries)
            choices = thumb.choices()
            if choices:
                goes_on = [ENTER] if ENTER in choices and chance.random() < 0.5 else []
                press = chance.choice(goes_on or choices)
                notice = thumb.tap(press)
                assert "not available" not in notice, (press, notice)
                assert not notice or notice[-1] in ".?)", (press, notice)
            for other in thumbs:
                if len(session.play.entries) > before and other is not thumb:
                    other.keys = ()
        assert len(session.play.entries) > 5, session.play.entries


def test_a_phone_shows_the_large_words_and_leaves_out_what_is_about_keys() -> None:
    """By fields, so that a word such as Enter in an option's own name stays."""
    options = (Option(value="a", label="Enter here"), Option(value="b", label="Stay"))
    slot = Choose(
        name="way",
        large="WHERE?",
        text="Which way does Type 97 take?",
        key_note="Enter: here.",
        options=options,
    )
    draft = Draft(command=Command(label="Go", make=dict, slots=(slot,)))
    assert draft.shown_question == "WHERE?  Which way does Type 97 take? Enter: here."
    question = question_of(draft)
    assert question is not None
    assert (question.large, question.text) == ("WHERE?", "Which way does Type 97 take?")
    assert prompt_for_others(draft.command) == "Where? Which way does Type 97 take?"


def test_a_phone_marks_what_is_chosen_of_several_and_shows_no_keys() -> None:
    options = (Option(value="505", label="505", key="c"), Option(value="406", label="406", key="d"))
    slot = ChooseSeveral(name="chits", text="Which chits?", options=options)
    draft = Draft(command=Command(label="Fill", make=dict, slots=(slot,)))
    draft = pressed(draft, (), "c")
    question = question_of(draft)
    assert question is not None
    assert [option.is_chosen for option in question.options] == [True, False]
    assert question.typed == ""


def test_a_phone_shows_what_is_accepted_without_the_keys() -> None:
    dice = Draft(command=Command(label="Roll", make=dict, slots=(Number(name="n", high=500),)))
    question = question_of(dice)
    assert question is not None
    assert question.hint == "A number from 0 to 500."
    first = Number(name="count", text="How many?", optional=True)
    tokens = Draft(command=Command(label="Write", make=dict, slots=(first, Words(name="note"))))
    assert hint_of(tokens) == "Type it, then press Enter. Digits before it: how many."
    question = question_of(tokens)
    assert question is not None
    assert question.hint == "How many?"
