"""A battle as it stands: whoever reads the sheet can play on with it, and knows no more than he
may."""

from __future__ import annotations

from typing import Any

import pytest
from battles import DECKS, armies, called, scenario, stage
from deep import deep_every
from msgspec.structs import replace

from skirmish import library
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.names import piece_code, piece_name
from skirmish.games.plastic.battle.orders import (
    EndPhase,
    Finish,
    Load,
    MarkPinned,
    Reveal,
    Seal,
    SetClock,
    Switch,
)
from skirmish.games.plastic.battle.reminders import limits_now
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.strength import side_strength
from skirmish.games.plastic.battle.view import view
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.scenarios.happenings import MayConvert, Trait
from skirmish.sheets.layout.boxes import Boxes
from skirmish.sheets.layout.fonts import STAND_IN, clean
from skirmish.sheets.layout.styles import SMALLEST
from skirmish.sheets.paper import MM
from skirmish.sheets.position.sheet import position_pdf
from skirmish.sheets.position.side import _exited, cards_left, piece_notes
from skirmish.sheets.roster.codes import spans
from skirmish.sheets.roster.standing import standing_contingents, works_left
from skirmish.tabletop.chance import Draw, Source


@pytest.mark.parametrize("number", deep_every(3, library.published_scenarios()))
def test_everybody_stands_there_with_his_code(printed: Any, number: int) -> None:
    table = scenario(number, 70)
    state = view(table.state, None)
    paper = "a4" if number % 2 else "letter"
    page = printed(position_pdf(table, paper=paper), paper)
    clock = state.clock
    stands = "The battle is over" if state.outcome else f"Phase {clock.phase}"
    wanted = [state.setup.title.upper(), stands]
    for side in state.setup.sides:
        wanted.append(f"{state.loss.get(side.id, 0)} of {side_strength(state, side.id)} lost")
        for row in rows(state, side.id):
            pinned = f" ({row.pinned} pinned)" if row.pinned else ""
            wanted.append(f"{row.unit.name}{pinned}{len(row.alive)} of {row.total}")
        for _, lines in standing_contingents(state, side, marks_of_turn=True):
            wanted += ["".join(box.code for box in boxes) for _, boxes in lines]
    assert not page.holds(*wanted)
    assert not page.outside()
    assert min(page.sizes()) >= SMALLEST
    assert all(page.fonts().values())


def test_the_dead_are_struck_out_and_no_others() -> None:
    state = armies(60).state
    marked = [
        (piece_name(side.id, box.code), box.marks)
        for side in state.setup.sides
        for _, lines in standing_contingents(state, side, marks_of_turn=True)
        for _, boxes in lines
        for box in boxes
    ]
    assert {name for name, marks in marked if "lost" in marks} == set(state.lost)
    assert state.lost
    assert {name for name, _ in marked} == {piece.id for piece in state.pieces()}
    for name, marks in marked:
        assert ("aboard" in marks) == (state.rides(name) and state.is_in_play(name))
        assert ("exited" in marks) == (name in state.exited and name not in state.lost)


def test_who_has_fired_is_marked_until_his_part_of_the_turn_is_over() -> None:
    table = stage.armies({"rifle": 3}, {"rifle": 3}, sources=DECKS)
    table.order(EndPhase())
    table.fire("rifle", "rifle")

    def fired() -> set[str]:
        return {
            box.code
            for _, lines in standing_contingents(
                table.state, table.state.setup.sides[1], marks_of_turn=True
            )
            for _, boxes in lines
            for box in boxes
            if "fired" in box.marks
        }

    assert len(fired()) == 1
    while table.state.ask is not None:
        table.order(stage.some_order(table.state, stage.Random(1)))
    table.order(EndPhase())
    assert not fired()


def test_works_that_a_side_only_dug_are_left_too() -> None:
    state = stage.armies({"rifle": 6}, {"rifle": 3}, sources=DECKS).state
    side = state.setup.sides[0]
    assert not works_left(state, side)
    cleared = replace(state, works={**state.works, side.id: {"barbed_wire": 0}})
    assert not works_left(cleared, side)
    dug = replace(state, works={**state.works, side.id: {"entrenchment": 1}})
    assert works_left(dug, side) == "Entrenchment: 1 (none to begin with)."


def test_who_is_pinned_is_marked(printed: Any) -> None:
    table = stage.armies({"rifle": 3}, {"rifle": 3}, sources=DECKS)
    table.order(Switch(option="pinning", on=True))
    table.order(MarkPinned("first/first/rifle"))
    assert not printed(position_pdf(table)).holds("Rifle Guy (1 pinned)")


def test_riders_stand_beside_their_models(printed: Any) -> None:
    table = stage.armies({"rifle": 4, "truck": 1}, {"rifle": 5})
    truck, men = table.row("first", "truck"), table.row("first", "rifle")
    table.order(Load(carrier=truck.key, riders={men.key: 3}))
    (said,) = [says for lead, says in piece_notes(table.state, "first") if lead == "Aboard"]
    riders = table.state.riders_of(truck.alive[0])
    assert said == f"K1 carries {spans(map(piece_code, riders))}."
    assert not printed(position_pdf(table)).holds(said)


def test_codes_in_a_row_are_told_as_a_span() -> None:
    assert spans(["R10", "R8", "K1", "R9", "R12", "R11", "T1", "T2"]) == "K1, R8 to R12, T1, T2"
    assert spans([]) == ""


def test_the_cards_that_are_left_can_be_dealt_from_the_sheet(printed: Any) -> None:
    battles = (scenario(1, orders) for orders in range(20, 80))
    table = next(one for one in battles if one.state.sources["german"].gone)
    source = table.state.sources["german"]
    page = printed(position_pdf(table))
    assert not page.holds(f"{source.cards_left(DECK)} of 48 cards left", "Spades", "Clubs")
    *_, cards = cards_left(source, armies(0).state.setup.sides[0], 260)
    cells = [one for row in cards._cellvalues for one in row if isinstance(one, Boxes)]
    boxes = [box for one in cells for box in one.boxes]
    gone = [box for box in boxes if box.marks]
    assert (len(boxes), len(gone)) == (len(DECK), len(source.gone))


def test_cards_of_suits_that_nobody_told_are_listed() -> None:
    source = Source("deck", gone=(Draw(3, ""), Draw(12, ""), Draw(5, "H")))
    *_, told = cards_left(source, armies(0).state.setup.sides[0], 260)
    says = " ".join(told.getPlainText().split())
    assert says == "Also drawn, suit unknown: 3, Q."


def test_a_die_has_nothing_to_remember(printed: Any) -> None:
    table = stage.armies({"rifle": 4}, {"rifle": 5}, sources=(stage.DICE, stage.DICE))
    page = printed(position_pdf(table))
    assert not page.holds("DIE", "nothing to note")
    assert page.holds("Spades") == ["Spades"]


def test_waves_that_have_not_come_and_limits_stand_there(printed: Any) -> None:
    told = 0
    for number in library.scenarios():
        table = stage.scenario(number, sources=DECKS)
        page = printed(position_pdf(table))
        state = view(table.state, None)
        late = [c for c in state.setup.contingents if c.enters > state.clock.turn]
        for contingent in late:
            waiting = [p.code for p in state.pieces() if p.contingent == contingent.id]
            if waiting:
                assert not page.holds(f"Turn {contingent.enters}", spans(waiting))
                told += 1
        for limit in limits_now(state):
            assert not page.holds(limit.text)
            told += 1
    assert told >= 3


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_few_men_have_large_boxes_and_the_tables_to_play_on_by(
    monkeypatch: pytest.MonkeyPatch, printed: Any, paper: str
) -> None:
    """Room is for a pencil and for what a player looks up, not for empty lines."""
    drawn: dict[str, float] = {}
    usual = Boxes.paint

    def paint(boxes: Boxes, canvas: Any, x: float, top: float, width: float) -> None:
        for box in boxes.boxes:
            drawn[box.code] = boxes.TALL / MM
        usual(boxes, canvas, x, top, width)

    monkeypatch.setattr(Boxes, "paint", paint)
    page = printed(position_pdf(called("Reds", "Blues"), paper=paper), paper)
    assert min(drawn["R1"], drawn["T1"]) >= 6.5
    assert not page.holds("FIRING", "THE TURN", "MODIFIERS")
    assert page.pages == 2
    assert not page.outside()


def test_a_battle_that_is_over_needs_no_table_to_play_on_by(printed: Any) -> None:
    table = called("Reds", "Blues")
    assert not printed(position_pdf(table)).holds("MODIFIERS")
    table.order(Finish(winner="first"))
    assert printed(position_pdf(table)).holds("MODIFIERS")


@pytest.mark.parametrize("number", deep_every(3, library.published_scenarios()))
def test_the_rules_of_the_scenario_stand_there_in_full(printed: Any, number: int) -> None:
    """Nobody who plays on from the sheet needs another for them."""
    table = stage.scenario(number, sources=DECKS)
    scenario = table.state.setup.scenario
    assert scenario is not None
    page = printed(position_pdf(table))
    rules = [f"{rule.name}. {scenario.unmarked(rule.text)}" for rule in scenario.special_rules]
    told = [kind for kind in scenario.happenings if isinstance(kind, Trait | MayConvert)]
    rules += [scenario.unmarked(kind.text) for kind in told if not kind.rule]
    assert bool(rules) == (number not in (1, 9))  # these have limits and waves alone
    assert not page.holds(*rules, table.state.setup.victory)
    assert not page.holds(f"the sheet of scenario {number}.", "the quick reference.")
    # The notes of these are on other sheets; a star is also a mark of the firing table.
    marks = [footnote.mark for footnote in scenario.footnotes if footnote.mark != "*"]
    assert page.holds(*marks) == marks
    assert page.pages == 2


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_its_last_page_is_the_table_to_draw_on(printed: Any, paper: str) -> None:
    table = stage.scenario(10, sources=DECKS)
    page = printed(position_pdf(table, paper=paper), paper)
    assert not page.outside()
    assert "VIERVILLE" in page.texts[-1]
    assert "SPECIAL RULES" not in page.texts[-1]
    empty = printed(position_pdf(armies(0), paper=paper), paper).texts[-1]
    assert "VIERVILLE" not in empty
    assert all(part in empty for part in ("WHERE EVERYBODY STANDS", "a square: 12″", "H", "5"))


def test_army_against_army_has_no_special_rules(printed: Any) -> None:
    page = printed(position_pdf(armies(0)))
    assert page.holds("SPECIAL RULES") == ["SPECIAL RULES"]
    assert not page.holds("On other sheets. Weapons, moves and checks: see the quick reference.")


def test_the_last_turn_is_marked_and_what_lies_behind_is_not_offered(printed: Any) -> None:
    table = stage.scenario(1, sources=DECKS)
    table.order(SetClock(turn=9, side="polish", phase=1))
    page = printed(position_pdf(table))
    assert not page.holds("TURN TRACK 9 10 11", "NOW", "END")
    table.order(SetClock(turn=14, side="polish", phase=1))
    assert not printed(position_pdf(table)).holds("TURN TRACK 14 15 16", "NOW")


def test_what_was_agreed_stands_below_its_question(printed: Any) -> None:
    table = stage.scenario(6, sources=DECKS)
    assert not printed(position_pdf(table)).holds("Agreed. At which corner does Group A enter? NE.")
    (opening,) = table.play.entries
    (opened, *more), answers = opening.events, {"other_thing": "West"}  # of a file from elsewhere
    opened = replace(opened, setup=replace(opened.setup, answers=answers))
    table.play = record.codec.play([replace(opening, events=(opened, *more))])
    assert not printed(position_pdf(table)).holds("Agreed. Other thing: West.")


def test_a_battle_that_is_over_has_no_turns_left(printed: Any) -> None:
    table = armies(0)
    assert not printed(position_pdf(table)).holds("TURN TRACK")
    table.order(Finish(winner="first"))
    assert printed(position_pdf(table)).holds("TURN TRACK") == ["TURN TRACK"]


def test_whoever_is_placed_in_secret_is_not_on_it(printed: Any) -> None:
    table = stage.scenario(3)
    secret = sorted(table.state.hidden)
    page = printed(position_pdf(table))
    side, code = secret[-1].split(":")
    row = next(r for r in rows(table.state, side) if secret[-1] in r.alive)
    assert page.holds(f"{len(row.alive)} of {row.total}") != []
    assert not page.holds("Hidden units are not on this sheet")
    table.order(Reveal(row=row.key, count=len(row.hidden)))
    shown = printed(position_pdf(table))
    assert not shown.holds(f"{len(row.alive)} of {row.total}", code)


def test_what_is_sealed_is_only_known_to_be_sealed(printed: Any) -> None:
    table = armies(0)
    table.order(Seal(side="first", text="The left flank is a bluff"))
    page = printed(position_pdf(table))
    assert page.holds("bluff") == ["bluff"]
    assert not page.holds("Reds has sealed a record")


def test_the_loss_track_goes_on_where_the_battle_left_it(printed: Any) -> None:
    table = armies(60)
    page = printed(position_pdf(table))
    for side in table.state.setup.sides:
        lost = table.state.loss.get(side.id, 0)
        assert not page.holds(f"{lost} lost, beaten at")


def test_a_large_battle_takes_more_pages_and_leaves_nobody_out(printed: Any) -> None:
    table = stage.armies({"rifle": 900, "tank": 40}, {"rifle": 500, "machinegun": 30})
    page = printed(position_pdf(table, paper="letter"), "letter")
    assert page.pages == 3
    assert all(part in page.texts[2] for part in ("REMINDERS", "WHERE EVERYBODY STANDS"))
    assert not page.outside()
    assert not page.holds("R900", "T40", "R500", "M30")


@pytest.mark.parametrize("use", ["colour", "saver"])
def test_the_same_position_gives_the_same_bytes(use: Any) -> None:
    table = scenario(6, 40)
    assert position_pdf(table, use=use) == position_pdf(table, use=use)


def test_nothing_of_the_battle_is_changed_by_printing_it() -> None:
    table = scenario(6, 40)
    before = table.state
    position_pdf(table)
    assert table.state == before


@pytest.mark.parametrize("name", ["W" * 80, "[/b]<b>&lt; <para>", "Гвардия", "😀 army", "a " * 40])
def test_whatever_people_call_themselves_stays_within_the_margins(printed: Any, name: str) -> None:
    table = called(name, "Blues")
    page = printed(position_pdf(table))
    assert not page.outside()
    assert page.reader.metadata.title
    whole = "".join(clean(name).split()).replace("😀", STAND_IN)
    assert page.text.count(whole) >= 2  # as a side and as a commander


def test_one_who_left_the_table_is_one(printed: Any) -> None:
    table = stage.scenario(1)
    truck, *_ = table.row("german", "truck").alive
    state = replace(table.state, exited={truck: 5})
    assert _exited(state, "german") == f"{piece_code(truck)}: it counts 5 for victory."
    tank, *_ = table.row("german", "tank").alive
    state = replace(table.state, exited={truck: 5, tank: 5})
    assert "they count 10 for victory." in _exited(state, "german")
