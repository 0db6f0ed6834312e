"""Several draws told on one line, and ranks told without a suit where that is enough."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from stage import CARDS, DICE, Table, armies, lost, of, scenario

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.agenda import CasualtyAsk, DrawAsk, RepeatAsk
from skirmish.games.plastic.battle.events import AnyEvent, Checked, DrawsUnused, Judged
from skirmish.games.plastic.battle.known_pack import UNKNOWN, pack_of
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    ChooseCasualties,
    Dig,
    Fire,
    GroupMoved,
    PinTest,
    Show,
)
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.odds.pack import one_shot
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.rules.options import Options
from skirmish.games.plastic.verdict import verdict
from skirmish.tabletop.chance import Draw, parse_card

MEN = {"rifle": 20}
QUEEN = Draw(12, "S")


def draws(line: str) -> tuple[Draw, ...]:
    """``7 3H q 10``: ranks alone are read without a suit."""
    names = {"A": 1, "J": 11, "Q": 12}
    found = []
    for word in line.upper().split():
        alone = word in names or word.isdigit()
        found.append(Draw(names.get(word) or int(word)) if alone else parse_card(word))
    return tuple(found)


def told(table: Table, line: str) -> tuple[AnyEvent, ...]:
    return table.order(Show(draws(line)))


def gone(table: Table, side: str = "second") -> str:
    return " ".join(map(str, table.state.sources[side].gone))


def firing(shooter: str = "rifle", target: str = "rifle", **seen: Any) -> Table:
    table = armies({**MEN, "mortar": 3, "tank": 2, "cannon": 1}, {shooter: 6})
    table.order(table.shot(shooter, target, **seen))
    return table


# ------------------------------------------------------------------ several on one line


def test_a_whole_chain_is_told_on_one_line() -> None:
    table = firing("machinegun", close=True)
    events = told(table, "8h 7h 6h 9h")
    assert [(judged.shot.nth, judged.hit) for judged in of(Judged, events)] == [
        (1, True),
        (2, True),
        (3, True),
        (4, False),
    ]
    assert lost(events) == ["rifle"] * 3
    assert table.state.ask is None


def test_a_chain_told_in_part_stays_open() -> None:
    table = firing("machinegun", close=True)
    told(table, "8h 7h")
    assert isinstance(table.state.ask, RepeatAsk)
    events = told(table, "6h 9h")
    assert lost(events) == ["rifle"]
    assert table.state.ask is None


def test_the_breakdown_draw_may_stand_on_the_same_line() -> None:
    table = firing("machinegun")
    events = told(table, "qs 2h")
    assert not of(happened.Tested, events)[0].broken
    assert table.state.ask is None


def test_a_card_too_many_goes_back_unread() -> None:
    table = firing("machinegun", close=True)
    events = told(table, "9h 8h 7h")
    assert [str(draw) for draw in of(DrawsUnused, events)[0].draws] == ["8H", "7H"]
    assert gone(table) == "9H"
    assert lines(table.play)[-1].text.endswith("Typed but not needed: 8H 7H.")
    # On 80 columns the verdict hides that end of the line.
    assert "Typed but not needed: 8H 7H." in verdict(table.play).reason


def test_a_card_too_many_can_be_drawn_later() -> None:
    table = firing()
    told(table, "9h 8h")
    table.fire("rifle", "rifle", "8H")


def test_draws_for_the_next_man_when_the_row_is_gone_go_back_unread() -> None:
    """The last of the row falls; whom to shoot at next only the player knows."""
    table = armies({"rifle": 5, "mortar": 1}, {"machinegun": 1})
    table.order(table.shot("machinegun", "mortar", close=True))
    events = told(table, "8h 7h")
    assert lost(events) == ["mortar"]
    assert [str(draw) for draw in of(DrawsUnused, events)[0].draws] == ["7H"]
    assert isinstance(table.state.ask, RepeatAsk)
    assert gone(table) == "8H"


def test_draws_typed_ahead_wait_for_the_casualty() -> None:
    table = firing("machinegun", "mortar")
    told(table, "8h 7h 9h")
    assert isinstance(table.state.ask, CasualtyAsk)
    table.order(ChooseCasualties(("first/first/rifle",)))
    assert isinstance(table.state.ask, CasualtyAsk)
    table.order(ChooseCasualties(("first/first/rifle",)))
    assert gone(table) == "8H 7H 9H"
    assert table.state.ask is None


def test_a_pin_draw_is_not_taken_from_the_other_players_line() -> None:
    """P23: each from his own deck."""
    table = armies(MEN, {"machinegun": 1}, options=Options(pinning=True))
    table.order(table.shot("machinegun", "rifle"))
    events = told(table, "9h 8h")
    assert not of(Checked, events)
    assert table.state.ask == DrawAsk(side="first", die=False, why="pin")
    assert gone(table, "first") == ""


def test_from_one_deck_the_pin_draw_comes_next() -> None:
    """P23 one_deck."""
    options = Options(pinning=True)
    table = armies(MEN, {"machinegun": 1}, options=options, answers={"P23": "one_deck"})
    table.order(table.shot("machinegun", "rifle"))
    (pin,) = of(Checked, told(table, "9h 8s"))
    assert pin.result


def test_rolls_go_on_one_line_too() -> None:
    table = armies(MEN, {"machinegun": 1}, sources=(CARDS, DICE))
    table.order(table.shot("machinegun", "rifle", close=True))
    assert lost(told(table, "8 8 9")) == ["rifle", "rifle"]


def test_nothing_is_no_draw() -> None:
    assert firing().refusal(Show(())).code == "no_draw"


@pytest.mark.parametrize("line", ["9h 9h", "8h 9h 9h", "9h 13"])
def test_a_line_with_a_card_that_cannot_be_is_refused_whole(line: str) -> None:
    table = firing("machinegun", close=True)
    before = table.state
    assert table.refusal(Show(draws(line))).firm == ("13" in line)
    assert table.state == before


# ------------------------------------------------------------------ ranks without a suit


def suit_asked(table: Table, line: str) -> bool:
    told(table, line)
    ask = table.state.ask
    return isinstance(ask, DrawAsk) and ask.rank is not None


@pytest.mark.parametrize(
    ("shooter", "target", "rank", "seen", "matters"),
    [
        ("rifle", "rifle", "5", {}, False),
        ("rifle", "rifle", "a", {}, False),
        ("rifle", "rifle", "9", {"cover": True}, False),
        ("rifle", "rifle", "5", {"cover": True}, True),
        ("mortar", "rifle", "5", {"cover": True}, False),
        ("rifle", "cannon", "2", {"cover": True}, True),
        ("cannon", "tank", "5", {"hull_down": True}, True),
        ("cannon", "tank", "6", {"hull_down": True}, False),
        ("rifle", "rifle", "q", {}, False),
        ("engineer", "rifle", "q", {}, False),
        ("sniper", "rifle", "q", {}, False),
        ("machinegun", "rifle", "q", {}, True),
        ("tank", "rifle", "q", {}, True),
        ("machinegun", "rifle", "j", {}, False),
        ("rifle", "rifle", "a", {"cover": True}, True),
    ],
)
def test_the_suit_is_asked_where_it_can_matter_and_nowhere_else(
    shooter: str, target: str, rank: str, seen: dict[str, Any], matters: bool
) -> None:
    assert suit_asked(firing(shooter, target, **seen), rank) is matters


def test_where_an_ace_goes_through_cover_its_suit_does_not_matter() -> None:
    """P18 ace_hits."""
    table = armies(MEN, MEN, answers={"P18": "ace_hits"})
    table.order(table.shot("rifle", "rifle", cover=True))
    assert not suit_asked(table, "a")


def test_with_the_suit_the_shot_goes_on() -> None:
    table = firing(cover=True)
    told(table, "5")
    assert table.state.ask == DrawAsk(side="second", die=False, why="shot", rank=5)
    assert gone(table) == ""
    events = told(table, "5s")
    assert of(Judged, events)[0].saved_by == "cover"
    assert gone(table) == "5S"


@pytest.mark.parametrize("line", ["5", "6s", "9h"])
def test_only_the_suit_of_that_rank_is_an_answer(line: str) -> None:
    table = firing(cover=True)
    told(table, "5")
    refusal = table.refusal(Show(draws(line)))
    assert refusal.code == "suit_missing"
    assert refusal.message == "Which suit had the five? S, H, D or C."


def test_what_stood_behind_on_the_line_is_kept_while_a_suit_is_asked() -> None:
    table = firing("machinegun", cover=True, close=True)
    told(table, "9")
    table.order(table.shot("machinegun", "rifle", cover=True, close=True))
    told(table, "7 6h 10")
    assert isinstance(table.state.ask, DrawAsk)
    events = told(table, "7d")
    assert [str(judged.draw) for judged in of(Judged, events)] == ["7D", "6H", "10"]


def test_the_breakdown_draw_needs_its_suit() -> None:
    table = firing("machinegun")
    told(table, "qs 4")
    assert table.state.ask == DrawAsk(side="second", die=False, why="breakdown", rank=4)
    assert of(happened.Tested, told(table, "4s"))[0].broken


def test_a_pin_draw_is_read_by_its_suit() -> None:
    """Pinning, P29 suits."""
    table = armies(MEN, MEN)
    table.order(PinTest("first"))
    assert suit_asked(table, "7")


def test_a_pin_draw_by_rank_needs_no_suit() -> None:
    """P29 ranks."""
    table = armies(MEN, MEN, answers={"P29": "ranks"})
    table.order(PinTest("first"))
    assert not suit_asked(table, "7")
    assert table.state.checked is not None
    assert table.state.checked.result


def test_digging_is_read_by_its_suit() -> None:
    table = armies(MEN, MEN)
    table.order(Dig(side="first"))
    assert suit_asked(table, "2")


def test_a_command_draw_needs_no_suit() -> None:
    table = armies(MEN, MEN, quality={"first": "green"})
    table.order(GroupMoved())
    assert not suit_asked(table, "9")


def test_where_a_jack_of_spades_raises_dust_a_jack_needs_its_suit() -> None:
    """Scenario 8."""
    table = scenario(8)
    shot = Fire(shooter="russian/guards/rifle", target="german/spearhead/rifle")
    table.order(shot)
    assert suit_asked(table, "j")
    told(table, "js")
    assert table.state.toggled == {"dust"}
    table.order(shot)
    assert not suit_asked(table, "10")


def test_where_it_raises_nothing_a_jack_is_a_miss() -> None:
    table = firing()
    assert not suit_asked(table, "j")
    assert table.state.verdict is not None


# ------------------------------------------------------------------ what has gone


def test_four_of_a_rank_are_all_there_are() -> None:
    """Equipment Needed: 48 cards."""
    table = armies(MEN, MEN)
    for line in ("9", "9h", "9d", "9"):
        table.order(table.shot("rifle", "rifle"))
        told(table, line)
    table.order(table.shot("rifle", "rifle"))
    for line in ("9", "9s", "9c"):
        refusal = table.refusal(Show(draws(line)))
        assert refusal.code == "card_gone"
    told(table, "10")


def test_five_of_a_rank_on_one_line_are_one_too_many() -> None:
    table = armies(MEN, {"machinegun": 1})
    table.order(table.shot("machinegun", "rifle", close=True))
    assert table.refusal(Show(draws("7 7 7 7 7"))).code == "card_gone"
    assert lost(told(table, "7 7 7 7 9")) == ["rifle"] * 4


def test_a_rank_without_its_suit_leaves_the_odds_of_a_fresh_deck() -> None:
    """Which five has gone nobody told, and it can matter."""
    table = firing()
    told(table, "5")
    shot, known = (
        prepared(table.state, table.shot("rifle", "rifle")),
        pack_of(table.state, "second"),
    )
    assert (one_shot(shot.aim, known.pack).hit, known.note) == (Fraction(20, 48), UNKNOWN)


def test_a_queen_lying_aside_has_gone_too() -> None:
    """P78: the deck ran out between her and the second draw."""
    table = armies({"tank": 60}, {"machinegun": 1, "rifle": 60})
    for draw in DECK:
        if draw != QUEEN:
            table.fire("rifle", "tank", str(draw), insist=True)
    table.fire("machinegun", "tank", "QS", insist=True)
    assert table.state.sources["second"].aside == QUEEN
    assert table.refusal(Show((QUEEN,))).code == "card_gone"
    told(table, "2s")
    table.order(table.shot("rifle", "tank", insist=True))
    assert table.refusal(Show((QUEEN,))).code == "card_gone"


@pytest.mark.parametrize("card", ["9h", "qs"])
def test_a_true_card_is_never_refused(card: str) -> None:
    """One typed before it was mistyped: that is advised, and stands in the journal."""
    table = firing()
    told(table, card)
    table.order(table.shot("rifle", "rifle"))
    refusal = table.refusal(Show(draws(card)))
    assert (refusal.code, refusal.firm) == ("card_gone", False)
    table.order(Show(draws(card), insist=True))
    assert [str(judged.draw).lower() for judged in table.state.judged] == [card, card]
    assert "one of the two was mistyped" in lines(table.play)[-1].text
    assert pack_of(table.state, "second").note == UNKNOWN


def test_all_typed_anew_is_the_same_battle() -> None:
    """One line or many: the same end."""
    one, many = firing("machinegun", close=True), firing("machinegun", close=True)
    told(one, "8h 7h 9")
    told(many, "8h")
    told(many, "7h")
    told(many, "9")
    assert one.state == many.state
