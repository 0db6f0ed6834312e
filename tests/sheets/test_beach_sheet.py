"""The play sheet of Beach Head: every number of its manual, and what is ticked as a game stands."""

from __future__ import annotations

import re
from io import BytesIO
from itertools import combinations
from typing import Any

import pytest
import strokes
from beach_table import GAME, played
from msgspec.structs import replace
from pypdf import PdfReader

from skirmish import library
from skirmish.games.beach_head.events import BeachOpened
from skirmish.games.beach_head.game import BeachHeadGame
from skirmish.games.beach_head.policies import SKILLED
from skirmish.games.beach_head.ruleset import BeachSetup, Modifiers
from skirmish.games.beach_head.state import BeachState
from skirmish.sheets.beach_head import documents
from skirmish.sheets.beach_head.picture import Beach
from skirmish.sheets.beach_head.printed_game import turn_counts
from skirmish.sheets.beach_head.sheet import beach_pdf
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.layout.fonts import ready
from skirmish.sheets.layout.sheet_canvas import SheetCanvas
from skirmish.sheets.layout.styles import SMALLEST
from skirmish.sheets.paper import WRITING, leaf_of
from skirmish.tabletop.chance import Source, parse_card

MANUAL, BOOK = library.beach().ruleset, library.beach().book


def game(variant: Any = "normandy", manual: Any = MANUAL, **rulings: str) -> BeachSetup:
    dice, cards = Source("die"), Source("deck")
    return BeachHeadGame(manual, BOOK, "abcd1234").setup(
        rulings, variant=variant, dice=dice, cards=cards
    )


def standing(**changed: Any) -> BeachState:
    """A game in its ninth turn."""
    state = BeachOpened(setup=game()).apply(None)
    left = {"mines": 7, "traps": 0, "walls": 3, "ditches": 24, "bunkers": 31, "wire": 20}
    played = {
        "turn": 9,
        "phase": "engineers",
        "defences": {**state.defences, **left},
        "squads": 37,
        "tanks": ("gun", "crab", "gun"),
        "casualties": 46,
        "tanks_lost": 2,
        "craft_hit": 1,
        "hand": (parse_card("7H"), parse_card("QS")),
    }
    return replace(state, **(played | changed))


@pytest.fixture(scope="module")
def sheet(printed: Any) -> Any:
    return printed(beach_pdf(game()))


def front(page: Any) -> str:
    return "".join(page.texts[0].split())


def ticked(data: Any) -> dict[str, Any]:
    """The fields of a form that are ticked, and what is chosen."""
    fields = data.reader.get_fields()
    return {name: one["/V"] for name, one in fields.items() if one.get("/V", "/Off") != "/Off"}


@pytest.mark.parametrize("variant", ["normandy", "omaha"])
@pytest.mark.parametrize("use", ["colour", "saver"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_two_sides_on_both_papers_in_both_inks(
    printed: Any, paper: Any, use: Any, variant: Any
) -> None:
    page = printed(beach_pdf(game(variant), paper=paper, use=use), paper)
    assert page.pages == 2
    assert not page.outside()
    assert min(page.sizes()) >= SMALLEST
    assert all(page.fonts().values())


def test_two_sides_with_many_other_readings(printed: Any) -> None:
    others = {
        one.id: next(name for name in one.answers if name != one.default)
        for one in BOOK.rulings.values()
        if len(one.answers) > 1
    }
    assert len(others) > 20
    for paper in ("a4", "letter"):
        state = standing(setup=game(**others))
        page = printed(beach_pdf(state, paper=paper), paper)
        assert page.pages == 2
        assert not page.outside()
        assert "CARDS" in page.texts[0]  # nothing was pushed onto the other side
        assert page.texts[1].index("DEFENCES") < page.texts[1].index("RESULT")
        answers = [BOOK.rulings[name].answers[answer] for name, answer in others.items()]
        assert not page.holds(*answers)
        assert not page.holds("(see side 2): B2, B3, B6")


def test_the_same_bytes_every_time() -> None:
    assert beach_pdf(standing()) == beach_pdf(standing())


# ------------------------------------------------------------------ the turn


def test_the_eighteen_phases_stand_there_in_their_order_with_their_dice(sheet: Any) -> None:
    text = sheet.texts[0]
    at = [text.index(phase.name) for phase in MANUAL.phase if phase.name not in ("Mines", "End")]
    assert at == sorted(at)
    for number, phase in enumerate(MANUAL.phase, 1):
        first = phase.step[0].dice if phase.step else ""
        assert not sheet.holds(f"{number}{phase.name}{first}")


def test_every_roll_stands_there_as_often_as_it_is_rolled(sheet: Any) -> None:
    """Of each phase the dice of its steps; those of the tables, once for all that share one."""
    wanted = [step.dice for phase in MANUAL.phase for step in phase.step]
    for phase in MANUAL.phase:
        for step in phase.step:
            wanted += step.craters.values()
            wanted += (step.type,) if step.type else ()
    tables = {
        tuple(step.row) for phase in MANUAL.phase for step in phase.step if step.does == "table"
    }
    assert len(tables) == 4
    wanted += [row.kill or row.remove for rows in tables for row in rows if row.kill or row.remove]
    found = re.findall(r"[1-9]d6(?:[+-][1-9])?", front(sheet))
    assert sorted(found) == sorted(wanted)


def test_every_modifier_stands_there_with_its_reason(sheet: Any) -> None:
    says = {
        "traps": "while tank traps remain",
        "craft_hit": "if landing craft were hit last turn",
        "half_bunkers": "with 30 bunkers or fewer",
        "no_bunkers": "with none",
        "per_dozen": "for each full 12 squads ashore",
    }
    assert set(says) == set(Modifiers.__struct_fields__)
    text = front(sheet)
    for name, words in says.items():
        values = [getattr(s.modifiers, name) for phase in MANUAL.phase for s in phase.step]
        for value in filter(None, set(values)):
            said = f"{value:+d} {words}".replace(" ", "")
            assert text.count(said) == values.count(value), said


def test_when_a_phase_is_played_stands_there(sheet: Any) -> None:
    assert not sheet.holds(
        "with a gun tank",
        "with a crab",
        "with any AVRE",
        "while bunkers are left",
        "while mines are left",
        "from turn 20 on",
        "once bunkers, walls and ditches are gone",
        "once bunkers and walls are gone",
        "once barbed wire is gone",
        "points off any one defence but the trenches",
        "points off the bunkers, walls or trenches",
    )


def test_every_row_of_every_table_stands_there(sheet: Any) -> None:
    assert not sheet.holds(
        "0-1 1d6-2 squads killed 2-6 1d6 squads killed 7 2d6 squads killed 8 2d6+2 squads killed",
        "0-4 1d6-3 squads killed 5 a random tank lost 6 a landing craft hit",
        "0-4 1d6-3 squads killed 5-6 a tank without a flail lost",
        "1-4 nothing",
        "5 rocket barrage, 1d6-1 points off bunkers or walls",
        "6 bombers, 1d6-1 points off bunkers or walls",
        "1-2 Gun tank 3-4 Crab 5 AVRE bridge 6 AVRE fascine",
    )


def test_every_card_stands_there_with_its_use(sheet: Any) -> None:
    ranks = {1: "A", 11: "J", 12: "Q", 13: "K"}
    for card in MANUAL.card:
        use = f"die = {card.sets}" if card.sets else f"{card.shifts:+d}" if card.shifts else ""
        assert not sheet.holds(f"{ranks.get(card.rank, card.rank)}{card.name}{use}")
    assert not sheet.holds("re-roll", "repeat phase", f"draw {MANUAL.hand.general}")
    hand = MANUAL.hand
    assert not sheet.holds(
        f"Fill the hand to {hand.full}", f"up to {hand.redraw} cards", f"keep {hand.keep} at its"
    )


def test_a_changed_number_is_printed(printed: Any) -> None:
    late = [replace(one, from_turn=18) if one.from_turn > 1 else one for one in MANUAL.phase]
    changed = replace(MANUAL, phase=tuple(late), dozen=10)
    page = printed(beach_pdf(game(manual=changed)))
    assert not page.holds("from turn 18 on", "+1 for each full 10 squads ashore", "dozens of 10")


@pytest.mark.parametrize("width", [leaf_of("a4").measure, leaf_of("letter").measure])
def test_names_on_the_beach_stand_apart_and_within(width: float) -> None:
    ready()
    beach = Beach(game())
    beach.paint(SheetCanvas(BytesIO()), 30, 500, width)
    boxes = [one.box for one in beach.written_words]
    assert {one.text for one in beach.written_words} == {
        "The sea",
        *(f"{one.name} {one.points}" for one in MANUAL.defence),
    }
    for one, other in combinations(boxes, 2):
        assert one.bottom >= other.top or other.bottom >= one.top
    assert all(box.left > 30 and 500 - beach.height_at(width) < box.bottom for box in boxes)
    assert all(box.top < 500 for box in boxes)


# ------------------------------------------------------------------ variant and readings


def test_at_omaha_what_is_not_played_is_said_and_no_ditch_is_drawn(printed: Any) -> None:
    page = printed(beach_pdf(game("omaha")))
    assert not page.holds("Omaha Beach", "once bunkers and walls are gone", "1-2 Gun tank")
    for phase in ("Flail tanks", "Petards"):
        assert not page.holds(f"{phase} not at Omaha: no such tank lands")
    assert not page.holds("Bridging not at Omaha: nothing to remove")
    assert page.text.count("nonelands") == 3
    text = page.text.replace("Ditches", "ditches")
    assert "ditches" not in text
    assert "Crab" not in page.text


def test_readings_that_are_not_the_usual_ones_are_told(printed: Any, sheet: Any) -> None:
    assert sheet.holds("Read otherwise")
    assert not sheet.holds("as printed")
    page = printed(beach_pdf(game(B39="1d6", B3="cumulative")))
    assert not page.holds(
        "Rulings other than the default:",
        "B3 Half and all bunkers: Yes: -1 at half, -3 with none left.",
        "B39 Squads in a landing:",
        "Infantry landing 1d6 squads land",
        "-3 with none",
        "own rulings",
    )
    draft = printed(beach_pdf(game(**BOOK.presets["draft_1d6"].answers)))
    assert not draft.holds(BOOK.presets["draft_1d6"].name.lower())


def rows(texts: str, first: str, last: str) -> str:
    """What stands on the front from one phase to the next."""
    text = texts[texts.index("Shore guns") :]  # below the picture
    return " ".join(text[text.index(first) : text.index(last)].split())


def read(printed: Any, first: str, last: str, **rulings: str) -> str:
    return rows(printed(beach_pdf(game(**rulings))).texts[0], first, last)


def test_craters_stand_where_they_are_dug(printed: Any) -> None:
    """B38"""
    dug, stormed = "points of new ditches", "points off the trenches"
    last, first = (
        read(printed, "Petards", "Bridging", B38=answer) for answer in ("trenches", "craters")
    )
    assert last.index(stormed) < last.index(dug)
    assert first.index(dug) < first.index(stormed)


def test_the_engineers_have_one_row_where_they_have_one_roll(printed: Any) -> None:
    """B9"""
    two, one = (
        read(printed, "Combat engineers", "Flail tanks", B9=answer)
        for answer in ("also", "instead")
    )
    assert (two.count("1d6"), one.count("1d6")) == (2, 1)
    assert "any one defence but the trenches" in two
    assert "but the trenches" not in one
    assert "trenches only once bunkers and walls are gone" in one


def test_the_infantry_waits_for_the_wire_where_it_must(printed: Any) -> None:
    """B33"""
    no, yes = (read(printed, "Infantry assault", "Fire support", B33=one) for one in ("no", "yes"))
    assert "once bunkers and walls are gone" in no
    assert "once bunkers, walls and barbed wire are gone" in yes
    page = printed(beach_pdf(game(B33="yes")))
    assert not page.holds("Keeps phase 15 off the bunkers and trenches.")


def test_no_more_ditches_are_drawn_than_there_can_be(printed: Any) -> None:
    """B15"""
    for answer, count in (("no_cap", 30), ("cap", 20)):
        page = printed(beach_pdf(game(B15=answer), form=True))
        names = [one for one in page.reader.get_fields() if "-ditches-" in one]
        assert len(names) == count


def test_the_footer_names_the_data(sheet: Any) -> None:
    assert not sheet.holds("data revision abcd1234")


# ------------------------------------------------------------------ the tracks


def test_an_empty_form_has_a_field_for_all_that_is_ticked(printed: Any) -> None:
    page = printed(beach_pdf(game(), form=True))
    names = set(page.reader.get_fields())
    for one in MANUAL.defence:
        more = 10 if one.id == "ditches" else 0
        mine = {name for name in names if name.startswith(f"tick-beach-{one.id}-")}
        assert len(mine) == one.points + more
    for turn in range(1, 25):
        assert {f"tick-beach-turn-{turn}", f"tick-beach-craft-{turn}"} <= names
    assert {f"tick-beach-lost-{n}" for n in range(1, 121)} <= names
    assert {f"tick-beach-tank-{tank.id}-1" for tank in MANUAL.tank} <= names
    assert "choose-beach-squads" in names
    assert not ticked(page)


def test_a_form_of_a_game_is_ticked_as_it_stands(printed: Any) -> None:
    state = standing()
    found = ticked(printed(beach_pdf(state, form=True)))
    for one in MANUAL.defence:
        crossed = [name for name in found if name.startswith(f"tick-beach-{one.id}-")]
        assert len(crossed) == max(0, one.points - state.defences[one.id]), one.id
    assert found["choose-beach-squads"] == "/37"
    assert sum(name.startswith("tick-beach-lost-") for name in found) == 46
    assert sum(name.startswith("tick-beach-turn-") for name in found) == 8
    assert [name for name in found if "craft" in name] == ["tick-beach-craft-9"]
    tanks = sorted(name for name in found if "-tank-" in name)
    assert tanks == ["tick-beach-tank-crab-1", "tick-beach-tank-gun-1", "tick-beach-tank-gun-2"]


def test_the_number_of_squads_that_is_chosen_can_still_be_read(printed: Any) -> None:
    fields = printed(beach_pdf(standing(), form=True)).reader.get_fields()
    signs = {kid.get_object()["/MK"]["/CA"] for kid in fields["choose-beach-squads"]["/Kids"]}
    cross = "5"  # in Zapf Dingbats; a dot (l) would hide the number
    assert signs == {cross}


def test_on_paper_a_game_is_told_and_crossed(printed: Any) -> None:
    page = printed(beach_pdf(standing()))
    assert not page.holds(
        "As it stands: Turn 9, Combat engineers. Squads lost: 46. Ashore: 37 squads",
        "In hand: 7 Q.",
        "Tanks lost: 2.",
    )
    assert not page.reader.get_fields()
    fewer = standing(casualties=45)
    assert beach_pdf(fewer) != beach_pdf(standing())


def test_a_turn_that_is_over_has_one_diagonal_so_that_its_number_can_be_read() -> None:
    """A box without a number, such as that of a craft hit, is crossed."""
    _, back = strokes.pages(PdfReader(BytesIO(beach_pdf(standing()))))
    diagonals = []
    for shape in back.shapes:
        across, upward = shape.size
        if len(shape.points) == 2 and abs(across - WRITING) < 0.1 and abs(upward - WRITING) < 0.1:
            diagonals.append(shape)
    # Eight turns are over, and in the ninth a craft was hit.
    assert len(diagonals) == 8 + 2


def test_what_was_thrown_off_is_told_while_the_game_goes_on(printed: Any) -> None:
    thrown = (parse_card("2C"), parse_card("KD"))
    page = printed(beach_pdf(standing(discard=thrown)))
    assert not page.holds("Discarded: 2 K; all other cards are in the deck.")
    over = printed(beach_pdf(standing(discard=thrown, over=True)))
    assert over.holds("Thrown off")


def test_the_result_of_a_game_that_is_over_is_filled_in(printed: Any) -> None:
    setup = replace(game(), player="Anna Brandt")
    going = printed(beach_pdf(standing(setup=setup), ended="2026-05-01")).texts[1]
    over = printed(beach_pdf(standing(setup=setup, over=True), ended="2026-05-01")).texts[1]
    result = [text[text.index("RESULT") : text.index("NOTES")].split() for text in (going, over)]
    assert [{"Anna", "Brandt"} <= set(words) for words in result] == [True, True]
    assert [{"9", "46", "37", "2026-05-01"} <= set(words) for words in result] == [False, True]


def test_a_long_name_of_a_player_stays_in_its_box(printed: Any) -> None:
    setup = replace(game(), player="Maximiliane von und zu Ahrensfelde " * 3)
    page = printed(beach_pdf(standing(setup=setup, over=True)))
    assert not page.outside()
    assert not page.holds("Maximiliane von und")


def test_more_than_the_tracks_hold_is_still_told(printed: Any) -> None:
    state = standing(turn=26, casualties=131, squads=140, tanks=("gun",) * 14)
    for form in (False, True):
        page = printed(beach_pdf(state, form=form))
        assert not page.holds(
            "Combat engineers. Squads lost: 131. Ashore: 140 squads", "14 gun tanks"
        )
        assert page.pages == 2


def test_bookmarks_lead_to_both_sides(sheet: Any) -> None:
    first, (back,) = sheet.reader.outline
    assert [sheet.reader.get_destination_page_number(mark) for mark in (first, back)] == [0, 1]


def test_an_unknown_paper_is_a_sentence() -> None:
    with pytest.raises(ValueError, match="no paper 'a5'"):
        beach_pdf(game(), paper="a5")  # type: ignore[arg-type]


def test_the_file_is_called_by_the_game() -> None:
    (document,) = documents()
    names = [document.file_name(None), document.file_name(StoredGame(3, None, ""))]  # type: ignore[arg-type]
    assert names == ["beach-head.pdf", "beach-head-3.pdf"]


def test_what_landed_and_was_lost_in_each_turn_is_filled_in(printed: Any) -> None:
    opened = GAME.codec.play([GAME.opening({}, lambda: 3)]).state.setup
    play = played(opened, SKILLED, 3)
    counts = turn_counts(play)
    hit, landed, lost = counts.craft_hit, counts.squads_landed, counts.squads_lost
    assert sum(lost.values()) == play.state.casualties
    assert {*landed, *lost, *hit} <= {*range(play.state.turn + 1)}
    told = "\n".join(line.text for line in GAME.journal(play) if line.turn == 1)
    (first,) = re.findall(r"(\d+) squads? lands?", told)
    assert landed[1] == int(first)
    page = printed(beach_pdf(StoredGame(1, play, "2026-07-01", "beach_head")))
    row = page.texts[1].partition("Squads landed")[2].partition("Squads lost")[0]
    assert row.split() == [str(landed[at]) for at in range(1, play.state.turn + 1)]
