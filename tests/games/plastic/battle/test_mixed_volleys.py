"""A mixed volley: several rows fire at one group from one deck, in one order: ``8r 2m 2o``."""

from __future__ import annotations

from statistics import mean, stdev
from typing import Any

import msgspec
import pytest
from fights import drafted, order, said
from stage import Table, armies, lost, of

from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.agenda import DrawAsk, ToVolley
from skirmish.games.plastic.battle.events import Ceased, Checked, Judged, Volleyed
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.odds import volley_odds
from skirmish.games.plastic.battle.orders import Correct, CountHits, Squad, Volley, why_not
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.commands.judging.command import judge_again, last_shot_in
from skirmish.games.plastic.luck import luck
from skirmish.games.plastic.retelling import retold
from skirmish.games.plastic.rules.options import Options
from skirmish.games.plastic.summary import summary
from skirmish.tabletop.chance import Source
from skirmish.tabletop.command_pages import hint_of
from skirmish.tabletop.commands import Draft
from skirmish.tabletop.slots import UnfitAnswer

FIRST = {"rifle": 20, "mortar": 2}
SECOND = {"rifle": 12, "machinegun": 2, "mortar": 2, "grenade": 2}


def table(**more: Any) -> Table:
    return armies(FIRST, SECOND, **more)


def mixed(of_table: Table, reach: int | None = 8, first: int = 3, **seen: Any) -> Volley:
    shot = of_table.shot("rifle", "rifle")
    others = [("machinegun", 2), ("mortar", 1)]
    more = tuple(Squad(of_table.row("second", unit).key, count) for unit, count in others)
    return Volley(
        shooter=shot.shooter, target=shot.target, count=first, reach=reach, more=more, **seen
    )


def volley_now(now: Table) -> ToVolley:
    return next(task for task in now.state.agenda if isinstance(task, ToVolley))


def test_the_rows_fire_in_turn_each_by_its_own_number() -> None:
    now = table()
    begun = now.order(mixed(now))
    assert [squad.count for squad in of(Volleyed, begun)[0].more] == [2, 1]
    events = now.show("9H", "9D", "6H", "9C", "8H", "JH", "5C", "9S")
    shots = [(now.state.unit(e.shot.piece).id, e.needs, e.hit) for e in of(Judged, events)]
    assert [unit for unit, _, _ in shots] == ["rifle"] * 3 + ["machinegun"] * 3 + ["mortar"] * 2
    assert [hit for _, _, hit in shots] == [False] * 4 + [True, False, True, False]
    assert {e.shot.volley for e in of(Judged, events)} == {1}
    ceased = of(Ceased, events)[0]
    assert (ceased.fired, ceased.hits, ceased.unused) == (6, 2, 0)
    assert lost(events) == [] or len(lost(events)) == 2
    assert now.ready("second", "rifle") == 9
    assert (now.ready("second", "machinegun"), now.ready("second", "mortar")) == (0, 1)


def test_it_ends_when_all_in_reach_are_hit_and_the_others_have_not_fired() -> None:
    now = table()
    now.order(mixed(now, reach=1))
    events = now.show("2H")
    ceased = of(Ceased, events)[0]
    assert (ceased.fired, ceased.hits, ceased.unused) == (1, 1, 5)
    assert now.ready("second", "machinegun") == 2


def test_each_row_is_counted_in_its_turn() -> None:
    now = table()
    now.order(mixed(now))
    events = now.order(CountHits(low=1))
    assert not of(Ceased, events)
    ask = now.state.ask
    assert isinstance(ask, DrawAsk)
    assert volley_now(now).shot.weapon == "machinegun"
    now.order(CountHits(low=2, broken=0))
    events = now.order(CountHits(low=1))
    assert of(Ceased, events)[0].hits == 4
    counts = now.state.counts
    assert [len(one.pieces) for one in counts] == [3, 2, 1]
    assert {one.shot.volley for one in counts} == {1}
    assert len(lines(now.play)) == 2
    says = lines(now.play)[-1].text
    assert "Volley: 3 Rifle Guys, 2 Machinegun Guys, Mortar > Rifle" in says


def test_a_count_of_an_earlier_row_can_be_corrected() -> None:
    now = table()
    now.order(mixed(now, close=True))
    for low in (3, 0, 0):
        now.order(CountHits(low=low))
    before = now.state.loss.get("first", 0)
    if isinstance(now.state.ask, DrawAsk):
        raise AssertionError("the volley is not over")
    first = now.state.counts[0].shot.id
    now.order(CountHits(low=1, anew=first))
    assert now.state.loss.get("first", 0) == before - 2


def test_only_machine_guns_owe_pin_draws() -> None:
    now = table(options=Options(pinning=True))
    now.order(mixed(now))
    events = now.show("9H", "9D", "7C", "9C", "10H", "9S")
    assert not lost(events)
    ask = now.state.ask
    assert isinstance(ask, DrawAsk)
    assert ask.why == "pin"
    checks = of(Checked, now.show("2H")) + of(Checked, now.show("3H"))
    assert len(checks) == 2  # one for each machine gun
    assert now.state.ask is None


def test_who_cannot_fire_is_named_before() -> None:
    now = table()
    shot = mixed(now)
    twice = msgspec.structs.replace(shot, more=(Squad(shot.shooter, 1),))
    refusal = why_not(now.state, twice)
    assert refusal is not None
    assert refusal.code == "named_twice"
    too_many = msgspec.structs.replace(shot, more=(Squad(shot.more[0].shooter, 5),))
    refusal = why_not(now.state, too_many)
    assert refusal is not None
    assert "not 5" in refusal.message


def test_cover_claimed_afterwards_holds_for_all_rows() -> None:
    now = table()
    now.order(mixed(now))
    now.show("2S", "3C", "9H", "8S", "9S", "9D", "9C")
    assert any(one.hit for one in now.state.judged)
    last = now.state.judged[-1].shot
    given = msgspec.structs.replace(as_judged(now.state, last), volley=True, cover=True)
    now.order(given)
    hits = [one.hit for one in now.state.judged]
    assert not any(hits)  # black cards: all three were in cover


def test_odds_are_what_many_decks_come_to() -> None:
    now = table()
    given = mixed(now, reach=20)
    found = volley_odds(now.state, given, prepared(now.state, given))
    assert found is not None
    assert found.kills is not None
    assert found.shooters == 6
    many, hits = 400, []
    for seed in range(many):
        dealt = table(sources=(Source("deck", seed=seed), Source("deck", seed=1000 + seed)))
        hits.append(of(Ceased, dealt.order(mixed(dealt, reach=20)))[0].hits)
    assert mean(hits) == pytest.approx(float(found.kills.expected()), abs=4 * stdev(hits) / 20)
    five = sum(one >= 5 for one in hits) / many
    assert five == pytest.approx(float(found.kills.at_least(5)), abs=0.1)


def test_it_is_typed_as_it_is_said() -> None:
    now = table()
    given = order(now.play, "8r2m2or6 ")
    assert isinstance(given, Volley)
    assert [squad.count for squad in given.more] == [2, 2]
    assert (given.count, given.reach) == (8, 6)
    draft = drafted(now.play, "8r2m2or6")
    text = said(draft)
    assert "8 Rifle, 2 Machinegun, 2 Mortar > Rifle" in text
    assert "In all:" in text
    covered = order(now.play, "8r2m2or6c ")
    assert isinstance(covered, Volley)
    assert covered.cover


def test_it_is_undone_told_and_stored() -> None:
    now = table(sources=(Source("deck", seed=3), Source("deck", seed=4)))
    before = now.state
    events = now.order(mixed(now, reach=8))
    assert "3 Rifle Guys, 2 Machinegun Guys and 1 Mortar" in retold(events, now.state)
    assert luck(now.play)
    assert summary(now.play)
    again = record.codec.replay([record.codec.written(one) for one in now.play.entries])
    assert again.state == now.state
    now.undo()
    assert now.state == before


def test_a_number_too_high_is_refused_at_its_row_and_enter_takes_what_there_is() -> None:
    now = table()
    draft = drafted(now.play, "40r")
    assert draft.shown_question == "12 are left, not 40."
    for key in "r8 ":  # what was typed ahead belongs to the forty
        with pytest.raises(UnfitAnswer, match="12 are left, not 40"):
            drafted(now.play, key, draft)
    assert hint_of(draft) == "Enter: 12. Esc drops it."
    given = order(now.play, "\nr8 ", draft)
    assert isinstance(given, Volley)
    assert (given.count, given.reach) == (12, 8)
    taken = said(drafted(now.play, "\n", draft))
    assert "Fire: 12 Rifle" in taken
    assert "40" not in taken
    mixed_draft = drafted(now.play, "8r5m")
    assert mixed_draft.shown_question == "2 are left, not 5."
    assert "Fire: 8 Rifle, 2 Machinegun" in said(drafted(now.play, "\n", mixed_draft))
    given = order(now.play, "\nr8 ", mixed_draft)
    assert isinstance(given, Volley)
    assert given.more[0].count == 2
    squads = mixed_draft.after_escape()
    assert squads is not None
    assert "8 Rifle" in said(squads)
    assert "Machinegun" not in said(squads), "Esc drops the five machine guns only"
    losses = drafted(now.play, "-40r")
    assert "are left, not 40" in losses.shown_question
    assert order(now.play, "\n", losses) == Correct(row=now.row("first", "rifle").key, by=-20)


def test_the_line_of_a_count_put_right_before_typed_rows_can_be_judged_again() -> None:
    now = table()
    now.order(mixed(now))
    now.order(CountHits(low=1))
    now.show("8H", "JH", "5C", "9S", "9H")
    now.order(CountHits(low=2, anew=1))
    shot = last_shot_in(now.play, lines(now.play)[-1].entry_numbers)
    assert shot == 1
    draft = Draft(command=judge_again(now.state, shot))
    assert "Judge again: 3 Rifle Guys." in said(draft)
    # Its form is that of the whole volley, so that Tab leads to the cards that were typed.
    assert [toggle.label for toggle in draft.toggles if toggle.key == "tab"] == ["shot by shot"]


def test_a_volley_of_which_one_card_was_put_right_is_still_judged_as_a_whole() -> None:
    now = table()
    now.order(mixed(now))
    now.show("9H", "9D", "6H", "9C", "8H", "JH", "5C", "9S")
    now.order(order(now.play, "\t2=2d\n"))
    assert [str(verdict.draw) for verdict in now.state.judged][-1] == "2D"
    assert "the whole volley: 3 of 8 hit" in said(drafted(now.play, "\t"))
    # Its cards still have the numbers in which they were drawn.
    now.order(order(now.play, "\t3=10c\n"))
    draws = {verdict.shot.id: str(verdict.draw) for verdict in now.state.judged}
    assert [draws[shot] for shot in (1, 2, 3, 4)] == ["9H", "2D", "10C", "9C"]
