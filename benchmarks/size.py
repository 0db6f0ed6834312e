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

# Parts of the paths of what was added after the package had 63,508 lines: games, what these have in
# common, and the opponent's phone.
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
    earlier = 0
    for path, count in lines.items():
        if not _is_later(path):
            earlier += count
    print(f"{earlier:>7,} lines without later games, their kit and phones")
    with_one_importer = list(one_importer_beside())
    print(f"{len(with_one_importer):>7,} modules whose only importer stands beside them")
    for game in sorted(path.name for path in (ROOT / "data").iterdir()):
        python, data = python_lines(game, lines), data_lines(game)
        # Most of the package is for plastic, with or without its name in the path.
        if python and game != "plastic":
            print(f"{python + data:>7,} lines are {game} alone: {python:,} and {data:,} of data")
    asyncio.run(walk())


def _is_later(path: Path) -> bool:
    name = path.relative_to(PACKAGE).as_posix()
    return any(part in name for part in LATER)


def python_lines(game: str, lines: dict[Path, int]) -> int:
    """Lines of Python that only this game needs, its simulator apart."""
    own = 0
    for path, count in lines.items():
        name = path.relative_to(PACKAGE).as_posix()
        is_of_game = any(part.startswith(game) for part in name.split("/"))
        if is_of_game and not name.startswith(SIMULATOR):
            own += count - simulating(path)
    return own


def data_lines(game: str) -> int:
    """Lines of the data of a game."""
    lines = 0
    for path in (ROOT / "data" / game).rglob("*"):
        if path.suffix in {".toml", ".csv", ".txt"}:
            lines += len(path.read_text("utf-8").splitlines())
    return lines


def simulating(path: Path) -> int:
    """Lines of the functions that run the simulator, such as the command `simulate`."""
    lines = 0
    for node in ast.parse(path.read_text("utf-8")).body:
        if not isinstance(node, ast.FunctionDef):
            continue
        if node.name == "simulate" or "Simulated" in ast.unparse(node.args):
            lines += (node.end_lineno or 0) - node.lineno + 1
    return lines


def one_importer_beside() -> Iterator[str]:
    """Modules that one other module imports, in the same folder."""
    from test_structure import imported

    modules = {}
    for path in PACKAGE.rglob("*.py"):
        dotted_name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        modules[dotted_name.removesuffix(".__init__")] = path
    importers: dict[str, set[str]] = defaultdict(set)
    for module, path in modules.items():
        for imported_module in imported(path, modules) - {module}:
            importers[imported_module].add(module)
    for module, path in modules.items():
        if len(importers[module]) != 1 or path.name == "__init__.py":
            continue
        [importer] = importers[module]
        if _package_of(importer) == _package_of(module):
            yield module


def _package_of(module: str) -> str:
    return module.rpartition(".")[0]


@contextmanager
def crossed(action: str) -> Iterator[None]:
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
    print(f"{len(calls):>7,} modules, {sum(calls.values()):,} calls: {action}")


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

    documents = {document.id: document for document in plastic.documents()}
    assert documents["scenario"].pdf([library.scenarios()[1]], PrintOptions())


if __name__ == "__main__":
    main()
