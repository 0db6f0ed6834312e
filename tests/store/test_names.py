from __future__ import annotations

import pytest

from skirmish.store.errors import StoreError
from skirmish.store.names import NumberedName, pick

ARMIES = [
    NumberedName(1, "Kampfgruppe Ziegler"),
    NumberedName(2, "kampfgruppe ziegler"),
    NumberedName(3, "3rd Guards"),
    NumberedName(4, "Café"),
    NumberedName(12, "3"),
]


@pytest.mark.parametrize(
    ("ref", "found"),
    [
        ("Kampfgruppe Ziegler", 1),  # exact, although another differs by capitals only
        ("kampfgruppe ziegler", 2),
        ("3RD GUARDS", 3),
        ("3r", 3),
        ("cafe\u0301", 4),  # e and its accent typed as two signs
        ("  café ", 4),
        ("3", 12),  # a name before a number
        ("4", 4),  # a number before a beginning
        ("012", 12),
        ("guards", 3),  # a part of it, where only one has it
    ],
)
def test_a_name_finds_the_army_that_is_meant(ref, found):
    assert pick(ref, ARMIES) == found


def test_a_number_counts_before_a_name_that_begins_with_it():
    assert pick("1", [NumberedName(1, "Alpha"), NumberedName(2, "1st Armored")]) == 1


@pytest.mark.parametrize("ref", ["KAMPFGRUPPE ZIEGLER", "kampf"])
def test_several_matches_are_listed_with_their_numbers(ref):
    with pytest.raises(StoreError) as caught:
        pick(ref, ARMIES)
    assert str(caught.value) == (
        f"“{ref}” could mean 2 armies: 1 “Kampfgruppe Ziegler”, 2 “kampfgruppe ziegler”; "
        "type more of the name, or the number."
    )


def test_two_armies_of_one_name_are_told_apart_by_number():
    with pytest.raises(StoreError, match="1 “Twin”, 2 “Twin”"):
        pick("Twin", [NumberedName(1, "Twin"), NumberedName(2, "Twin")])
    assert pick("2", [NumberedName(1, "Twin"), NumberedName(2, "Twin")]) == 2


def test_a_long_list_of_matches_is_cut():
    with pytest.raises(StoreError, match=r"could mean 9 armies: .*5 “Unit 5” and 4 more;"):
        pick("unit", [NumberedName(n, f"Unit {n}") for n in range(1, 10)])


@pytest.mark.parametrize("ref", ["Ziegeler", "Kampfgrupe Ziegler"])
def test_a_name_that_none_bears_is_answered_with_near_ones(ref):
    with pytest.raises(StoreError, match=f"No army is called “{ref}”; similar names: “.*Ziegler"):
        pick(
            ref,
            [NumberedName(1, "Ziegler"), NumberedName(3, "3rd Guards"), NumberedName(9, "Omaha")],
        )


def test_without_near_names_those_there_are_are_told():
    with pytest.raises(StoreError, match="is called “xyz”; there is “Alpha”, “Omaha”"):
        pick("xyz", [NumberedName(1, "Alpha"), NumberedName(2, "Omaha")])
    with pytest.raises(StoreError, match="is called “xyz”; none is saved yet"):
        pick("xyz", [])


def test_nothing_typed_means_no_army():
    with pytest.raises(StoreError, match="No army is called “”"):
        pick("", [NumberedName(1, "Alpha")])


def test_a_hostile_name_cannot_spoil_the_sentence():
    with pytest.raises(StoreError) as caught:
        pick("\x1b[2J\n" + "x" * 500, [NumberedName(1, "\x1b[31mred\r")])
    sentence = str(caught.value)
    assert sentence.isprintable()
    assert len(sentence) < 250
    assert "[2J" in sentence
