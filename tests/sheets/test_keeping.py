"""What a sheet is called, and how it is kept beside what is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from skirmish import library
from skirmish.games.plastic.rules.army import Army, ArmyList
from skirmish.sheets.plastic import roster_file, scenario_file
from skirmish.store.files import write_beside


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_sheets_of_scenarios_stand_in_a_folder_as_they_are_numbered() -> None:
    called = [scenario_file([scenario]) for scenario in library.scenarios().values()]
    assert called[0] == "scenario-01-overmatched.pdf"
    assert called[6] == "scenario-07-kursk-the-northern-spearhead.pdf"
    assert called == sorted(called)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("Kampfgruppe Ziegler", "roster-kampfgruppe-ziegler.pdf"),
        ("Красная армия", "roster-красная-армия.pdf"),
        ("[/]", "roster-unnamed.pdf"),
    ],
)
def test_a_roster_is_named_in_the_script_of_its_army(name: str, wanted: str) -> None:
    listed = ArmyList(format=1, name=name, points=200)
    assert roster_file(Army(listed, library.catalog(), {})) == wanted


def test_a_taken_name_gets_the_next_free_number(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"mine")
    (tmp_path / "a-2.pdf").mkdir()
    assert write_beside(tmp_path / "a.pdf", b"x") == tmp_path / "a-3.pdf"
    assert (tmp_path / "a.pdf").read_bytes() == b"mine"
    assert (tmp_path / "a-3.pdf").read_bytes() == b"x"
    assert names(tmp_path) == ["a-2.pdf", "a-3.pdf", "a.pdf"]


def test_the_same_again_is_not_kept_twice(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"mine")
    first = write_beside(tmp_path / "a.pdf", b"x")
    assert write_beside(tmp_path / "a.pdf", b"x") == first
    assert names(tmp_path) == ["a-2.pdf", "a.pdf"]


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_beside(tmp_path / "nowhere" / "a.pdf", b"x")
