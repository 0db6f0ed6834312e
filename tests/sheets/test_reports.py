"""``reports/`` holds what the program prints today, nothing less and nothing else."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from pypdf.generic import StreamObject

import skirmish
from skirmish import library

ROOT = Path(skirmish.__file__).parents[1]
REPORTS = ROOT / "reports"
BESIDE = {"README.md", "print_all.py"}
REMEDY = "`make reports` prints them anew"

pytestmark = pytest.mark.skipif(not REPORTS.is_dir(), reason="not in a checkout")


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(REPORTS / "print_all.py"))


@pytest.fixture(scope="module")
def fresh(script: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reports")
    script["print_all"](folder)
    return folder


def files(folder: Path) -> set[str]:
    found = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(folder).as_posix() for path in found}


def matter(file: Path) -> tuple[int, str, list[bytes]]:
    """How many pages, which title, and every stream unpacked: how tightly they are packed differs
    from one zlib to another."""
    reader = PdfReader(file)
    objects = (reader.get_object(number) for number in sorted(reader.xref[0]))
    streams = [one.get_data() for one in objects if isinstance(one, StreamObject)]
    return len(reader.pages), str(reader.metadata and reader.metadata.title), streams


def test_every_sheet_is_there_and_nothing_that_is_printed_no_more(fresh: Path) -> None:
    wanted, there = files(fresh) | BESIDE, files(REPORTS)
    assert not wanted - there, f"missing in reports/: {sorted(wanted - there)}; {REMEDY}"
    assert not there - wanted, f"too many in reports/: {sorted(there - wanted)}; {REMEDY}"


def test_every_sheet_is_as_it_is_printed_today(fresh: Path) -> None:
    both = files(fresh) & files(REPORTS)
    old = sorted(name for name in both if matter(fresh / name) != matter(REPORTS / name))
    assert not old, f"not as printed today: {', '.join(old)}; {REMEDY}"


def test_the_scenarios_and_a_sheet_for_each_game_on_both_papers(fresh: Path) -> None:
    for paper, width in (("a4", 595), ("letter", 612)):
        names = sorted(path.name for path in (fresh / paper).iterdir())
        assert len(names) == len(library.scenarios()) + 2
        widths = {round(PdfReader(fresh / paper / n).pages[0].mediabox.width) for n in names}
        assert widths == {width}


def test_a_changed_page_does_not_go_unseen(fresh: Path) -> None:
    """Otherwise the comparison above could hold of anything."""
    one = fresh / "a4" / "scenario-01-overmatched.pdf"
    assert matter(one) == matter(one)
    assert matter(one) != matter(fresh / "letter" / one.name)


@pytest.fixture
def renew(script: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """The command, with a single sheet to print."""
    function: Callable[[Path], None] = script["renew"]
    monkeypatch.setitem(function.__globals__, "sheets", lambda: [("reference",)])
    return function


def test_the_command_brings_a_folder_up_to_date(
    renew: Callable[[Path], None], tmp_path: Path
) -> None:
    (tmp_path / "a4").mkdir()
    (tmp_path / "a4" / "quick-reference.pdf").write_bytes(b"old")
    (tmp_path / "a4" / "scenario-00-gone.pdf").write_bytes(b"gone")
    (tmp_path / "README.md").write_text("stays", "utf-8")
    renew(tmp_path)
    kept = {"README.md", "a4/quick-reference.pdf", "letter/quick-reference.pdf"}
    assert files(tmp_path) == kept
    assert (tmp_path / "a4" / "quick-reference.pdf").read_bytes().startswith(b"%PDF-")


def test_a_sheet_that_cannot_be_printed_leaves_the_folder_as_it_was(
    renew: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(renew.__globals__, "sheets", lambda: [("reference",), ("scenario", "99")])
    (tmp_path / "old.pdf").write_bytes(b"old")
    with pytest.raises(SystemExit) as ended:
        renew(tmp_path)
    assert ended.value.code == 2
    assert files(tmp_path) == {"old.pdf"}
