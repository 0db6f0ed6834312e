"""What opens a sheet beside the app, system by system."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from skirmish.app.viewer import open_beside, opener

DESKTOP = {"DISPLAY": ":0"}


def has(*names: str) -> object:
    return lambda name: f"/bin/{name}" if name in names else None


@pytest.mark.parametrize(
    ("platform", "environment", "programs", "command"),
    [
        ("linux", DESKTOP, ["xdg-open", "wslview"], ["/bin/xdg-open"]),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, ["xdg-open"], ["/bin/xdg-open"]),
        ("linux", {"WSL_DISTRO_NAME": "Debian"}, ["wslview"], ["/bin/wslview"]),
        ("linux", DESKTOP, [], None),
        ("linux", {}, ["xdg-open"], None),
        ("linux", {"DISPLAY": ""}, ["xdg-open"], None),
        ("darwin", {}, [], ["open"]),
        ("win32", {}, [], []),
    ],
)
def test_each_system_has_its_own_way(
    platform: str, environment: dict[str, str], programs: list[str], command: list[str] | None
) -> None:
    """On a console without a desktop there is none: a browser for consoles would paint over us."""
    assert opener(platform, environment, has(*programs)) == command  # type: ignore[arg-type]


def test_what_opens_a_sheet_is_not_waited_for_and_says_nothing_on_the_screen(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    sheet, seen = tmp_path / "a sheet.pdf", tmp_path / "seen"
    program = (
        f"import sys, pathlib; print('x'); pathlib.Path({str(seen)!r}).write_text(sys.argv[1])"
    )
    open_beside(sheet, [sys.executable, "-c", program])
    for _ in range(500):
        if seen.exists() and seen.read_text():
            break
        time.sleep(0.01)
    assert seen.read_text() == str(sheet)
    assert capfd.readouterr() == ("", "")
