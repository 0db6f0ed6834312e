"""Openings: out of a scenario with its options or out of two armies; journals as text."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from stage import CARDS, armies, scenario

from skirmish import library
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.orders import Fire
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.setup import Setup, Source
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.battle.strength import side_strength
from skirmish.games.plastic.rules.army import ArmyGroup, ArmyList, muster
from skirmish.games.plastic.scenarios.scenario import under_rulings
from skirmish.tabletop.journal_codec import EntryRecord, RecordError


def counted(setup: Setup, side: str) -> Counter[str]:
    return Counter(piece.unit for piece in setup.pieces if piece.side == side)


@pytest.mark.parametrize("number", library.published_scenarios())
def test_a_scenario_opens_with_its_order_of_battle(number: int) -> None:
    setup = scenario(number).state.setup
    found = library.scenarios()[number]
    assert [side.id for side in setup.sides] == list(found.order_of_play())
    assert setup.sides[0].id == found.moves_first
    for side in setup.sides:
        expected = Counter(found.side(side.id).units())
        for choice in found.side(side.id).choices():
            expected += Counter(choice.one_of[0])
        for ask in found.questions():
            if ask.side == side.id and ask.about == "units":
                expected += Counter(ask.proposal)
            elif ask.side == side.id and ask.unit:
                expected += Counter({ask.unit: ask.proposal})
        assert counted(setup, side.id) == expected


@pytest.mark.parametrize("number", library.published_scenarios())
def test_strength_is_between_the_scenarios_least_and_most(number: int) -> None:
    table = scenario(number)
    found, catalog = library.scenarios()[number], library.catalog()
    for side in table.state.setup.sides:
        least, most = found.side(side.id).pdg(catalog.with_variants(found.variants))
        asked = sum(p.contingent in ("garrison", "aircraft") for p in table.state.pieces())
        assert least <= side_strength(table.state, side.id) <= most + 5 * asked


def test_an_option_that_is_taken_replaces_the_first() -> None:
    """Scenario 1: a halftrack, or a truck and a cannon."""
    first = counted(scenario(1).state.setup, "german")
    assert (first["halftrack"], first["truck"], first["cannon"]) == (1, 2, 0)
    other = counted(scenario(1, options={"column": [1]}).state.setup, "german")
    assert (other["halftrack"], other["truck"], other["cannon"]) == (0, 3, 1)


@pytest.mark.parametrize("option", [2, -1])
def test_an_option_that_does_not_exist_is_refused(option: int) -> None:
    with pytest.raises(ValueError, match=f"has 2 options; there is no number {option + 1}"):
        scenario(1, options={"column": [option]})


def test_a_ruling_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no answer 'yes'"):
        scenario(1, answers={"P58": "yes"})


@pytest.mark.parametrize("number", library.published_scenarios())
def test_every_piece_has_a_code_of_its_own(number: int) -> None:
    setup = scenario(number).state.setup
    ids = [piece.id for piece in setup.pieces]
    assert len(ids) == len(set(ids))
    for piece in setup.pieces:
        assert piece.code[0] == setup.unit(piece.unit).letter.upper()
        assert piece.code[1:].isdigit()


def test_codes_run_on_over_the_contingents_of_a_side() -> None:
    """Scenario 6: two German groups of five tanks."""
    pieces = scenario(6).state.setup.pieces
    codes = [piece.code for piece in pieces if piece.side == "german" and piece.unit == "tank"]
    assert codes == [f"T{n}" for n in range(1, 11)]


@pytest.mark.parametrize("number", library.published_scenarios())
def test_every_row_of_a_side_has_a_letter_of_its_own(number: int) -> None:
    setup = scenario(number).state.setup
    for side in setup.sides:
        own = [letter for key, letter in setup.letters.items() if key.startswith(f"{side.id}/")]
        assert len(own) == len(set(own))
        assert all(letter.isalpha() for letter in own)


def test_the_british_of_tobruk_may_have_a_desert_tank() -> None:
    """P70."""
    assert counted(scenario(4).state.setup, "british")["tank"] == 1
    desert = counted(scenario(4, answers={"P70": "desert_tank"}).state.setup, "british")
    assert (desert["tank"], desert["desert_tank"]) == (0, 1)


def test_a_battle_embeds_the_scenario_as_it_is_fought() -> None:
    answers = library.rulings().answered({"P80": "american_16"})
    setup = scenario(10, answers={"P80": "american_16"}).state.setup
    assert setup.scenario == under_rulings(library.scenarios()[10], answers)
    assert setup.rulings == answers


def test_the_tigers_of_kursk_south_reach_four_feet() -> None:
    """Scenario 8: their guns, not their machineguns."""
    setup = scenario(8).state.setup
    tiger = setup.unit("tiger")
    gun, machinegun = setup.catalog.weapons_of(tiger, setup.rulings)
    assert (tiger.price, gun.range, machinegun.range) == (40, 48, 24)


def test_an_elefant_has_no_machinegun() -> None:
    """Scenario 7."""
    table = scenario(7)
    found = table.row("german", "elefant")
    assert [weapon.id for weapon in found.weapons] == ["eighty_eight"]


def test_national_traits_are_played_only_where_they_are_asked_for() -> None:
    """P59: Scenario 3's British jeeps count for nothing with them."""
    plain, national = scenario(3), scenario(3, nationalities=True)
    assert side_strength(plain.state, "british") == 40
    assert side_strength(national.state, "british") == 0
    assert plain.state.nation_of("british") is None


def test_a_japanese_rifleman_kills_on_an_eight_in_close_combat() -> None:
    """Nationalities."""
    table = armies({"rifle": 9}, {"rifle": 9}, nations=(None, "japanese")).at(1, "first", 4)
    table.fire("rifle", "rifle", "8H")
    assert table.alive("first", "rifle") == 8


def test_free_riflemen_stand_on_the_table_and_count() -> None:
    """Nationalities (Russian), P34."""
    state = armies({"rifle": 10}, {"rifle": 10}, nations=("russian", None)).state
    assert counted(state.setup, "first") == {"rifle": 12}
    assert side_strength(state, "first") == 12
    assert side_strength(state, "second") == 10


def test_armies_that_answer_a_ruling_differently_must_agree_first() -> None:
    catalog, book = library.catalog(), library.rulings()
    one, other = (
        muster(ArmyList(name=name, units={"rifle": 9}, rulings={"P2": answer}), catalog, book)
        for name, answer in (("Reds", "half"), ("Blues", "more_than_half"))
    )
    with pytest.raises(ValueError, match="Reds plays P2 as half, Blues as more_than_half"):
        from_armies(one, other, book, sources=(CARDS, CARDS))
    half = SetupChoices(rulings={"P2": "half"})
    agreed = from_armies(one, other, book, sources=(CARDS, CARDS), chosen=half)
    assert agreed.rulings["P2"] == "half"


def test_sides_of_different_nations_are_called_by_them() -> None:
    setup = armies({"rifle": 9}, {"rifle": 9}, nations=("german", "polish")).state.setup
    assert [side.people for side in setup.sides] == ["Germans", "Poles"]


@pytest.mark.parametrize("nations", [(None, None), ("german", "german"), ("german", None)])
def test_sides_that_a_nation_does_not_tell_apart_are_called_by_name(
    nations: tuple[str | None, str | None],
) -> None:
    setup = armies({"rifle": 9}, {"rifle": 9}, nations=nations).state.setup
    assert [side.people for side in setup.sides] == ["Reds", "Blues"]


def test_a_price_mended_later_does_not_touch_a_battle_fought_before() -> None:
    """A battle is self-contained: it carries its catalog."""
    table = armies({"rifle": 9}, {"rifle": 9})
    written = record.codec.written(table.play.entries[0])
    changed = written.events.replace('"guys":{"needs":5', '"guys":{"needs":7', 1)
    assert changed != written.events
    old = record.codec.replay([msgspec.structs.replace(written, events=changed)])
    shot = Fire(shooter="second/second/rifle", target="first/first/rifle")
    assert old.consider(shot).events[0].needs == 7


def test_the_dead_stay_in_the_count_of_their_row() -> None:
    table = armies({"rifle": 9}, {"rifle": 9})
    table.fire("rifle", "rifle", "5H")
    (row,) = rows(table.state, "first")
    assert (row.total, len(row.alive)) == (9, 8)


# ------------------------------------------------------------------ as text, and back


@pytest.mark.parametrize("number", library.published_scenarios())
def test_an_opening_written_and_read_is_the_same(number: int) -> None:
    setup = scenario(number).state.setup
    assert msgspec.json.decode(msgspec.json.encode(setup), type=Setup) == setup


@pytest.mark.parametrize(
    ("kind", "order", "events", "says"),
    [
        ("burn", "null", "[]", "entry 7 is of a kind this version does not know: 'burn'."),
        ("void", "null", "[]", "entry 7 cannot be read: "),
        ("order", "{", "[]", "entry 7 cannot be read: "),
        ("order", '{"order":"charge"}', "[]", "entry 7 cannot be read: "),
        ("order", '{"order":"end_turn"}', '[{"event":"rained"}]', "entry 7 cannot be read: "),
        ("order", '{"order":"end_turn"}', '[{"event":"turn_ended"}]', "entry 7 cannot be read: "),
    ],
)
def test_an_entry_that_cannot_be_read_says_which_it_is(
    kind: str, order: str, events: str, says: str
) -> None:
    with pytest.raises(RecordError) as error:
        record.codec.read(EntryRecord(7, kind, order, events))
    assert str(error.value).startswith(says)


def test_each_group_of_an_army_is_a_contingent_and_codes_run_on() -> None:
    listed = ArmyList(
        name="Guards",
        nation="russian",
        units={"rifle": 30, "machinegun": 2},
        groups=(
            ArmyGroup(name="First platoon", units={"rifle": 12, "machinegun": 1}),
            ArmyGroup(name="Staff", units={"machinegun": 1}),
        ),
    )
    army = muster(listed, library.catalog(), library.rulings())
    setup = from_armies(army, army, library.rulings(), sources=(Source(seed=1), Source(seed=2)))
    own = [group for group in setup.contingents if group.side == "first"]
    assert [group.name for group in own] == ["First platoon", "Staff", "The rest"]
    men = [[p.code for p in setup.pieces if p.contingent == group.id] for group in own]
    assert men[0] == [*(f"R{n}" for n in range(1, 15)), "M1"]
    assert men[1] == ["M2"]
    assert men[2] == [f"R{n}" for n in range(15, 37)]
    assert len({group.id for group in setup.contingents}) == len(setup.contingents)
    letters = [letter for row, letter in setup.letters.items() if row.startswith("first/")]
    assert len(letters) == len(set(letters))


def test_more_rows_than_letters_are_refused_in_a_sentence() -> None:
    """Two rows under one letter, and an arrow would fire with the wrong one."""
    kinds = ("rifle", "machinegun", "mortar", "bazooka", "grenade")

    def divided(groups: int) -> Setup:
        listed = ArmyList(
            name="Guards",
            units=dict.fromkeys(kinds, 9),
            groups=(ArmyGroup(name="Platoon", units=dict.fromkeys(kinds, 1)),) * groups,
        )
        army = muster(listed, library.catalog(), library.rulings())
        sources = (Source(seed=1), Source(seed=2))
        return from_armies(army, army, library.rulings(), sources=sources)

    assert "?" not in divided(4).letters.values()
    with pytest.raises(ValueError, match=r"30 rows in its groups.*only 26 letters.*Dissolve"):
        divided(5)
