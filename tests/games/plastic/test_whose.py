"""Whose an order is: a side gives no order of the other side, nor one of the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import pytest

from skirmish import library, registry
from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.record import BattlePlay, opening
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.commands.asked import prompt
from skirmish.games.plastic.commands.whose import sides_of
from skirmish.session import AnySession, Session, at_once, job_runner
from skirmish.store.database import Store
from skirmish.tabletop.chance import Source, parse_card
from skirmish.tabletop.command_pages import hint_of
from skirmish.tabletop.game import PLAYERS
from skirmish.tabletop.journal_codec import union_of_tagged
from skirmish.tabletop.page_text import as_text
from skirmish.web.side_html import fragment
from skirmish.web.side_player import SidePlayer, board_page, side_page

GUN, RIFLE = "polish/rearguard/machinegun", "german/column/rifle"
POLES, GERMANS = ("polish",), ("german",)
BOTH, TABLE = ("german", "polish"), ()
HIT = (orders.Fire(shooter=GUN, target=RIFLE), orders.Show((parse_card("5h"),)))

# Of the first phase, in which the Germans move and the Poles fire.
WHOSE: tuple[tuple[AnyOrder, tuple[str, ...]], ...] = (
    (orders.Fire(shooter=GUN, target=RIFLE), POLES),
    (orders.Volley(shooter=GUN, target=RIFLE, count=2), POLES),
    (orders.Exit(row=RIFLE), GERMANS),
    (orders.Serve(row=RIFLE), GERMANS),
    (orders.CutCharges(side="german", charges="bridge"), GERMANS),
    (orders.Reveal(row=GUN), POLES),
    (orders.Convert(row=GUN), POLES),
    (orders.Correct(row=RIFLE, by=-1), GERMANS),
    (orders.Correct(row=GUN, by=-1), POLES),
    (orders.Add(row=GUN), POLES),
    (orders.MarkPinned(RIFLE), GERMANS),
    (orders.Load(carrier=RIFLE, riders={}), GERMANS),
    (orders.Unload(carrier=RIFLE), GERMANS),
    (orders.Enter(contingent="column"), GERMANS),
    (orders.PinTest("german"), GERMANS),
    (orders.Dig(side="polish"), POLES),
    (orders.ClearWire("german"), GERMANS),
    (orders.Seal(side="german", text="x"), GERMANS),
    (orders.Unseal("polish"), POLES),
    (orders.GroupMoved(), GERMANS),
    (orders.CallTable(), GERMANS),
    (orders.EndTurn(), GERMANS),
    (orders.EndPhase(), BOTH),
    (orders.Withdraw(lost={}), GERMANS),
    (orders.AddNote("x"), BOTH),
    (orders.Appoint(side="polish", temperament=None), BOTH),
    (orders.SayWhere(side="polish", group="polish:group_1"), BOTH),
    (orders.SayPlaces(side="polish", gone_on=True), BOTH),
    (orders.AskForOrders(side="polish"), BOTH),
    (orders.CarryOut(side="polish", group="polish:group_1"), BOTH),
    (orders.AllStay(side="polish"), BOTH),
    (orders.CannotDo(side="polish", group="polish:group_1", why="blocked"), BOTH),
    (orders.Overrule(side="polish", group="polish:group_1", number=1), BOTH),
    (
        orders.FireAsSaid(
            side="polish",
            group="polish:group_1",
            unit="rifle",
            weapon="rifle",
            enemy="german:group_1",
            aimed_at="rifle",
        ),
        BOTH,
    ),
    (orders.DenySight(side="polish", group="polish:group_1", enemy="german:group_1"), BOTH),
    (orders.SetClock(turn=2, side="polish", phase=1), TABLE),
    (orders.Count(values={}), TABLE),
    (orders.Finish(winner="polish"), TABLE),
    (orders.PlayOn(), TABLE),
    (orders.SetLevel(side="polish", level="clerk", source=Source("deck")), TABLE),
    (orders.PlayOut(sides=("german",)), TABLE),
    (orders.NameCommander(side="polish", player="x"), TABLE),
    (orders.Switch(option="pinning", on=True), TABLE),
    (orders.SetQuality(side="polish", quality=None), TABLE),
    (orders.Rejudge(shot=99), TABLE),
    (orders.CountHits(low=1), TABLE),
    (orders.Show((parse_card("5h"),)), TABLE),
    (orders.Retype(numbers={1: parse_card("5h")}), TABLE),
    (orders.ChooseCasualties((RIFLE,)), TABLE),
    (orders.ChooseModel("german:R1"), TABLE),
    (orders.NameRiders({}), TABLE),
    (orders.ChooseResult(0), TABLE),
    (orders.Again(target=RIFLE), TABLE),
    (orders.Hold(), TABLE),
)
ANSWERS = (
    orders.Show,
    orders.Retype,
    orders.ChooseCasualties,
    orders.ChooseModel,
    orders.NameRiders,
    orders.ChooseResult,
)


@pytest.fixture
def session() -> AnySession:
    scenario = library.scenarios()[1]
    sources = dict.fromkeys(scenario.order_of_play(), Source("deck"))
    setup = from_scenario(scenario, library.catalog(), library.rulings(), sources=sources,
                          chosen=SetupChoices(loads=False))  # fmt: skip
    store = Store.open(":memory:")
    return at_once(Session.opened(registry.load("plastic"), job_runner(store), opening(setup)))


def given(session: AnySession, *orders: AnyOrder) -> BattlePlay:
    for order in orders:
        at_once(session.give(order))
    play: BattlePlay = session.play
    return play


def as_side(session: AnySession, side: str) -> SidePlayer:
    play = session.game.seen(session.play, side)
    return SidePlayer(session, side, lambda: play, len(session.play.entries))


def test_every_order_is_somebodys(session: AnySession) -> None:
    assert {type(order) for order, _ in WHOSE} == set(get_args(union_of_tagged(AnyOrder)))
    wrong = {order: sides_of(session.state, order) for order, whose in WHOSE
             if tuple(sorted(sides_of(session.state, order))) != whose}  # fmt: skip
    assert wrong == {}


def test_no_side_gives_an_order_of_another_side_or_of_the_table(session: AnySession) -> None:
    for order, whose in WHOSE:
        for side in set(BOTH) - set(whose):
            player = as_side(session, side)
            at_once(player.give([order]))
            assert player.notice == "This is not your side's to do.", (side, order)
            assert len(session.play.entries) == 1


def test_an_answer_belongs_to_the_side_that_is_asked(session: AnySession) -> None:
    whose: Mapping[str, tuple[str, ...]] = {"DrawAsk": POLES, "CasualtyAsk": GERMANS}
    for order in HIT:
        state = given(session, order).state
        asked = prompt(state)
        assert asked is not None
        side = whose[type(state.ask).__name__]
        assert sides_of(state, asked) == side
        answers = [sides_of(state, one) for one, _ in WHOSE if isinstance(one, ANSWERS)]
        assert answers == [side] * len(ANSWERS)


def test_what_a_side_is_asked_stands_in_large_words_and_names_no_key(session: AnySession) -> None:
    given(session, *HIT)
    player = as_side(session, "german")
    question = side_page(player, board_page(player, "")).question
    assert question is not None
    assert (question.large, question.text) == (
        "WHO DIES?", "The Germans choose any man of the group in sight.")  # fmt: skip


def test_a_refusal_names_its_keys_to_those_who_have_them(session: AnySession) -> None:
    phone = as_side(session, "polish")
    for press in "9Z":
        at_once(phone.tap(press))
    assert side_page(phone, board_page(phone, "")).notice == "There is no Polish row Z."
    assert phone.draft is not None
    assert hint_of(phone.draft) == "There is no Polish row Z. Esc drops it."


def test_a_shot_against_advice_is_overruled_by_its_key_only_where_there_are_keys(
    session: AnySession,
) -> None:
    cannon = "polish/rearguard/cannon"
    given(session, orders.Fire(shooter=cannon, target=RIFLE), orders.Show((parse_card("9h"),)))
    everyone = as_side(session, PLAYERS)
    for press in "cr":  # the only Cannon of the Poles has fired
        at_once(everyone.tap(press))
    assert everyone.draft is not None
    assert "! fires anyway." in as_text(everyone.draft.page)
    page = side_page(everyone, board_page(everyone, ""))
    assert page.question is not None
    assert page.question.preview.blocks
    assert "fires anyway" not in fragment(page)


def test_a_shot_is_judged_again_by_the_side_that_fired_it(session: AnySession) -> None:
    state = given(session, *HIT).state
    assert sides_of(state, orders.Rejudge(shot=state.judged[-1].shot.id)) == POLES


def test_commands_are_offered_to_the_side_that_may_begin_them(session: AnySession) -> None:
    offered = {side: {one.verb for one in as_side(session, side).commands} for side in BOTH}
    assert {"draw", "tally"} <= offered["polish"] - offered["german"]
    assert {"moved", "exit", "load", "end_turn"} <= offered["german"] - offered["polish"]
    assert {"lost", "note", "phase"} <= offered["german"] & offered["polish"]
    assert not {"clock", "levels", "finish", "rules"} & (offered["german"] | offered["polish"])


@pytest.mark.parametrize("side", BOTH)
def test_a_side_takes_off_its_own_losses_only(session: AnySession, side: str) -> None:
    player = as_side(session, side)
    for press in ("-", "tab", "m"):
        at_once(player.tap(press))
    assert session.play.entries[-1].order == orders.Correct(row=row_of(session, side), by=-1)


def row_of(session: AnySession, side: str) -> str:
    return next(row.key for row in rows(session.state, side) if row.letter == "m")
