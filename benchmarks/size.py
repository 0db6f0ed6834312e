"""How much there is to read: lines, modules, what a game costs, how many modules a shot crosses.

    python benchmarks/size.py            (or: make bench)

Nothing is asserted: `tests/test_structure.py` holds what must stay so, such as that no module leads
back to itself.
"""

from __future__ import annotations

import ast
import asyncio
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "skirmish"
sys.path += [str(ROOT / "tests" / folder) for folder in ("", "app")]

SIMULATOR = "games/beach_head/simulate"

# What was added after the package had 63,508 lines: games, their kit, and the opponent's phone.
LATER = (
    "omaha",
    "gts",
    "tabletop/companion/",
    "app/phones",
    "plastic/commands/whose",
    "web/gate",
    "web/links",
    "web/open_games",
    "web/page_html",
    "web/phone",
    "web/side_",
)


def main() -> None:
    """Counts the package, then walks through a shot and a sheet."""
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in PACKAGE.rglob("*.py")}
    print(f"{sum(lines.values()):>7,} lines in {len(lines)} modules")
    layers: Counter[str] = Counter()
    for path, count in lines.items():
        layers[path.relative_to(PACKAGE).parts[0]] += count
    for name, count in layers.most_common():
        if not name.endswith(".py"):
            print(f"{count:>9,} {name}")
    later = sum(
        count
        for path, count in lines.items()
        if any(part in path.relative_to(PACKAGE).as_posix() for part in LATER)
    )
    print(f"{sum(lines.values()) - later:>7,} lines without later games, their kit and phones")
    lonely = list(one_importer_beside())
    print(f"{len(lonely):>7,} modules whose only importer stands beside them")
    for game in sorted(path.name for path in (ROOT / "data").iterdir()):
        python, data = cost(game, lines)
        if python and game != "plastic":
            print(f"{python + data:>7,} lines are {game} alone: {python:,} and {data:,} of data")
    asyncio.run(walk())


def cost(game: str, lines: dict[Path, int]) -> tuple[int, int]:
    """Lines of Python that only this game needs, its simulator apart, and lines of its data."""
    own = 0
    for path, count in lines.items():
        name = path.relative_to(PACKAGE).as_posix()
        its = any(part.startswith(game) for part in name.split("/"))
        if its and not name.startswith(SIMULATOR):
            own += count - simulating(path)
    data = ROOT / "data" / game
    return own, sum(
        len(path.read_text("utf-8").splitlines())
        for path in data.rglob("*")
        if path.suffix in {".toml", ".csv", ".txt"}
    )


def simulating(path: Path) -> int:
    """Lines of the functions that run the simulator, such as the command `simulate`."""
    return sum(
        (node.end_lineno or 0) - node.lineno + 1
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and (node.name == "simulate" or "Simulated" in ast.unparse(node.args))
    )


def one_importer_beside() -> Iterator[str]:
    """Modules that one other module imports, in the same folder."""
    from test_structure import imported

    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in PACKAGE.rglob("*.py")
    }
    importers: dict[str, set[str]] = defaultdict(set)
    for module, path in modules.items():
        for other in imported(path, modules) - {module}:
            importers[other].add(module)
    for module, path in modules.items():
        beside = {one.rpartition(".")[0] for one in importers[module]}
        alone = len(importers[module]) == 1 and path.name != "__init__.py"
        if alone and beside == {module.rpartition(".")[0]}:
            yield module


@contextmanager
def crossed(what: str) -> Iterator[None]:
    """Prints how many modules of the package are entered, and how often a function is called."""
    calls: Counter[str] = Counter()

    def entered(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(PACKAGE)):
            calls[frame.f_code.co_filename] += 1

    sys.setprofile(entered)
    try:
        yield
    finally:
        sys.setprofile(None)
    print(f"{len(calls):>7,} modules, {sum(calls.values()):,} calls: {what}")


async def walk() -> None:
    """A shot in the app, from Space to the verdict that is stored, then painted; a sheet."""
    from steps import NARROW, fought, press, resume, state, the_app

    from skirmish.store.database import Store
    from skirmish.tabletop.chance import Source

    with tempfile.TemporaryDirectory(prefix="skirmish-bench-") as folder:
        where = str(Path(folder) / "skirmish.db")
        Store.open(where).close()
        fought(where, source=Source("deck", seed=3))
        async with the_app(where).run_test(size=NARROW) as pilot:
            await resume(pilot)
            await press(pilot, "m", "r")
            shots = state(pilot).shots
            with crossed("Space in the app, until the verdict is stored and painted"):
                await press(pilot, "space")
            assert state(pilot).shots == shots + 1
    with crossed("the sheet of a scenario, from its number to the PDF"):
        sheet()


def sheet() -> None:
    """The first scenario as a PDF, as the command line makes it."""
    from skirmish import library
    from skirmish.sheets import plastic
    from skirmish.sheets.documents import PrintOptions

    document = next(one for one in plastic.documents() if one.id == "scenario")
    assert document.pdf([library.scenarios()[1]], PrintOptions())


if __name__ == "__main__":
    main()
