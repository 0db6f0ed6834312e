"""The ground: what is installed, by which words, and that it all travels.

Whether the built wheel really works elsewhere is for CI (`.ci/run`), which builds and installs it.
Here its configuration is held, so that a slip shows at once.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import skirmish
from skirmish import resources

PACKAGE = Path(skirmish.__file__).parent
ROOT = PACKAGE.parent
TARGET = re.compile(r"^([a-z][a-z -]*):", re.MULTILINE)
MAKE = re.compile(r"\bmake (?:[A-Z]+=\S+ )?([a-z]+)")
PIN = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<version>[0-9][0-9a-z.]*)")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads(read("pyproject.toml"))


@pytest.fixture(scope="module")
def targets() -> set[str]:
    return {name for line in TARGET.findall(read("Makefile")) for name in line.split()}


def named(requirement: str) -> str:
    """The name a requirement begins with, in the one spelling that all of its spellings share."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found, requirement
    return re.sub(r"[-_.]+", "-", found[0]).lower()


# ------------------------------------------------------------------ without a terminal


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """``python -m skirmish`` without arguments, with the given streams."""

    def started(**streams: Any) -> subprocess.CompletedProcess[str]:
        kinds = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); sys.argv = ['skirmish']; "
        program += "import runpy; runpy.run_module('skirmish', run_name='__main__')"
        return subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            text=True,
            check=False,
            timeout=60,
            **(kinds | streams),
        )

    return started


@pytest.fixture
def terminal():
    """The far end of a pseudo-terminal, for a stream that does lead to a screen."""
    pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
    near, far = pty.openpty()
    with closing(open(near, "rb", buffering=0)), closing(open(far, "wb", buffering=0)) as screen:
        yield screen


def test_the_app_with_no_terminal_at_all_explains_itself(start) -> None:
    done = start()
    assert done.returncode == 2
    assert done.stdout == ""
    assert "needs a terminal" in done.stderr
    assert "skirmish scenarios" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("away", ["stdin", "stdout"])
def test_the_app_with_one_stream_elsewhere_says_which(start, terminal, away: str) -> None:
    there = {name: terminal for name in ("stdin", "stdout") if name != away}
    done = start(**there)
    word = {"stdin": "input", "stdout": "output"}[away]
    assert done.returncode == 2
    assert re.search(rf"\b{word} goes elsewhere", " ".join(done.stderr.split())), done.stderr
    assert "Traceback" not in done.stderr


def test_the_app_with_its_error_output_elsewhere_says_so_there(start, terminal) -> None:
    done = start(stdin=terminal, stdout=terminal)
    assert done.returncode == 2
    assert "error output goes elsewhere" in " ".join(done.stderr.split())


# ------------------------------------------------------------------ what travels


def test_the_version_stands_once_and_the_changelog_begins_with_it(project) -> None:
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == "skirmish/__init__.py"
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    newest = re.search(r"^## (\S+)", changelog, re.MULTILINE)
    assert newest is not None
    assert newest[1] == skirmish.__version__


def test_the_package_says_that_it_is_typed() -> None:
    assert files("skirmish").joinpath("py.typed").is_file()


def test_the_wheel_carries_the_numbers_where_the_shelf_looks(project) -> None:
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["skirmish"]
    assert wheel["force-include"]["data"] == f"{PACKAGE.name}/data"
    assert (ROOT / "data" / "plastic" / "units.toml").is_file()
    assert resources.folder() == ROOT / "data"  # beside the package first, then inside it


def test_nothing_that_the_package_needs_is_ignored_by_git(project) -> None:
    """Hatch leaves out of wheel and sdist what .gitignore names."""
    ignored = {line.strip("/") for line in read(".gitignore").split() if not line.startswith("#")}
    patterns = [re.compile(re.escape(line).replace(r"\*", ".*")) for line in ignored]
    needed = [
        path.relative_to(ROOT)
        for folder in (PACKAGE, ROOT / "data")
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    ]
    assert any(path.suffix == ".tcss" for path in needed)
    lost = [p for p in needed if any(r.fullmatch(part) for part in p.parts for r in patterns)]
    assert lost == []


def test_the_sdist_carries_all_that_a_test_run_needs(project) -> None:
    carried = project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    for name in ("skirmish", "data", "tests", "docs", "benchmarks", "README.md", "LICENSE"):
        assert f"/{name}" in carried
        assert (ROOT / name).exists(), name
    for name in ("Makefile", "constraints.txt", ".ci", "reports"):
        assert f"/{name}" in carried


def test_licence_files_exist(project) -> None:
    for pattern in project["project"]["license-files"]:
        found = [path for path in ROOT.glob(pattern) if path.stat().st_size > 500]
        assert found, pattern
    assert read("LICENSE").startswith(f"{project['project']['license']} License")


# ------------------------------------------------------------------ versions and words


def test_constraints_are_exact_versions_and_no_addresses() -> None:
    for line in read("constraints.txt").splitlines():
        assert PIN.fullmatch(line), f"{line!r} is not name==version"


def test_every_dependency_is_pinned_once(project) -> None:
    pinned = [named(line) for line in read("constraints.txt").splitlines()]
    assert len(pinned) == len(set(pinned))
    about = project["project"]
    wanted = [*about["dependencies"], *project["build-system"]["requires"]]
    for extra in about["optional-dependencies"].values():
        wanted += extra
    missing = {named(requirement) for requirement in wanted} - set(pinned)
    assert missing == set()


def test_the_lock_has_what_the_constraints_pin_and_the_hashes_of_its_files() -> None:
    """Whatever else `make lock` finds is a package that is not pinned."""
    pinned = {line.lower() for line in read("constraints.txt").splitlines()}
    lines = read("requirements.lock").splitlines()
    locked = [line for line in lines if not line.startswith(" ")]
    hashed = [line for line in lines if line.startswith(" ")]
    assert len(locked) > 70
    assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line) for line in hashed)
    for line in locked:
        requirement, _, rest = line.partition(" ")
        assert requirement.lower().replace("-", "_") in {pin.replace("-", "_") for pin in pinned}
        assert rest.endswith("\\"), f"{requirement} has no hash"
        assert "://" not in line


def test_the_command_leads_to_a_function(project) -> None:
    module, _, name = project["project"]["scripts"]["skirmish"].partition(":")
    assert (module, name) == ("skirmish.__main__", "main")
    from skirmish.__main__ import main

    assert callable(main)


@pytest.mark.parametrize("command", ["play", "test"])
def test_the_two_commands_are_in_the_readme_and_in_the_makefile(targets, command: str) -> None:
    assert f"make {command}" in read("README.md")
    assert command in targets


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", ".ci/run"])
def test_every_make_command_that_is_written_down_exists(targets, page: str) -> None:
    spoken = [line for line in read(page).splitlines() if not line.lstrip().startswith("#")]
    told = {
        name
        for line in spoken
        for code in ([line] if line.startswith(("    ", "make")) else re.findall("`[^`]+`", line))
        for name in MAKE.findall(code)
    }
    assert told, f"{page} names no make command"
    assert told <= targets


def test_every_page_that_the_readme_leads_to_exists() -> None:
    led = re.findall(r"\]\(([^)#:]+)\)", read("README.md"))
    assert led
    assert [page for page in led if not (ROOT / page).exists()] == []


def test_the_guided_tour_names_what_exists() -> None:
    """Modules by their paths; classes and functions that one of the modules of their step has."""
    tour = read("CONTRIBUTING.md").partition("## A guided tour")[2].partition("\n## ")[0]
    steps = re.split(r"^\d+\. ", tour, flags=re.MULTILINE)[1:]
    assert len(steps) > 8
    assert len(tour.splitlines()) < 60
    known = ""
    for step in steps:
        paths = re.findall(r"`(?:skirmish/)?([a-z_/]+\.py)`", step)
        assert paths, step
        known += "".join((PACKAGE / path).read_text("utf-8") for path in paths)
        for name in re.findall(r"`((?:[A-Z]\w*\.)?[A-Za-z_]+)`", step):
            for part in name.split("."):
                defined = rf"^\s*(?:class|def|async def) {part}\b|^\s*{part}\b.* = "
                assert re.search(defined, known, re.MULTILINE), f"{name} in: {step}"


def test_the_way_without_make_installs_what_make_installs() -> None:
    for line in re.findall(r"^ {4}.*-m pip install .*$", read("README.md"), re.MULTILINE):
        assert line.endswith("pip install -c constraints.txt -e ."), line
