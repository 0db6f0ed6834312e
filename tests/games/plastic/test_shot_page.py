"""What a shot in hand says: its chance, what it comes to in all, what one thing would change."""

from __future__ import annotations

from fractions import Fraction

import pytest
from fights import CARDS, DECK, GAME, a_play, done, drafted, given, order, row
from msgspec.structs import replace

from skirmish.app.battle.draft_lines import draft_lines
from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.orders import EndPhase, Fire, Show
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.forecast import chance_in_words, what_hits
from skirmish.games.plastic.rules.catalog import DECK as CARDS_OF_A_DECK
from skirmish.games.plastic.rules.options import Options
from skirmish.games.plastic.shot_page import shot_page
from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.commands import Draft
from skirmish.tabletop.page import Paragraph, Table
from skirmish.tabletop.page_text import as_text

DICE = Source("die")


def in_all(play: BattlePlay, keys: str) -> str:
    """What a shot comes to in all."""
    blocks = drafted(play, keys).page.blocks
    leads = ("In all:", "Killed, if enough are near:")
    found = [one.text for one in blocks if isinstance(one, Paragraph) and one.lead in leads]
    return "".join(found)


def what_if(play: BattlePlay, keys: str) -> list[str]:
    """The rows of the what-ifs, their cells joined."""
    blocks = drafted(play, keys).page.blocks
    return [
        " ".join(filter(None, row)) for one in blocks if isinstance(one, Table) for row in one.rows
    ]


def test_a_volley_says_its_average_and_how_likely_each_number_is() -> None:
    """Two rifles: 20/48 + 20/48, at least one 1 - 28/48 x 27/47, both 20/48 x 19/47."""
    assert in_all(a_play(1), "2rr2") == "0.83 of 2 killed; 1+ 66%  2+ 17%."


def test_what_is_as_good_as_sure_is_left_out_and_so_is_what_never_happens() -> None:
    assert in_all(a_play(1), "20rr23") == (
        "8.33 of 23 killed; 5+ 99%  6+ 95%  7+ 86%  8+ 69%  9+ 46%  10+ 24%  11+ 10%  12+ 3%  "
        "13+ 1%."
    )


def test_guns_tell_what_breakdowns_cost() -> None:
    assert in_all(a_play(1), "2mr23").endswith("; breakdown 3%.")
    assert "; breakdown 1%." in in_all(a_play(1), "mr")
    assert "breakdown" not in in_all(a_play(1), "20rr23")


def test_repeat_fire_of_one_gun_reckons_with_the_group_once_it_is_counted() -> None:
    told = in_all(a_play(1), "mr")
    assert told == "1+ 67%  2+ 44%  3+ 29%  4+ 18% …; breakdown 1%."
    assert in_all(a_play(1), "mr3").startswith("1.11 of 3 killed")


def test_where_no_card_is_left_that_kills_it_says_so() -> None:
    state = a_play(1).state
    gone = tuple(one for one in CARDS_OF_A_DECK if one.rank <= 10)
    low = {side: replace(source, gone=gone) for side, source in state.sources.items()}
    gun = Fire(shooter=row(a_play(1), "polish", "m"), target=row(a_play(1), "german", "r"))
    page = shot_page(replace(state, sources=low), gun, "full")
    assert "In all: No card that is left kills; breakdown 2%." in as_text(page)


@pytest.mark.parametrize("keys", ["2", "r", "rr", "2r", "ch"])
def test_where_there_is_no_more_to_tell_there_is_no_line(keys: str) -> None:
    """Nothing drafted, no target, or one shot that breaks nothing."""
    assert in_all(a_play(1), keys) == ""


def test_a_shot_that_the_rules_forbid_has_none() -> None:
    assert in_all(a_play(1, EndPhase()), "mt") == ""


def test_the_number_that_is_needed_stands_once_beside_the_chance() -> None:
    (line, *_) = as_text(drafted(a_play(1), "mr").page).splitlines()
    assert line.startswith("Machinegun > Rifle   67% (32 of 48). Machinegun against guys: A-8.")
    for keys, many in (("mr", 1), ("2mr3", 1)):
        blocks = drafted(a_play(1), keys).page.blocks
        texts = [f"{one.lead} {one.text}" for one in blocks if isinstance(one, Paragraph)]
        assert " ".join(texts).count("A-8") == many


def test_each_change_has_its_letter_its_chance_and_the_difference() -> None:
    assert what_if(a_play(1), "mr") == [
        "as it stands A-8 67% 8%",
        "c in cover A-8 33% -34 4%",
        "n within 3\u00a0in A-8 67% = 67%",
        "o Mortar A-5 42% -25 8%",
    ]


def test_no_changes_before_there_is_a_shot() -> None:
    play = a_play(1, EndPhase())
    assert what_if(play, "1") == what_if(play, "r") == []


def test_what_the_rules_forbid_says_why_in_a_few_words() -> None:
    told = what_if(a_play(1, EndPhase()), "mt")
    assert told[0] == "as it stands no only in contact"
    assert told[1:] == ["o Cannon A-5 42%"]


def test_chances_are_out_of_what_may_be_known_of_the_deck() -> None:
    play = done(a_play(1), order(a_play(1), "mr "), Show((Draw(11, "H"),)))
    assert what_if(play, "mr")[0] == "as it stands A-8 68% 9%"
    hidden = next(
        one for one in GAME.with_deck_knowledge("hidden").commands(play.state) if not one.key
    )
    page = hidden.preview(drafted(play, "mr").facts)
    assert "67% (32 of 48), fresh deck" in str(page)


@pytest.mark.parametrize(
    ("keys", "takes"),
    [("c", {"cover": True}), ("n", {"close": True}), ("cn", {"cover": True, "close": True})],
)
def test_the_letter_of_a_change_makes_it(keys: str, takes: dict[str, bool]) -> None:
    play = a_play(1)
    shot = Fire(shooter=row(play, "polish", "m"), target=row(play, "german", "r"), **takes)
    assert order(play, f"mr{keys} ") == shot


def test_the_next_weapon_is_the_one_after_that_in_hand() -> None:
    play = a_play(1, EndPhase(), EndPhase())
    weapons = [order(play, f"tr{'w' * times} ").weapon for times in range(3)]
    assert weapons == [None, "machinegun", "cannon"]


def test_a_repeat_shot_has_its_changes_too() -> None:
    play = given(given(a_play(1), "mr "), ["a", "h", "\n"])
    page = GAME.commands(play.state)[0].preview({"cover": False, "close": False, "grouped": True})
    (table,) = [one for one in page.blocks if isinstance(one, Table)]
    assert table.rows[1][1] == "in cover"


@pytest.mark.parametrize("keys", ["", "r"])
def test_a_card_typed_where_a_repeat_shot_is_offered_begins_no_volley(keys: str) -> None:
    play = given(given(a_play(1), "mr "), ["a", "h", "\n"])
    shot = drafted(play, f"{keys}7")
    assert (shot.slot.name, shot.typed) == ("draws", "7")
    drawn = Source("deck", seed=1)  # the program draws: a number is a volley
    play = given(a_play(1, source=drawn), "mr ")
    assert isinstance(play.state.ask, RepeatAsk)
    assert drafted(play, "7").typed == "7"


def test_the_hint_of_a_repeat_shot_names_space_once() -> None:
    play = given(given(a_play(1), "mr "), ["a", "h", "\n"])
    for keys in ("", "r"):
        draft = drafted(play, keys) if keys else Draft(command=GAME.commands(play.state)[0])
        lines = [line.plain for line in draft_lines(draft, 78, str, tall=False)]
        assert "\n".join(lines).count("Space") == 1
        assert len(lines) <= 6


def test_the_forecast_of_a_volley_of_several_guns_is_about_their_shots() -> None:
    draft = drafted(a_play(1), "2mr3")
    told = " ".join(draft.command.forecast(draft.facts).sentences)
    assert "All their shots kill 3.76 on average." in told
    assert "The chance of two or more kills is 75%." in told


def test_kills_that_are_an_upper_bound_are_at_most_so_many_in_the_forecast(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """P22: who was shot at and lives is no new target, which is followed in small fights only."""
    monkeypatch.setattr("skirmish.games.plastic.battle.odds.SPARING_WORK", 1)
    draft = drafted(a_play(1), "2mr3")
    told = " ".join(draft.command.forecast(draft.facts).sentences)
    assert "All their shots kill at most 3.76 on average." in told
    assert "The chance of two or more kills is at most 75%." in told


@pytest.mark.parametrize(("answer", "told"), [("shot_too", True), ("test_only", False)])
def test_odds_that_leave_out_the_second_card_say_so(answer: str, told: bool) -> None:
    play = a_play(1, rulings={"P82": answer})
    for keys, breaks in (("mr", True), ("rr", False)):
        draft = drafted(play, keys)
        said = f"{draft.page} {draft.command.forecast(draft.facts)}"
        assert said.count("A second card that hits is left out.") == 2 * (told and breaks)


@pytest.mark.parametrize(
    ("hits", "of", "words"),
    [
        (0, 48, "no chance"),
        (1, 48, "less than 1 in 10"),
        (24, 48, "5 in 10"),
        (32, 48, "about 7 in 10"),
        (47, 48, "more than 9 in 10"),
        (48, 48, "it always hits"),
    ],
)
def test_a_chance_is_told_in_tenths(hits: int, of: int, words: str) -> None:
    assert chance_in_words(Fraction(hits, of)) == words


@pytest.mark.parametrize(
    ("source", "cover", "words"),
    [
        (CARDS, False, "Ace to 5 hits."),
        (CARDS, True, "Red: ace to 5 hits. Black never hits."),
        (DICE, False, "1 to 5 hits."),
        (DICE, True, "1, 3, 5 hits."),
        (DECK, False, "Ace to 5 hits."),
    ],
)
def test_the_draws_that_hit_are_told_with_their_colour(
    source: Source, cover: bool, words: str
) -> None:
    play = a_play(1, source=source)
    shot = Fire(shooter=row(play, "polish", "r"), target=row(play, "german", "r"), cover=cover)
    assert what_hits(prepared(play.state, shot).aim, source.kind == "die") == words


def test_where_nobody_of_the_row_is_left_the_repeat_shot_goes_to_another() -> None:
    play = given(given(a_play(1), "mo "), ["a", "h", "\n"])  # the only mortar
    first = GAME.commands(play.state)[0]
    draft = Draft(command=first)
    assert "No." not in str(draft.page)
    assert order(play, " ").target == row(play, "german", "r")


def test_why_nobody_can_leave_is_told_without_the_way_out() -> None:
    play = given(given(a_play(1), "mr "), ["a", "h", "\n"])
    ready = drafted(play, "Xk")
    assert "(by the E edge" in str(ready.page)
    pinned = a_play(1, options=Options(pinning=True))
    refused = drafted(given(given(pinned, "mr "), ["a", "h", "\n"]), "Xk")
    assert "first" in str(refused.page)
    assert "(by the E edge" not in str(refused.page)


def test_rows_of_one_name_are_told_apart_by_their_groups() -> None:
    """Three rows of riflemen land on Dog Beach; only one kind of machine gun fires at them."""
    play = a_play(10)
    assert "Machinegun > Rifle (116th Regiment on the sand)" in as_text(drafted(play, "mi").page)
    assert "Machinegun > Rifle (C Company, Rangers)" in as_text(drafted(play, "mf").page)
    assert "Rifle (" not in as_text(drafted(a_play(1), "mr").page)
