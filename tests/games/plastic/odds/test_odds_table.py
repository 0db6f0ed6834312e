"""The odds table: cell by cell what ``one_shot`` says, and no target left out."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skirmish import library
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.pack import ALL_CARDS, Pack, one_shot
from skirmish.games.plastic.odds.table import OddsCell, OddsTable, odds_table
from skirmish.games.plastic.odds.table_data import records
from skirmish.games.plastic.odds.table_page import (
    heading_words,
    legend,
    sentences,
    shade_of_cell,
    signs,
    title,
)
from skirmish.games.plastic.rules.shot import Circumstances, Shot, aim, why_not

CATALOG, BOOK = library.catalog(), library.rulings()
RULINGS = BOOK.defaults()
FRESH = odds_table(CATALOG, RULINGS, packs.fresh(RULINGS))
DIE = odds_table(CATALOG, RULINGS, packs.of_die())

live = [ruling for ruling in BOOK.about(["shot"]) if ruling.mode == "live"]
answers = st.fixed_dictionaries(
    {}, optional={ruling.id: st.sampled_from(list(ruling.answers)) for ruling in live}
)
some_packs = st.one_of(
    st.integers(1, ALL_CARDS).map(lambda left: Pack(left=left)), st.just(packs.of_die())
)


def one(table: OddsTable, weapon: str, target: str, *, cover: bool = False, **at: bool) -> OddsCell:
    """The cell of a weapon and of the column that a unit stands in."""
    return next(
        cell
        for line, column, covered, cell in table.shots()
        if line.weapon.id == weapon
        and target in {unit.id for unit in column.targets}
        and covered is cover
        and column.behind is at.get("behind", False)
    )


@settings(max_examples=12, deadline=None)
@given(answers, some_packs)
def test_every_cell_is_one_shot_for_every_shooter_and_target_in_it(
    chosen: dict[str, str], pack: Pack
) -> None:
    rulings = RULINGS | chosen
    table = odds_table(CATALOG, rulings, pack)
    for line, column, cover, cell in table.shots():
        at = Circumstances(distance=table.distance, cover=cover, rear=column.behind)
        near = Circumstances(distance=table.near, cover=cover, rear=column.behind)
        for shooter in line.fired_by[:3]:
            for target in column.targets:
                shot = Shot(shooter=shooter, weapon=line.weapon, target=target, circumstances=at)
                refusal = why_not(shot, CATALOG, rulings)
                assert (refusal and refusal.code) == (cell.refusal and cell.refusal.code)
                if refusal:
                    assert cell == OddsCell(refusal=cell.refusal)
                    continue
                found, told = one_shot(aim(shot, CATALOG, rulings), pack), cell.odds
                assert told is not None
                assert (told.draws, told.hit, told.exact) == (found.draws, found.hit, found.exact)
                assert told.saved_by_cover == found.saved_by_cover
                close = Shot(shooter=shooter, weapon=line.weapon, target=target, circumstances=near)
                assert cell.exact_near == one_shot(aim(close, CATALOG, rulings), pack).exact


@settings(max_examples=12, deadline=None)
@given(answers)
def test_every_weapon_and_every_target_stands_there_once(chosen: dict[str, str]) -> None:
    rulings = RULINGS | chosen
    table = odds_table(CATALOG, rulings, packs.of_die())
    fired = {
        (unit.id, weapon.id)
        for unit in CATALOG.units.values()
        for weapon in CATALOG.weapons_of(unit, rulings)
    }
    assert {(u.id, line.weapon.id) for line in table.lines for u in line.fired_by} == fired
    in_front = [unit.id for one in table.columns if not one.behind for unit in one.targets]
    assert sorted(in_front) == sorted(CATALOG.units.keys() - {"sniper"})
    assert len({(one.name, one.behind) for one in table.columns}) == len(table.columns)


def test_columns_are_what_no_weapon_tells_apart() -> None:
    assert [" ".join(heading_words(column)) for column in FRESH.columns] == [
        "Guys", "Cannon", "Unarmored", "Pillbox", "Tank", "Tank behind", "Tiger",
        "Tiger behind", "Armored",
    ]  # fmt: skip
    aa_is_a_tank = odds_table(CATALOG, RULINGS | {"P43": "aa_tank_too"}, packs.of_die())
    tanks = next(column for column in aa_is_a_tank.columns if column.name == "Tank")
    assert "aa_tank" in {unit.id for unit in tanks.targets}
    craft = odds_table(CATALOG, RULINGS | {"P3": "unarmored"}, packs.of_die())
    soft = next(column for column in craft.columns if column.name == "Unarmored")
    assert "landing_craft" in {unit.id for unit in soft.targets}


def odds_of(cell: OddsCell) -> tuple[Fraction, Fraction, Fraction | None]:
    assert cell.odds is not None
    return cell.odds.hit, cell.odds.exact, cell.exact_near


def test_cells_worked_out_by_hand() -> None:
    """A machinegun needs A-8: 32 of 48 cards, half of them black. An ace kills the very man."""
    open_, cover = one(FRESH, "machinegun", "rifle"), one(FRESH, "machinegun", "rifle", cover=True)
    assert odds_of(open_) == (Fraction(2, 3), Fraction(1, 12), Fraction(2, 3))
    assert odds_of(cover) == (Fraction(1, 3), Fraction(1, 24), Fraction(1, 3))
    assert cover.odds is not None
    assert cover.odds.saved_by_cover == Fraction(1, 3)
    # Odd faces from 1 to 5: three of twelve.
    assert odds_of(one(DIE, "rifle", "engineer", cover=True))[0] == Fraction(3, 12)
    # A cannon needs A-5 against a tank, A-8 from behind, A-3 against a Tiger.
    assert odds_of(one(FRESH, "cannon", "tank"))[0] == Fraction(5, 12)
    assert odds_of(one(FRESH, "cannon", "tank", behind=True))[0] == Fraction(8, 12)
    assert odds_of(one(FRESH, "cannon", "kv"))[0] == Fraction(3, 12)
    # A flamethrower needs A-10 against a pillbox; no cover saves a model from it.
    assert odds_of(one(FRESH, "flamethrower", "large_pillbox", cover=True))[0] == Fraction(10, 12)
    # A sniper kills the man he names, from afar as well.
    assert odds_of(one(FRESH, "sniper", "mortar")) == (Fraction(1, 6),) * 3


def test_a_pack_is_counted_as_it_stands() -> None:
    """The queen of spades and both red fours are gone: 45 are left, 30 of them ace to eight."""
    table = odds_table(CATALOG, RULINGS, packs.parse("gone: QS 4H 4D", RULINGS))
    assert odds_of(one(table, "machinegun", "rifle"))[0] == Fraction(30, 45)
    assert odds_of(one(table, "machinegun", "rifle", cover=True))[0] == Fraction(14, 45)


@pytest.mark.parametrize(
    ("weapon", "target", "code", "sign"),
    [("rifle", "tank", "touch_only", "*"), ("anti_tank_cannon", "rifle", "no_target", "–")],
)
def test_what_the_rules_forbid_has_its_refusal(
    weapon: str, target: str, code: str, sign: str
) -> None:
    cell = one(FRESH, weapon, target)
    assert cell.refusal is not None
    assert (cell.refusal.code, cell.odds, shade_of_cell(cell)) == (code, None, None)
    assert list(sentences(FRESH, cell)) == [cell.refusal.message]
    column = "Tank" if target == "tank" else "Guys"
    told = next(r for r in records(FRESH) if (r["weapon"], r["target"]) == (weapon, column))
    assert (told["refusal"], told["hit"]) == (code, None)
    assert told["why"] == cell.refusal.message.replace("\u00a0", " ")
    at = [line.weapon.id for line in FRESH.lines].index(weapon)
    assert sign in [text.strip() for text in signs(FRESH, False)[at]]


def test_only_those_who_are_there_are_shown() -> None:
    units = CATALOG.units
    shooters, targets = [units["tank"], units["rifle"]], [units["tiger"], units["truck"]]
    table = odds_table(CATALOG, RULINGS, packs.of_die(), shooters, targets)
    assert [line.weapon.id for line in table.lines] == ["rifle", "machinegun", "cannon"]
    assert [(one.name, one.behind) for one in table.columns] == [
        ("Truck", False), ("Tiger", False), ("Tiger", True),
    ]  # fmt: skip
    assert odds_table(CATALOG, RULINGS, packs.of_die(), [units["truck"]], targets).lines == ()


@pytest.mark.parametrize("number", list(library.published_scenarios()))
def test_a_gun_that_differs_in_range_alone_has_no_line_of_its_own(number: int) -> None:
    catalog = CATALOG.with_variants(library.scenarios()[number].variants)
    table = odds_table(catalog, RULINGS, packs.of_die())
    names = [line.weapon.name for line in table.lines]
    assert len(set(names)) == len(names)


def test_a_cell_is_told_exactly() -> None:
    cell = one(FRESH, "machinegun", "rifle", cover=True)
    line = next(line for line in FRESH.lines if line.weapon.id == "machinegun")
    assert title(line, FRESH.columns[0], cover=True) == "Machinegun at Guys, in cover"
    assert " ".join(sentences(FRESH, cell)).replace("\u00a0", " ") == (
        "Hits 16/48 = 33.3%; needs A-8. Saved by cover 16/48. The man aimed at dies 2/48, "
        "within 3 in 16/48. After a kill it may fire again."
    )


def test_the_very_man_is_told_for_the_half_that_is_shown() -> None:
    """An ace kills him, and a sniper's two; in cover only a red one if it is a bullet."""
    in_open = "8% (Sniper rifle 17%) in the open"
    in_cover = "8% (Rifle and Machinegun 4%)"
    assert legend(FRESH, False)[0].endswith(f"he dies with a chance of {in_open}.")
    assert legend(FRESH, True)[0].endswith(f"he dies with a chance of {in_cover} in cover.")
    assert legend(FRESH, False, True)[0].endswith(
        f"he dies with a chance of {in_open}, {in_cover} in cover."
    )
