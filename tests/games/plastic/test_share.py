"""Share codes: what goes in comes out, and nothing else does."""

from __future__ import annotations

import base64
import json
import string
import zlib

import pytest
from deep import deep_count
from hypothesis import given, settings
from hypothesis import strategies as st

from skirmish import library
from skirmish.games.plastic import army_file as share
from skirmish.games.plastic.army_file import (
    CodeError,
    army_of,
    as_body,
    as_table,
    code_of,
    from_body,
    looks_like_code,
    renamed,
    slug,
)
from skirmish.games.plastic.rules.army import MOST_PIECES, MOST_POINTS, ArmyList
from skirmish.games.plastic.rules.army_reading import read_army

CATALOG, BOOK = library.catalog(), library.rulings()
ZIEGLER = ArmyList(
    name="Kampfgruppe Ziegler",
    points=200,
    nation="german",
    quality="regular",
    units={"tank": 2, "rifle": 60, "machinegun": 4},
    works={"sandbags": 2, "barbed_wire": 6},
)
KEPT_CODE = "SK1-D75AZGMLK3ZANRSHLJ5FC2KBIGVEEVDGNJ5A5UFTMAV6COUQLUCPLGAOJS7RSUA5WLPU2CD2DEAA"

counts = st.integers(0, MOST_PIECES)
texts = st.text(max_size=200)
lists = st.builds(
    ArmyList,
    name=st.text(min_size=1, max_size=80).filter(str.strip),
    points=st.integers(1, MOST_POINTS),
    nation=st.none() | st.sampled_from(list(CATALOG.nations)),
    quality=st.none() | st.sampled_from(list(CATALOG.qualities)),
    units=st.dictionaries(st.sampled_from(list(CATALOG.units)), counts),
    works=st.dictionaries(st.sampled_from(list(CATALOG.works)), counts),
    rulings=st.lists(st.sampled_from(list(BOOK.rulings.values())), unique_by=id).flatmap(
        lambda chosen: st.fixed_dictionaries(
            {ruling.id: st.sampled_from(list(ruling.answers)) for ruling in chosen}
        )
    ),
    overrides=st.dictionaries(st.sampled_from([limit.id for limit in CATALOG.limits]), texts),
    note=texts,
)


def packed(plain: bytes) -> str:
    """A code around any bytes, its checksum right."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zdict=share._KNOWN_WORDS)
    return sealed(packer.compress(plain) + packer.flush())


def sealed(data: bytes) -> str:
    whole = zlib.crc32(data).to_bytes(4, "big") + data
    return "SK1-" + base64.b32encode(whole).decode().rstrip("=")


@settings(max_examples=deep_count(70, 200), deadline=None)
@given(lists)
def test_every_army_comes_back_as_it_went(listed: ArmyList) -> None:
    back = army_of(code_of(listed), CATALOG, BOOK).army_list
    assert back == listed
    assert list(back.units) == list(listed.units)


@settings(deadline=None)
@given(lists)
def test_a_file_and_a_kept_text_give_back_the_army(listed: ArmyList) -> None:
    assert read_army(as_table(listed), CATALOG, BOOK, "file").army_list == listed
    assert from_body(as_body(listed), CATALOG, BOOK, "kept").army_list == listed


def test_codes_of_version_1_are_read_for_ever() -> None:
    assert army_of(KEPT_CODE, CATALOG, BOOK).army_list == ZIEGLER


def test_an_ordinary_army_is_one_short_line_without_odd_signs() -> None:
    code = code_of(ZIEGLER)
    assert len(code) < 100
    assert set(code) <= set(string.ascii_uppercase + string.digits + "-")


def test_small_letters_blanks_and_broken_lines_do_no_harm() -> None:
    code = code_of(ZIEGLER).lower()
    assert (
        army_of(f"  {code[:20]}\r\n {code[20:50]}\t{code[50:]}\n", CATALOG, BOOK).army_list
        == ZIEGLER
    )


def test_the_longest_army_still_has_a_code() -> None:
    longest = ArmyList(
        name="\U00010348" * 80,
        points=MOST_POINTS,
        units=dict.fromkeys(CATALOG.units, MOST_PIECES),
        works=dict.fromkeys(CATALOG.works, MOST_PIECES),
        rulings=BOOK.defaults(),
        overrides={
            limit.id: "".join(chr(0x10000 + 977 * (number * 200 + place)) for place in range(200))
            for number, limit in enumerate(CATALOG.limits[:5])
        }
        | {limit.id: "\x01" * 200 for limit in CATALOG.limits[5:]},
    )
    code = code_of(longest)
    assert army_of(code, CATALOG, BOOK).army_list == longest


@pytest.mark.parametrize("place", range(4, len(KEPT_CODE)))
def test_one_wrong_character_is_noticed(place: int) -> None:
    other = "A" if KEPT_CODE[place] != "A" else "B"
    with pytest.raises(CodeError, match="damaged"):
        army_of(KEPT_CODE[:place] + other + KEPT_CODE[place + 1 :], CATALOG, BOOK)


def test_a_code_cut_short_is_damaged() -> None:
    for length in range(5, len(KEPT_CODE)):
        with pytest.raises(CodeError, match="damaged"):
            army_of(KEPT_CODE[:length], CATALOG, BOOK)


def test_a_code_of_another_version_asks_for_a_newer_program() -> None:
    with pytest.raises(CodeError, match=r"version 2 .* reads version 1"):
        army_of(KEPT_CODE.replace("SK1", "SK2"), CATALOG, BOOK)


@pytest.mark.parametrize(
    "text", ["", "hello", "SK1-", "SK1-ÄÖ", "SK-AAAA", "SK1-0189", "SK1-ß", "1"]
)
def test_what_is_no_code_is_told_what_one_looks_like(text: str) -> None:
    with pytest.raises(CodeError, match="begins with SK1-"):
        army_of(text, CATALOG, BOOK)


def test_a_code_too_long_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share.base64, "b32decode", lambda _: pytest.fail("decoded"))
    with pytest.raises(CodeError, match="20000 is the most"):
        army_of("SK1-" + "A" * share.LONGEST_CODE, CATALOG, BOOK)


def test_a_bomb_is_stopped_while_it_is_inflated() -> None:
    bomb = packed(b'["' + b"A" * 5_000_000 + b'",200]')
    assert len(bomb) < share.LONGEST_CODE
    with pytest.raises(CodeError, match="more than an army"):
        army_of(bomb, CATALOG, BOOK)


@pytest.mark.parametrize(
    "plain",
    [
        b"",
        b"null",
        b"[]",
        b'["a"]',
        b'{"name": "a"}',
        b'["a",200,null,null,{},{},{},{},"",[],{}]',
        b"[" * 20_000,
        b'["a\xff",200]',
        b"not json",
    ],
)
def test_a_sound_code_around_something_else_holds_no_army(plain: bytes) -> None:
    with pytest.raises(CodeError, match=r"holds no army"):
        army_of(packed(plain), CATALOG, BOOK)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (["a", 0], "points"),
        (["a", 200, "martian"], "nation: no nation 'martian'"),
        (["a", 200, None, None, {"death_star": 1}], "units.death_star"),
        (["a", 200, None, None, {"rifle": -1}], "units.rifle"),
        (["a" * 81, 200], "name"),
        (["a", 200, None, None, None], "units"),
        (["a", 200, None, None, {}, {}, {"P999": "x"}], "P999"),
    ],
)
def test_a_sound_code_with_an_impossible_army_says_what_is_wrong(
    values: list[object], told: str
) -> None:
    with pytest.raises(CodeError) as refused:
        army_of(packed(json.dumps(values).encode()), CATALOG, BOOK)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_bytes_behind_the_list_or_a_list_without_end_are_refused() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zdict=share._KNOWN_WORDS)
    whole = packer.compress(b'["a",200]') + packer.flush()
    for data in (whole + b"more", whole[:-1]):
        with pytest.raises(CodeError, match="not made by Skirmish"):
            army_of(sealed(data), CATALOG, BOOK)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_at_all_give_one_sentence(data: bytes) -> None:
    with pytest.raises(CodeError) as refused:
        army_of(sealed(data), CATALOG, BOOK)
    assert str(refused.value).count("\n") == 0


@settings(deadline=None)
@given(st.text())
def test_any_text_at_all_gives_one_sentence(text: str) -> None:
    with pytest.raises(CodeError):
        army_of(text, CATALOG, BOOK)


def test_a_text_is_taken_for_a_code_by_its_beginning() -> None:
    assert looks_like_code(" sk1-abc")
    assert looks_like_code("SK27-")
    assert not looks_like_code("Skirmishers")
    assert not looks_like_code('name = "SK1-A"')


def test_a_name_that_is_taken_gets_the_next_number() -> None:
    assert renamed(ZIEGLER, []).name == "Kampfgruppe Ziegler"
    taken = ["KAMPFGRUPPE ZIEGLER", "Kampfgruppe Ziegler 2"]
    assert renamed(ZIEGLER, taken).name == "Kampfgruppe Ziegler 3"
    long = ArmyList(name="x" * 80)
    assert renamed(long, [long.name]).name == "x" * 78 + " 2"


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("Kampfgruppe Ziegler", "kampfgruppe-ziegler"),
        ("../../etc/passwd", "etc-passwd"),
        ("Красная армия [/b]", "красная-армия-b"),
        ("", "unnamed"),
        ("-- \x00 \U0001f600 --", "unnamed"),
        ("x" * 80, "x" * 40),
    ],
)
def test_a_file_name_holds_only_letters_digits_and_hyphens(name: str, wanted: str) -> None:
    assert slug(name) == wanted
