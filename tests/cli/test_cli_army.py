"""``skirmish army``: checking, keeping, sharing."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from at_the_desk import ROOT, ZIEGLER, Ask

from skirmish import library
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.rules.army import ArmyList
from skirmish.games.plastic.rules.army_reading import read_army
from skirmish.games.plastic.rules.limits import is_legal
from skirmish.store.database import Store

DOC = (ROOT / "docs" / "army-files.md").read_text("utf-8")


def kept() -> list[str]:
    with Store.open() as store:
        return [record.name for record in store.armies()]


# Checking


def test_a_legal_army_ends_with_0(ask: Ask) -> None:
    said = ask("army", "check", "ziegler.toml")
    assert said.code == 0
    assert re.search(r"^ +2 +Tanks +18 +36$", said.out, re.MULTILINE)
    assert "Spent 132 of 240 points, 108 left. Strength 74, break point 37.\n" in said.out
    assert said.out.endswith("\nLegal.\n")


def test_an_illegal_army_ends_with_1_and_every_breach_with_its_repair(ask: Ask) -> None:
    said = ask("army", "check", "russians.toml")
    assert said.code == 1
    assert re.search(r"^ +77 +Rifle Guys +1 +77 +15 +92$", said.out, re.MULTILINE)
    assert "Not legal: 2 limits are broken.\n" in said.out
    words = " ".join(said.out.split())
    assert "Smallest repair: remove 3 Machinegun Guys." in words
    assert "Smallest repair: remove 1 Small Pillbox." in words
    assert "- Overridden: Only the Germans may have Tiger Tanks" in said.out
    assert "Reason: a captured one" in words


def test_the_json_of_a_check_has_exactly_the_promised_keys(ask: Ask) -> None:
    said = ask("army", "check", "ziegler.toml", "--json")
    assert said.code == 0
    assert said.json == {
        "legal": True,
        "budget": 240,
        "spent": 132,
        "free": {},
        "pdg": 74,
        "break_at": 37,
        "breaches": [],
    }


def test_the_json_of_a_divided_army_names_its_groups(ask: Ask) -> None:
    divided = """
    format = 1
    name = "Divided"
    nation = "russian"
    units = { rifle = 30, machinegun = 2 }
    group = [
        { name = "First platoon", units = { rifle = 12, machinegun = 1 } },
        { name = "Second platoon", units = { rifle = 10 } },
    ]
    """
    assert ask("army", "check", "-", "--json", typed=divided).json["groups"] == [
        {"name": "First platoon", "units": {"rifle": 12, "machinegun": 1}, "free": {"rifle": 2}},
        {"name": "Second platoon", "units": {"rifle": 10}, "free": {"rifle": 2}},
        {"name": "The rest", "units": {"rifle": 8, "machinegun": 1}, "free": {"rifle": 2}},
    ]


def test_the_json_of_breaches_counts_in_whole_points_and_halves(ask: Ask) -> None:
    said = ask("army", "check", "--json", "russians.toml")
    assert said.code == 1
    told = said.json
    assert told["free"] == {"rifle": 15}
    assert [{**breach, "message": ""} for breach in told["breaches"]] == [
        {
            "limit": "guy_type_sixth",
            "unit": "machinegun",
            "have": 45,
            "allowed": 33,
            "message": "",
            "repair": [{"unit": "machinegun", "change": -3}],
        },
        {
            "limit": "pillboxes_per_100",
            "unit": None,
            "have": 2.5,
            "allowed": 2,
            "message": "",
            "repair": [{"unit": "small_pillbox", "change": -1}],
        },
    ]
    assert '"have": 45,' in said.out
    assert [(b["limit"], b["reason"]) for b in told["overridden"]] == [
        ("nation_only", "a captured one")
    ]


def test_an_army_with_only_overridden_breaches_is_legal(ask: Ask, desk: Path) -> None:
    (desk / "tiger.toml").write_text(
        'name = "T"\nnation = "russian"\n[units]\nrifle = 70\ntiger = 1\n'
        '[overrides]\nnation_only = ""\n',
        "utf-8",
    )
    said = ask("army", "check", "tiger.toml", "--json")
    assert (said.code, said.json["legal"], said.json["breaches"]) == (0, True, [])
    assert [b["unit"] for b in said.json["overridden"]] == ["tiger"]
    human = ask("army", "check", "tiger.toml")
    assert human.code == 0
    assert "Legal: the broken limits are overridden on purpose.\n" in human.out


def test_an_army_is_checked_from_standard_input(ask: Ask) -> None:
    assert ask("army", "check", "-", typed=ZIEGLER).code == 0
    assert ask("army", "check", "-", "--json", typed="\ufeff" + ZIEGLER).json["legal"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('name = "x"\n[units]\nrifel = 3\n', "units.rifel: no unit 'rifel'; did you mean rifle?"),
        ('name = "x"\nnation = "martian"\n', "nation: no nation 'martian'"),
        ("name = \n", "is not valid TOML"),
        ("points = 200\n", "name: is missing"),
        ('name = "x"\npoints = 0\n', "points: "),
        ('name = "x"\n[units]\nsandbags = 1\n', "units.sandbags: belongs under [works]"),
    ],
)
def test_an_army_that_cannot_be_read_ends_with_2_and_says_where(
    ask: Ask, text: str, told: str
) -> None:
    said = ask("army", "check", "-", "--json", typed=text)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("standard input: ")
    assert told in said.err


def test_every_problem_of_a_file_is_told_at_once(ask: Ask) -> None:
    said = ask("army", "check", "-", typed='name = "x"\nnation = "a"\nquality = "b"\n')
    assert said.err.count("\n") == 2


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nowhere.toml", "nowhere.toml: cannot be read: no such file or directory.\n"),
        (".", ".: cannot be read: is a directory.\n"),
        ("latin.toml", "latin.toml: is not UTF-8 text; save it as UTF-8.\n"),
        ("huge.toml", "huge.toml: is larger than 1000000 bytes; no army file is that large.\n"),
        ("nobody", "No army is called “nobody”; none is saved yet. "
                   "There is no file of that name either.\n"),
        ("SK9", "No army is called “SK9”; none is saved yet. "
                "There is no file of that name either.\n"),
        ("no\0name.toml", "no␀name.toml: cannot be read: embedded null byte.\n"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_opened_is_a_sentence(
    ask: Ask, desk: Path, name: str, told: str
) -> None:
    (desk / "latin.toml").write_bytes('name = "Bénouville"'.encode("latin-1"))
    (desk / "huge.toml").write_bytes(b"#" * 1_000_001)
    assert ask("army", "check", name) == (2, "", told)


def test_a_hostile_name_is_printed_without_its_teeth(ask: Ask) -> None:
    said = ask("army", "check", "-", typed='name = "\\u001b[2J[/b]\\n%s 🎖 Ж"\n[units]\nrifle = 80')
    assert said.out.startswith("·[2J[/b]·%s 🎖 Ж\n")
    assert "\x1b" not in said.out


def test_rulings_that_differ_are_shown(ask: Ask) -> None:
    said = ask(
        "army",
        "check",
        "-",
        typed='name = "x"\n[units]\nrifle = 80\n[rulings]\nP2="more_than_half"',
    )
    assert "break point 41" in said.out
    assert "P2 Break point: Only beyond half: losing 41 of 80.\n" in said.out


# Keeping


def test_what_is_imported_is_exported_unchanged(ask: Ask, desk: Path) -> None:
    said = ask("army", "import", "russians.toml")
    assert said.code == 0
    assert said.out.startswith(
        "Saved as number 1: Красная армия\nNot legal: 2 limits are broken.\n"
    )
    said = ask("army", "export", "1", "-o", "back.toml")
    assert (said.code, said.out) == (0, f"Army file: {desk / 'back.toml'}\n")
    catalog, book = library.catalog(), library.rulings()
    lists = [
        read_army(tomllib.loads((desk / file).read_text("utf-8")), catalog, book, file).army_list
        for file in ("russians.toml", "back.toml")
    ]
    assert lists[0] == lists[1]


def test_a_second_army_of_a_name_gets_a_number_and_says_so(ask: Ask) -> None:
    ask("army", "import", "ziegler.toml")
    said = ask("army", "import", "-", typed=ZIEGLER)
    assert said.code == 0
    assert "Saved as number 2: Kampfgruppe Ziegler 2\n" in said.out
    assert "There was already an army called Kampfgruppe Ziegler." in said.out
    assert sorted(kept()) == ["Kampfgruppe Ziegler", "Kampfgruppe Ziegler 2"]


def test_an_army_that_cannot_be_read_is_not_kept(ask: Ask) -> None:
    assert ask("army", "import", "-", typed='name = "x"\n[units]\nrifel = 3\n').code == 2
    assert kept() == []


def test_import_of_nothing_known_says_what_it_takes(ask: Ask) -> None:
    said = ask("army", "import", "ziegler")
    assert (said.code, said.out) == (2, "")
    assert said.err == "ziegler: no such file, and not a share code (these begin with SK1-).\n"


def test_the_list_shows_each_army_and_whether_it_is_legal(ask: Ask) -> None:
    assert ask("army", "list").out.startswith("No armies are saved yet in ")
    ask("army", "import", "ziegler.toml")
    ask("army", "import", "russians.toml")
    said = ask("army", "list")
    assert said.code == 0
    first, second = said.out.splitlines()
    assert first.split() == ["2", "Красная", "армия", "Russian", "184/200", "not", "legal"]
    assert second.split()[-4:] == ["German,", "Regular", "132/240", "legal"]
    told = ask("army", "list", "--json").json
    assert [(army["id"], army["name"], army["legal"]) for army in told] == [
        (2, "Красная армия", False),
        (1, "Kampfgruppe Ziegler", True),
    ]


def test_the_list_fits_a_screen_whatever_the_names(ask: Ask) -> None:
    for name in ("火" * 80, "x" * 80):
        text = ZIEGLER.replace("Kampfgruppe Ziegler", name)
        assert ask("army", "import", "-", typed=text).code == 0
    for line in ask("army", "list").out.splitlines():
        assert len(line) + line.count("火") <= 80


def test_an_army_that_is_kept_but_unreadable_is_listed_and_named(ask: Ask) -> None:
    with Store.open() as store:
        store.add_army(GAME, "Spoilt", "not json")
        store.add_army("another game", "Elsewhere", "{}")
    ask("army", "import", "ziegler.toml")
    said = ask("army", "list")
    assert said.code == 0
    assert re.search(r"^1 +Spoilt .*cannot be read$", said.out, re.MULTILINE)
    assert "Elsewhere" not in said.out
    assert ask("army", "show", "Spoilt").err == (
        "the saved army Spoilt: is stored as text that is not an army list.\n"
    )
    assert "another game" in ask("army", "show", "Elsewhere").err


def test_a_kept_army_is_found_by_number_name_and_beginning(ask: Ask) -> None:
    ask("army", "import", "ziegler.toml")
    shown = {ask("army", "show", ref).out for ref in ("1", "Kampfgruppe Ziegler", "kampf")}
    assert shown == {ask("army", "show", "ziegler.toml").out}


def test_a_name_may_look_like_a_path(ask: Ask) -> None:
    ask("army", "import", "-", typed=ZIEGLER.replace("Kampfgruppe Ziegler", "XIII/1"))
    assert ask("army", "show", "XIII/1").out.startswith("XIII/1\n")
    assert ask("army", "export", "XIII/1").out.endswith("army-xiii-1.toml\n")


def test_export_leaves_a_file_that_is_there_alone(ask: Ask, desk: Path) -> None:
    ask("army", "import", "ziegler.toml")
    assert ask("army", "export", "kampf").code == 0
    file = desk / "army-kampfgruppe-ziegler.toml"
    file.write_text("mine", "utf-8")
    said = ask("army", "export", "kampf")
    assert (said.code, said.out) == (2, "")
    assert "use --force to overwrite it" in said.err
    assert file.read_text("utf-8") == "mine"
    assert ask("army", "export", "kampf", "--force").code == 0
    assert file.read_text("utf-8").startswith("format = 1\n")


def test_export_to_stdout_is_the_file_and_nothing_else(ask: Ask) -> None:
    ask("army", "import", "ziegler.toml")
    said = ask("army", "export", "kampf", "-o", "-")
    assert tomllib.loads(said.out)["units"] == {"tank": 2, "rifle": 60, "machinegun": 4}


# Sharing


def test_a_share_code_carries_an_army_over(ask: Ask) -> None:
    said = ask("army", "share", "russians.toml")
    assert said.out.count("\n") == 1
    code = said.out.strip()
    assert ask("army", "import", code).code == 0
    assert ask("army", "share", "Красная армия").out == said.out
    assert ask("army", "import", "-", typed=f"\n {code.lower()}\n").code == 0
    assert ask("army", "check", code).out == ask("army", "check", "russians.toml").out


@pytest.mark.parametrize(
    ("code", "told"), [("SK1-AAAA", "damaged"), ("SK2-AAAA", "version 2"), ("SK1-", "begins with")]
)
def test_a_bad_code_is_one_sentence(ask: Ask, code: str, told: str) -> None:
    said = ask("army", "import", code)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert told in said.err
    assert kept() == []


# The guide


def test_the_armies_of_the_guide_are_legal() -> None:
    shown = re.findall(r"```toml\n(.*?)```", DOC, re.DOTALL)
    assert len(shown) == 4
    for text in shown:
        army = read_army(tomllib.loads(text), library.catalog(), library.rulings(), "guide")
        assert is_legal(army), army.army_list.name


def test_the_guide_names_everything_an_army_may_hold() -> None:
    catalog = library.catalog()
    words = set(re.findall(r"[a-z_0-9]+", DOC))
    limits = [limit.id for limit in catalog.limits]
    for known in (catalog.units, catalog.works, catalog.nations, catalog.qualities, limits):
        assert set(known) <= words
    assert set(ArmyList.__struct_fields__) <= words
