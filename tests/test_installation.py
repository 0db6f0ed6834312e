"""What is missing is added with a command that fits how the program was installed."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from skirmish import installation
from skirmish.installation import command_to_add, command_to_start, installation_name

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment with the package in it, and no checkout around it."""
    package = tmp_path / "lib" / "skirmish"
    package.mkdir(parents=True)
    monkeypatch.setattr(installation, "__file__", str(package / "installation.py"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    return tmp_path


@pytest.mark.skipif(not (ROOT / "pyproject.toml").is_file(), reason="the tests of a checkout")
def test_in_a_checkout_the_checkout_is_installed_again() -> None:
    assert command_to_add("browser").endswith("-m pip install -c constraints.txt -e '.[browser]'")


def test_in_an_environment_its_own_python_installs(elsewhere: Path) -> None:
    python = elsewhere / "bin" / "python"
    assert command_to_add("browser") == f"{python} -m pip install 'plastic-skirmish[browser]'"


def test_a_python_below_this_folder_is_named_briefly(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(elsewhere)
    assert command_to_add("browser").startswith("bin/python -m pip install ")


@pytest.mark.parametrize(
    ("receipt", "command"),
    [
        ("pipx_metadata.json", "pipx install --force 'plastic-skirmish[browser]'"),
        ("uv-receipt.toml", "uv tool install 'plastic-skirmish[browser]'"),
    ],
)
def test_a_tool_is_installed_again_by_its_installer(
    elsewhere: Path, receipt: str, command: str
) -> None:
    (elsewhere / receipt).write_text("", "utf-8")
    assert command_to_add("browser") == command


@pytest.mark.parametrize(
    ("receipt", "description"),
    [("", "wheel"), ("pipx_metadata.json", "wheel, by pipx"), ("uv-receipt.toml", "wheel, by uv")],
)
def test_the_version_says_what_it_is(elsewhere: Path, receipt: str, description: str) -> None:
    if receipt:
        (elsewhere / receipt).write_text("", "utf-8")
    assert installation_name() == description


@pytest.fixture
def bundle(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that one downloads."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(elsewhere / "skirmish"))
    return elsewhere


def test_a_bundle_is_one_also_when_it_lies_in_a_checkout(bundle: Path) -> None:
    (bundle / "lib" / "pyproject.toml").write_text("", "utf-8")
    assert installation_name() == "bundle"


def test_a_bundle_starts_itself_again_without_a_module(bundle: Path) -> None:
    assert command_to_start() == [str(bundle / "skirmish")]


def test_the_window_of_a_bundle_starts_the_program_that_has_streams(
    bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(bundle / "Play Skirmish.exe"))
    assert command_to_start() == [str(bundle / "skirmish.exe")]


def test_elsewhere_it_starts_itself_again_as_a_module(elsewhere: Path) -> None:
    assert command_to_start()[-2:] == ["-m", "skirmish"]


def test_nothing_says_to_install_the_stranger_of_our_name() -> None:
    """The index has another program called skirmish."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("skirmish/**/*.py")]
    assert len(pages) > 100
    stranger = re.compile(r"install\b[^\n]*?[ '\"]skirmish(\[|['\"]?\s*$)", re.MULTILINE)
    assert stranger.search("pip install 'skirmish[browser]'")
    named = [page.name for page in pages if stranger.search(page.read_text("utf-8"))]
    assert [name for name in named if name != "CHANGELOG.md"] == []
