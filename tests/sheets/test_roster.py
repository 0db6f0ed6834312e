"""The roster: what was bought, how it stands, what it may do; legal or not."""

from __future__ import annotations

from typing import Any

import pytest

from skirmish import library
from skirmish.games.plastic.battle.opening import Chosen, from_armies
from skirmish.games.plastic.battle.setup import Source
from skirmish.games.plastic.rules.army import Army, read_army
from skirmish.games.plastic.rules.breaches import breaches, mend, whole_or_half
from skirmish.games.plastic.rules.gauges import gauges
from skirmish.sheets.roster import roster_pdf
from skirmish.sheets.words import SMALLEST

GERMAN = {
    "name": "Kampfgruppe Ziegler",
    "points": 200,
    "nation": "german",
    "quality": "regular",
    "units": {"tank": 2, "rifle": 60, "machinegun": 4, "mortar": 2, "halftrack": 1, "truck": 1},
    "works": {"sandbags": 2, "barbed_wire": 6},
}
ILLEGAL = {
    "name": "Too Many Tigers",
    "nation": "american",
    "units": {"tiger": 4, "rifle": 5, "sniper": 3, "large_pillbox": 3, "landing_craft": 1},
    "works": {"sandbags": 4},
    "overrides": {"sniper_one": "House rule on Fridays", "jeeps_per_100": "Just in case"},
}
RUSSIAN = {
    "name": "Guards",
    "nation": "russian",
    "units": {"rifle": 23, "aa_tank": 1},
    "rulings": {"P2": "more_than_half"},
}


def army(raw: dict[str, Any]) -> Army:
    return read_army(raw, library.catalog(), library.rulings(), "test.toml")


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("raw", [GERMAN, ILLEGAL, RUSSIAN], ids=lambda raw: raw["name"])
def test_holds_the_whole_army_on_one_or_two_pages(
    printed: Any, raw: dict[str, Any], paper: str
) -> None:
    listed = army(raw)
    page = printed(roster_pdf(listed, paper=paper, revision="abcd1234"), paper)
    wanted = [raw["name"], f"{listed.spent} / {listed.budget}", str(listed.pdg), "abcd1234"]
    free = listed.free
    for unit, count in listed.bought():
        gift = f" + {free[unit.id]} free" if unit.id in free else ""
        price = listed.price(unit.id)
        codes = "".join(
            f"{unit.letter.upper()}{n + 1}" for n in range(count + free.get(unit.id, 0))
        )
        wanted += [unit.name, f"{count}{gift}{price}{price * count}", codes, unit.note]
    wanted += [library.catalog().works[work].name for work in listed.listed.works]
    assert not page.holds(*wanted)
    assert page.pages <= 2
    assert not page.outside()
    assert min(page.sizes()) >= SMALLEST
    assert all(page.fonts().values())


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_usual_army_takes_one_page(printed: Any, paper: str) -> None:
    assert printed(roster_pdf(army(GERMAN), paper=paper), paper).pages == 1


def test_the_same_army_gives_the_same_bytes() -> None:
    assert roster_pdf(army(GERMAN)) == roster_pdf(army(GERMAN))


@pytest.mark.parametrize("raw", [GERMAN, ILLEGAL], ids=lambda raw: raw["name"])
def test_every_limit_stands_there_as_used_and_allowed(printed: Any, raw: dict[str, Any]) -> None:
    listed = army(raw)
    page = printed(roster_pdf(listed))
    for gauge in gauges(listed):
        least = "at least " if gauge.limit.is_least else ""
        bound = f"{least}{whole_or_half(gauge.allowed)}"
        assert not page.holds(f"{whole_or_half(gauge.have)} / {bound}")


def test_an_illegal_army_prints_and_says_what_is_wrong(printed: Any) -> None:
    listed = army(ILLEGAL)
    page = printed(roster_pdf(listed))
    broken = [breach for breach in breaches(listed) if breach.override is None]
    assert broken
    assert not page.holds("NOT LEGAL", f"{len(broken)} limits broken")
    for breach in broken:
        assert not page.holds(f"{breach.message} Smallest repair: {mend(breach.repair, listed)}.")


def test_waived_limits_stand_there_with_their_reasons(printed: Any) -> None:
    page = printed(roster_pdf(army(ILLEGAL)))
    assert not page.holds(
        "3 Sniper Guys: 1 is the most. Reason: House rule on Fridays",
        "The army keeps to this limit anyway. Reason: Just in case",
    )


def test_a_legal_army_says_so(printed: Any) -> None:
    page = printed(roster_pdf(army(GERMAN)))
    assert not page.holds("PURCHASE LIMITSLegal")
    assert page.holds("NOT LEGAL", "RULINGS THAT DIFFER") == ["NOT LEGAL", "RULINGS THAT DIFFER"]


def test_rulings_that_differ_are_listed(printed: Any) -> None:
    answer = library.rulings().rulings["P2"].answers["more_than_half"]
    page = printed(roster_pdf(army(RUSSIAN)))
    assert not page.holds(f"P2 Break point. {answer}")


def test_free_men_are_marked(printed: Any) -> None:
    page = printed(roster_pdf(army(RUSSIAN)))
    assert not page.holds("23 + 4 free", "R23R24R25R26R27", "Dashed boxes: free men")
    assert page.holds("R28")


def test_loss_track_ends_at_the_break_point(printed: Any) -> None:
    listed = army(GERMAN)
    page = printed(roster_pdf(listed))
    marks = [*range(5, listed.break_at, 5), listed.break_at]
    says = f"Beaten at {listed.break_at} of {listed.pdg}."
    assert not page.holds(says + "".join(map(str, marks)))


def test_a_long_loss_track_has_boxes_worth_more(printed: Any) -> None:
    listed = army({"name": "Horde", "points": 10_000, "units": {"rifle": 9000}})
    page = printed(roster_pdf(listed))
    assert not page.holds("Each box is 5.", "4500", "R9000")


def test_only_this_armys_weapons_are_in_the_firing_table(printed: Any) -> None:
    page = printed(roster_pdf(army(GERMAN)))
    assert not page.holds("Mortar Mortar 36 in A-5+ A-2 A-4*")
    assert page.holds("Flamethrower", "Sniper rifle") == ["Flamethrower", "Sniper rifle"]


def test_an_empty_army_prints(printed: Any) -> None:
    page = printed(roster_pdf(army({"name": "Nobody"})))
    assert page.pages == 1
    assert not page.holds("No units yet.", "0 / 200", "Nothing can be lost yet")


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_type_there_is_takes_more_pages_with_the_heads_repeated(
    printed: Any, paper: str
) -> None:
    catalog = library.catalog()
    units = dict.fromkeys(catalog.units, 7) | {"rifle": 900}
    works = dict.fromkeys(catalog.works, 30)
    listed = army({"name": "All", "points": 2000, "units": units, "works": works})
    page = printed(roster_pdf(listed, paper=paper), paper)
    assert page.pages > 1
    assert not page.outside()
    assert not page.holds("R900", *(unit.name for unit in catalog.units.values()))
    assert page.text.count("TypeNo.PriceTotalMoveWeapon") == 2


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("[/b]<b>&lt; <para>", "[/b]<b>&lt;<para>"),
        ("Гвардия Ωμέγα", "ГвардияΩμέγα"),
        ("Żołnierze Đà Nẵng", "ŻołnierzeĐàNẵng"),
        ("שלום \u202eabc", "□□□□abc"),
        ("😀👍🏽 army", "□□□army"),
        ("\x00\x1b[31m x", "[31mx"),
        ("W" * 80, "W" * 80),
    ],
)
def test_any_name_prints(printed: Any, name: str, shown: str) -> None:
    overrides = {"budget": name, "armor_half": name}
    page = printed(roster_pdf(army({"name": name, "overrides": overrides})))
    assert page.text.count(shown) >= 3
    assert not page.outside()


def test_codes_are_those_of_the_battle(printed: Any) -> None:
    odd = army({"name": "Same letters", "units": {"kv": 2, "aircraft": 3, "rifle": 6}})
    for listed in (odd, army(RUSSIAN)):
        page = printed(roster_pdf(listed))
        setup = from_armies(
            listed,
            army({"name": "Other"}),
            library.rulings(),
            sources=(Source("cards"), Source("cards")),
            chosen=Chosen(rulings=listed.listed.rulings),
        )
        for unit in listed.fielded():
            codes = [p.code for p in setup.pieces if p.unit == unit and p.id.startswith("first:")]
            assert not page.holds("".join(codes))
