"""What journal, report and summary say of shots judged again, of cover and of broken weapons."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from stage import Table, armies, card

from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import CountHits, EndTurn, Show, Volley
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.highlights import all_highlights
from skirmish.games.plastic.report import summary_page
from skirmish.games.plastic.summary import UnitLoss, summary
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.page_text import as_text

MEN = {"rifle": 20, "machinegun": 6, "mortar": 4, "tank": 2, "cannon": 3}
OWN, FOE = "first/first/", "second/second/"


def again(table: Table, shot: int, **changes: Any) -> None:
    (before,) = [one for one in table.state.all_judged if one.shot.id == shot]
    table.order(replace(as_judged(table.state, before.shot), **changes))


def last(table: Table) -> str:
    return lines(table.play)[-1].text


# ------------------------------------------------------------------ cover in the journal


@pytest.mark.parametrize(
    ("shooter", "target", "drawn", "seen", "says"),
    [
        ("rifle", "rifle", "5H", {"cover": True}, "Rifle R1 > Rifle in cover, needs A-5: 5H hit."),
        ("rifle", "rifle", "9H", {"cover": True}, "Rifle R1 > Rifle in cover, needs A-5: 9H miss."),
        ("cannon", "tank", "JH", {"hull_down": True}, "Cannon C1 > Tank hull down, needs"),
        ("cannon", "tank", "JH", {}, "Cannon C1 > Tank, needs"),
        ("mortar", "rifle", "JH", {"cover": True}, "Mortar O1 > Rifle in cover, needs"),
    ],
)
def test_what_was_said_of_the_target_stands_in_its_line(
    shooter: str, target: str, drawn: str, seen: dict[str, bool], says: str
) -> None:
    table = armies(MEN, MEN)
    table.fire(shooter, target, drawn, close=True, **seen)
    assert last(table).startswith(says)


def a_volley(**seen: Any) -> Table:
    table = armies(MEN, MEN)
    order = Volley(shooter=f"{FOE}rifle", target=f"{OWN}rifle", count=4, close=True, **seen)
    table.order(order)
    return table


def test_so_it_does_of_a_volley_counted_or_card_by_card() -> None:
    table = a_volley(cover=True)
    table.order(CountHits(low=2, saved=1))
    assert last(table).startswith("Volley: 4 Rifle Guys > Rifle in cover, 20 in reach")
    assert last(table).count("in cover") == 1
    table.order(CountHits(low=2, saved=0, anew=table.state.counts[0].shot.id))
    assert "in cover" not in last(table)
    table.order(CountHits(low=2, saved=0, cover=True, anew=table.state.counts[0].shot.id))
    assert "Counted in cover: 4 fired, 2 low enough." in last(table)
    table = a_volley()
    table.show("5S", "4H", "9S", "10S")
    assert "in cover" not in last(table)
    again(table, 4, cover=True, volley=True)
    assert last(table).startswith("The whole volley judged again: Rifle > Rifle in cover.")


@pytest.mark.parametrize(
    ("rank", "words"),
    [(1, "an ace"), (2, "a two"), (5, "a five"), (8, "an eight"), (10, "a ten"), (12, "a queen")],
)
def test_a_card_of_unknown_suit_never_reads_as_ace_to(rank: int, words: str) -> None:
    assert Draw(rank, "").words == words
    assert Draw(rank).words == f"a roll of {rank}"


def test_five_is_a_word_in_the_verdict() -> None:
    table = armies(MEN, MEN)
    table.order(table.shot("rifle", "rifle", close=True))
    table.order(Show((Draw(5),)))
    assert "A five: hit." in table.state.judged[-1].explain


# ------------------------------------------------------------------ highlights


def told(table: Table) -> list[str]:
    return [one.text for one in all_highlights(table.play)]


def test_a_kill_that_was_taken_back_is_no_highlight() -> None:
    table = armies(MEN, MEN)
    table.fire("cannon", "tank", "2S")
    assert told(table) == ["Blues: Cannon C1 fires at a Tank. Reds loses Tank T1."]
    table.order(EndTurn())
    again(table, 1, hull_down=True)
    assert told(table) == []
    again(table, 1, hull_down=False)
    assert told(table) == ["Blues: Cannon C1 fires at a Tank. Reds loses Tank T1."]


def test_a_highlight_tells_the_target_and_the_turn_of_its_shot() -> None:
    table = armies(MEN, MEN)
    table.fire("cannon", "tank", "2S")
    table.order(EndTurn())
    again(table, 1, target=f"{OWN}cannon")
    (found,) = all_highlights(table.play)
    assert found.when == "Turn 1, Reds to move"
    assert found.text == "Blues: Cannon C1 fires at a Cannon. Reds loses Cannon C1."
    again(table, 1, shooter=f"{FOE}tank")
    (found,) = all_highlights(table.play)
    assert found.text.startswith("Blues: Tank T1 fires its")


def test_a_breakdown_that_was_none_is_no_highlight() -> None:
    table = armies(MEN, MEN)
    table.fire("machinegun", "rifle", "QS", "2S")
    assert "breaks down" in told(table)[0]
    again(table, 1, draw=card("QD"))
    assert told(table) == []


def test_of_a_volley_judged_again_those_who_fell_at_last() -> None:
    table = a_volley()
    table.show("5S", "4H", "3C", "2D")
    again(table, 4, cover=True, volley=True)
    assert told(table) == ["Blues: 4 Rifle Guys fire at Rifle Guys. Reds loses 2 Rifle Guys."]


# ------------------------------------------------------------------ weapons that broke down


def guns(table: Table) -> UnitLoss:
    return next(one for one in summary(table.play).sides[1].losses if one.unit == "machinegun")


def test_guns_that_broke_down_are_not_left() -> None:
    table = armies(MEN, MEN)
    table.fire("machinegun", "rifle", "QS", "2S")
    assert (guns(table).total, guns(table).broken, guns(table).left) == (6, 1, 5)
    text = as_text(summary_page(table.play))
    assert "Broke" in text
    assert "fights on as a rifleman" in text


def test_who_fights_on_as_a_rifleman_and_dies_is_lost() -> None:
    table = armies(MEN, {"machinegun": 2})
    table.fire("machinegun", "rifle", "QS", "2S")
    table.order(EndTurn())
    table.fire("rifle", "rifle", "5H", grouped=False)
    assert (guns(table).broken, guns(table).lost, guns(table).left) == (0, 1, 1)


def test_a_breakdown_that_was_none_is_not_counted() -> None:
    table = armies(MEN, MEN)
    table.fire("machinegun", "rifle", "QS", "2S")
    again(table, 1, draw=card("QD"))
    assert (guns(table).broken, guns(table).left) == (0, 6)
    assert "Broke " not in as_text(summary_page(table.play))
