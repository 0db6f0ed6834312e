"""The armies to begin from, as they come with the program."""

from __future__ import annotations

import pytest

from skirmish import library, resources
from skirmish.games.plastic.army_file import as_table, slug
from skirmish.games.plastic.rules.army import LONGEST_NOTE, Army
from skirmish.games.plastic.rules.breaches import breaches

TEMPLATES = library.templates()


def test_there_is_one_for_each_nation_and_one_for_any_at_several_sizes() -> None:
    assert {army.army_list.nation for army in TEMPLATES} == {None, *library.catalog().nations}
    assert {army.army_list.points for army in TEMPLATES} == {100, 200, 300}


@pytest.mark.parametrize("army", TEMPLATES, ids=[army.army_list.name for army in TEMPLATES])
def test_a_template_is_legal_and_spends_every_point(army: Army) -> None:
    assert breaches(army) == []
    assert army.spent == army.budget
    assert not army.army_list.rulings
    assert 40 < len(army.army_list.note) <= LONGEST_NOTE


def test_files_are_named_like_their_armies_and_names_differ() -> None:
    files = {name.rpartition("/")[2] for name, _ in resources.tables("plastic/armies")}
    assert files == {f"{slug(army.army_list.name)}.toml" for army in TEMPLATES}


def test_those_of_one_nation_stand_together_the_cheapest_first() -> None:
    nations = [None, *library.catalog().nations]
    places = [(nations.index(army.army_list.nation), army.budget) for army in TEMPLATES]
    assert places == sorted(places)


def test_a_template_is_an_army_file() -> None:
    for army, (_, table) in zip(
        sorted(TEMPLATES, key=lambda army: slug(army.army_list.name)),
        resources.tables("plastic/armies"),
        strict=True,
    ):
        assert as_table(army.army_list) == table


def test_templates_do_not_change_the_revision_of_the_numbers(monkeypatch) -> None:
    before = resources.revision()
    others = tuple(name for name in resources.NO_BATTLE_DEPENDS_ON if name != "armies")
    monkeypatch.setattr(resources, "NO_BATTLE_DEPENDS_ON", others)
    resources.revision.cache_clear()
    try:
        assert resources.revision() != before
    finally:
        resources.revision.cache_clear()
