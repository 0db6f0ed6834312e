"""The bundle: its starters, its archive, and what its program gives back to the system. That it
runs is tried by ``bundle/smoke_test.py``, which ``.ci/run`` calls."""

from __future__ import annotations

import os
import plistlib
import subprocess
import sys
import tarfile
import zipfile
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import skirmish

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "bundle"


@pytest.fixture(autouse=True)
def path_of_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    if not SCRIPTS.is_dir():
        pytest.skip("the tests of a checkout")
    monkeypatch.syspath_prepend(str(SCRIPTS))


@pytest.fixture
def build() -> Any:
    return import_module("build_bundle")


@pytest.mark.parametrize(
    ("system", "started"),
    [
        ("linux", "Skirmish.sh"),
        ("macos", "Skirmish.command"),
        ("windows", "add-to-start-menu.ps1"),
    ],
)
def test_each_system_gets_its_starter_and_its_first_steps(
    build: Any, tmp_path: Path, system: str, started: str
) -> None:
    build.add_starters(tmp_path, system, "1.2.3")
    first_steps = (tmp_path / "READ-ME-FIRST.txt").read_text("utf-8")
    assert "Skirmish 1.2.3" in first_steps
    assert started in first_steps
    assert (tmp_path / "skirmish.png").read_bytes().startswith(b"\x89PNG")
    starter = tmp_path / started
    assert starter.is_file()
    if starter.suffix != ".ps1":
        assert os.access(starter, os.X_OK)


@pytest.mark.skipif(sys.platform != "linux", reason="a menu of Linux")
def test_the_menu_of_the_desktop_starts_it_from_where_it_was_unpacked(
    build: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "my games"
    folder.mkdir()
    build.add_starters(folder, "linux", "1.2.3")
    own = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
    entry = tmp_path / "data" / "applications" / "skirmish.desktop"
    subprocess.run([folder / "add-to-menu.sh"], env=own, check=True, capture_output=True)
    written = entry.read_text("utf-8")
    assert f'Exec="{folder}/Skirmish.sh"\n' in written
    assert f"Icon={folder}/skirmish.png\n" in written
    subprocess.run(
        [folder / "add-to-menu.sh", "--remove"], env=own, check=True, capture_output=True
    )
    assert not entry.exists()


def test_finder_shows_an_application_with_a_name_and_an_icon(build: Any, tmp_path: Path) -> None:
    build.add_application(tmp_path, "1.2.3", Path(sys.executable))
    contents = tmp_path / "Skirmish.app" / "Contents"
    listed = plistlib.loads((contents / "Info.plist").read_bytes())
    assert os.access(contents / "MacOS" / listed["CFBundleExecutable"], os.X_OK)
    icon = contents / "Resources" / f"{listed['CFBundleIconFile']}.icns"
    assert icon.read_bytes().startswith(b"icns")
    assert listed["CFBundleShortVersionString"] == "1.2.3"


def test_an_archive_has_one_folder_and_keeps_the_right_to_run(build: Any, tmp_path: Path) -> None:
    folder = tmp_path / "skirmish"
    folder.mkdir()
    program = folder / "skirmish"
    program.write_text("#!/bin/sh\n", "utf-8")
    program.chmod(0o755)
    path = build.archive(folder, tmp_path / "dist", "skirmish-1.2.3-linux-x86_64", "linux")
    with tarfile.open(path) as packed:
        assert {name.split("/")[0] for name in packed.getnames()} == {path.name[: -len(".tar.xz")]}
        entry = packed.getmember("skirmish-1.2.3-linux-x86_64/skirmish")
    assert entry.mode & 0o111
    assert (entry.uid, entry.uname) == (0, "")


def test_windows_gets_an_archive_that_it_can_unpack(build: Any, tmp_path: Path) -> None:
    folder = tmp_path / "skirmish"
    folder.mkdir()
    (folder / "skirmish.exe").write_bytes(b"MZ")
    path = build.archive(folder, tmp_path / "dist", "skirmish-1.2.3-windows-x86_64", "windows")
    with zipfile.ZipFile(path) as packed:
        assert packed.namelist() == ["skirmish-1.2.3-windows-x86_64/skirmish.exe"]


def test_the_page_on_installing_names_the_archives_of_this_version(build: Any) -> None:
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    for system in build.STARTERS:
        assert f"skirmish-{skirmish.__version__}-{system}-" in page
        for starter in build.STARTERS[system]:
            assert starter in page


@pytest.mark.parametrize(("earlier", "afterwards"), [("/usr/own", "/usr/own"), (None, None)])
def test_terminals_and_browsers_find_the_libraries_of_their_system(
    monkeypatch: pytest.MonkeyPatch, earlier: str | None, afterwards: str | None
) -> None:
    start = import_module("start")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/bundle/program")
    monkeypatch.delenv("LD_LIBRARY_PATH_ORIG", raising=False)
    monkeypatch.setenv("PYINSTALLER_RESET_ENVIRONMENT", "")  # taken back after the test
    if earlier is not None:
        monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", earlier)
    begun: list[list[str]] = []
    monkeypatch.setattr(start, "main", lambda: begun.append(sys.argv[1:]))
    monkeypatch.setattr(sys, "argv", ["skirmish", "scenarios"])
    start.begin()
    assert os.environ.get("LD_LIBRARY_PATH") == afterwards
    assert os.environ["PYINSTALLER_RESET_ENVIRONMENT"] == "1"  # its own tabs begin anew
    assert begun == [["scenarios"]]


def test_the_program_without_streams_looks_for_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    start = import_module("start")
    monkeypatch.setattr(start, "_give_back_libraries", lambda: None)
    begun: list[list[str]] = []
    monkeypatch.setattr(start, "main", lambda: begun.append(sys.argv[1:]))
    monkeypatch.setattr(sys, "argv", ["Play Skirmish.exe"])
    monkeypatch.setattr(sys, "executable", "/bundle/Play Skirmish.exe")
    start.begin()
    assert begun == [["start"]]
