"""Three levels, by side, changed at any time: the program draws, draws are typed, losses only."""

from __future__ import annotations

import pytest
from stage import CARDS, DICE, Table, armies, of, scenario

from skirmish.games.plastic.battle.agenda import CasualtyAsk, DrawAsk
from skirmish.games.plastic.battle.events import DrawMade
from skirmish.games.plastic.battle.known_pack import UNKNOWN, pack_of
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    Again,
    ChooseCasualties,
    Correct,
    EndTurn,
    Hold,
    SetLevel,
    Show,
    Volley,
)
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.due import due
from skirmish.tabletop.chance import Draw, Source

MEN = {"rifle": 20, "machinegun": 4, "mortar": 2}
SEEDED = (Source("deck", seed=41), Source("deck", seed=42))


def levelled(table: Table, level: str, source: Source, side: str = "second") -> Table:
    table.order(SetLevel(side=side, level=level, source=source))  # type: ignore[arg-type]
    return table


def ledger(table: Table, side: str = "second") -> Table:
    return levelled(table, "ledger", CARDS, side)


# ------------------------------------------------------------------ as they begin


def test_a_side_with_its_own_cards_types_and_one_without_is_drawn_for() -> None:
    state = armies(MEN, MEN, sources=(CARDS, SEEDED[1])).state
    assert state.levels == {"first": "clerk", "second": "referee"}


def test_a_level_may_be_chosen_before_play() -> None:
    sources = (CARDS, SEEDED[1])
    state = scenario(1, sources=sources, chosen=SetupChoices(levels={"german": "ledger"})).state
    assert state.levels == {"german": "ledger", "polish": "referee"}


# ------------------------------------------------------------------ ledger


def test_a_side_that_keeps_losses_only_does_not_fire_here() -> None:
    table = ledger(armies(MEN, MEN))
    shot = table.shot("rifle", "rifle")
    refusal = table.refusal(shot)
    assert (refusal.code, refusal.firm) == ("ledger", True)
    assert "Blues" in refusal.message
    volley = Volley(shooter=shot.shooter, target=shot.target, count=2)
    assert table.refusal(volley).code == "ledger"


def test_its_losses_and_the_clock_are_kept() -> None:
    """-3r, +r, E."""
    table = ledger(ledger(armies(MEN, MEN)), "first")
    table.order(Correct(row="first/first/rifle", by=-3))
    table.order(Correct(row="first/first/rifle", by=1))
    table.order(EndTurn())
    assert table.state.loss["first"] == 2
    assert table.state.clock.side == "second"


def test_it_is_fired_at_and_chooses_its_dead() -> None:
    table = ledger(armies(MEN, MEN), "first")
    table.fire("rifle", "mortar", "5H")
    assert isinstance(table.state.ask, CasualtyAsk)
    table.order(ChooseCasualties())
    assert len(table.state.lost) == 1


def test_the_odds_say_that_the_deck_is_partly_unknown() -> None:
    table = armies(MEN, MEN)
    assert pack_of(table.state, "second").note == ""
    assert pack_of(ledger(table).state, "second").note == UNKNOWN


def test_a_level_is_the_sides_own() -> None:
    table = ledger(armies(MEN, MEN), "first")
    table.fire("rifle", "rifle", "5H", close=True)
    table.at(1, "second")
    assert table.refusal(table.shot("rifle", "rifle")).code == "ledger"


def test_no_table_is_drawn_on_for_it() -> None:
    """Scenario 3: they draw at the table and add who comes."""
    table = scenario(3)
    table.order(SetLevel(side="german", level="ledger", source=CARDS))
    table.at(3, "german")
    assert table.state.ask is None
    assert not table.state.added


# ------------------------------------------------------------------ changed in the middle


def test_from_ledger_to_referee_the_program_draws_a_fresh_deck() -> None:
    table = levelled(ledger(armies(MEN, MEN)), "referee", Source("deck", seed=9))
    (drawn,) = of(DrawMade, table.order(table.shot("rifle", "rifle")))
    assert (drawn.shuffle, drawn.nth) == (0, 0)


def test_the_journal_names_the_level_and_what_is_drawn_from() -> None:
    table = armies(MEN, MEN, sources=SEEDED)
    levelled(table, "referee", Source("die", seed=9))
    levelled(table, "clerk", CARDS)
    ledger(table)
    assert [line.text for line in lines(table.play)][-3:] == [
        "Blues: referee with a d12 from now on.",
        "Blues: clerk with cards from now on.",
        "Blues: ledger from now on.",
    ]


def test_from_referee_to_clerk_cards_are_typed() -> None:
    table = levelled(armies(MEN, MEN, sources=SEEDED), "clerk", CARDS)
    table.order(table.shot("rifle", "rifle"))
    assert table.state.ask == DrawAsk(side="second", die=False, why="shot")
    table.show("5H")


def test_cards_may_be_changed_for_a_die() -> None:
    table = armies(MEN, MEN)
    table.fire("rifle", "rifle", "9H")
    levelled(table, "clerk", DICE)
    table.order(table.shot("rifle", "rifle"))
    assert table.state.ask == DrawAsk(side="second", die=True, why="shot")
    table.show(9)


def test_a_new_deck_has_all_its_cards() -> None:
    table = armies(MEN, MEN)
    table.fire("rifle", "rifle", "9H")
    levelled(table, "clerk", CARDS)
    table.fire("rifle", "rifle", "9H")


def test_what_has_been_fired_stays_fired() -> None:
    table = armies(MEN, MEN)
    table.fire("machinegun", "rifle", "9H")
    levelled(table, "referee", Source("deck", seed=9))
    assert table.ready("second", "machinegun") == 3


def test_an_open_repeat_shot_is_let_go_by_it() -> None:
    table = armies(MEN, MEN)
    table.fire("machinegun", "rifle", "8H", close=True)
    ledger(table)
    assert table.state.ask is None
    assert table.refusal(Again()).code == "no_repeat"
    assert table.refusal(Hold()).code == "no_repeat"


def test_a_card_that_is_awaited_is_drawn_by_the_new_referee() -> None:
    table = armies(MEN, MEN)
    table.order(table.shot("rifle", "rifle"))
    table.order(SetLevel(side="second", level="referee", source=Source("deck", seed=9)))
    assert not isinstance(table.state.ask, DrawAsk)
    assert table.state.verdict is not None


def test_a_card_that_is_awaited_is_no_business_of_a_ledger() -> None:
    table = armies(MEN, MEN)
    table.order(table.shot("rifle", "rifle"))
    table.order(SetLevel(side="second", level="ledger", source=CARDS))
    assert (table.state.ask, table.state.agenda, table.state.verdict) == (None, (), None)


def test_who_share_a_deck_use_the_program_alike() -> None:
    """P23."""
    table = armies(MEN, MEN, answers={"P23": "one_deck"})
    table.order(SetLevel(side="second", level="referee", source=Source("deck", seed=9)))
    assert set(table.state.levels.values()) == {"referee"}
    table.order(table.shot("rifle", "rifle"))
    assert table.state.verdict is not None


def test_one_deck_is_shuffled_once() -> None:
    """P23 one_deck."""
    table = armies(MEN, MEN, answers={"P23": "one_deck"})
    table.order(EndTurn())
    shown = [str(paragraph) for paragraph in due(table.play)]
    assert any("Shuffle the deck now." in text for text in shown)
    assert not any("Both sides" in text for text in shown)


def test_the_next_card_of_one_deck_is_named_once_after_an_undo() -> None:
    """P23 one_deck."""
    table = armies(MEN, MEN, sources=SEEDED, answers={"P23": "one_deck"})
    table.order(table.shot("rifle", "rifle"))
    table.undo()
    shown = [str(paragraph) for paragraph in due(table.play)]
    (text,) = [text for text in shown if "Undone" in text]
    assert "The next card is still the" in text


@pytest.mark.parametrize(
    ("level", "source", "code"),
    [
        ("referee", CARDS, "bad_source"),
        ("clerk", Source("deck", seed=1), "bad_source"),
    ],
)
def test_who_draws_and_the_level_must_agree(level: str, source: Source, code: str) -> None:
    order = SetLevel(side="first", level=level, source=source)  # type: ignore[arg-type]
    assert armies(MEN, MEN).refusal(order).code == code


def test_a_side_that_is_not_there_has_no_level() -> None:
    order = SetLevel(side="third", level="ledger", source=CARDS)
    assert armies(MEN, MEN).refusal(order).code == "unknown_side"


def test_where_cards_must_be_used_no_die_is_taken() -> None:
    """Scenario 8."""
    order = SetLevel(side="german", level="clerk", source=DICE)
    assert scenario(8).refusal(order).code == "cards_only"


def test_typed_cards_are_no_business_of_a_side_that_is_drawn_for() -> None:
    table = armies(MEN, MEN, sources=SEEDED)
    assert table.refusal(Show((Draw(5, "H"),))).code == "no_draw"


def test_both_ways_of_drawing_in_one_battle() -> None:
    """Each player chooses for himself ("Equipment Needed")."""
    table = armies(MEN, MEN, sources=(DICE, SEEDED[1]))
    table.order(table.shot("rifle", "rifle", close=True))
    table.at(1, "first", 3)
    table.fire("rifle", "rifle", 9)
    assert table.state.sources["first"].rolls == 1
    assert len(table.state.sources["second"].gone) == 1
