"""Makes the site of the project from docs/, README and the program itself: ``make site``.

The pages are gathered in a folder with a picture of every printed sheet and of an evening that is
played there and then, so that no picture can be older than the program. MkDocs builds the site and
fails at a link or an anchor that leads nowhere; what its themes add is looked through afterwards.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from PIL import Image

from skirmish import library
from skirmish.app.application import SkirmishApp
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.terminal_picture import redrawn
from skirmish.cli import run
from skirmish.games.plastic.scenarios.wording import date_in_words
from skirmish.store.settings import Settings, write_settings

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SITE = DOCS / "site"
sys.path.append(str(ROOT / "tests" / "app"))

from unseen import unseen  # noqa: E402

PAGES_OF_THE_ROOT = {
    "README.md": "readme.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
"""Files of the repository that are pages of the site, and their names there."""
ELSEWHERE = {"LICENSE": "LICENSE.txt", "reports": "gallery.md", **PAGES_OF_THE_ROOT}
"""Where links into the repository lead on the site, if not to the same path below docs/."""

# ------------------------------------------------------------------ pages

# Of Markdown: a link that leads to a file, in its parts; the mark of an item; a fence of code.
LINK = re.compile(r"(\]\()([^)#\s]+)(#[^)\s]*)?(\))")
ITEM = re.compile(r"( *)([*+-]|\d+\.)( +)(?=\S)")
FENCE = re.compile(r" *(```|~~~)")


def gather(pages: Path) -> None:
    """Every page and what it shows, into ``pages``."""
    shutil.copytree(DOCS / "pictures", pages / "pictures")
    shutil.copy(DOCS / "example-battle.jsonl", pages)
    shutil.copy(ROOT / "LICENSE", pages / "LICENSE.txt")
    sources = {path: path.name for path in (*DOCS.glob("*.md"), *SITE.glob("pages/*.md"))}
    for name, name_there in PAGES_OF_THE_ROOT.items():
        sources[ROOT / name] = name_there
    for source, name_there in sources.items():
        text = source.read_text("utf-8")
        if source.parent != SITE / "pages":  # those are written for the site
            text = for_the_site(text, source)
        (pages / name_there).write_text(text, "utf-8")
    assets = pages / "assets"
    shutil.copytree(ROOT / "skirmish" / "sheets" / "fonts", assets / "fonts")
    shutil.copy(ROOT / "skirmish" / "web" / "page" / "skirmish.svg", assets)


def for_the_site(text: str, source: Path) -> str:
    """A page of the repository with the links and the lists that MkDocs understands."""

    def redirected(link: re.Match[str]) -> str:
        before, target, anchor, after = link.groups(default="")
        return f"{before}{_on_the_site(target, source)}{anchor}{after}"

    return LINK.sub(redirected, indented(text))


def _on_the_site(target: str, source: Path) -> str:
    if urlsplit(target).scheme:
        return target
    path = (source.parent / target).resolve().relative_to(ROOT).as_posix()
    if path in ELSEWHERE:
        return ELSEWHERE[path]
    if path.startswith("reports/"):
        return path.replace("reports/", "sheets/", 1)
    return path.removeprefix("docs/")


def indented(text: str) -> str:
    """The same Markdown, what belongs to an item of a list indented by four spaces a level: in
    CommonMark it stands below the item's text, which MkDocs does not know. A list that begins
    right below a sentence gets an empty line above it."""
    lines: list[str] = []
    columns: list[int] = []  # where the text of each open item begins
    fenced = False
    for line in text.splitlines():
        above, item = "", None
        if lines:
            above = lines[-1]
        if not fenced:
            item = ITEM.match(line)
        # An item, or what follows an empty line, ends all items whose text stands further right.
        may_end_items = not fenced and (item is not None or not above.strip())
        if line.strip() and may_end_items:
            columns = [column for column in columns if column <= _width(line)]
        level, column = len(columns), 0
        if columns:
            column = columns[-1]
        is_code = _width(line) >= column + 4
        if item and not is_code and _is_sentence(above, level):
            lines.append("")
        lines.append(_moved(line, column, level))
        if FENCE.match(line):
            fenced = not fenced
        if item and not is_code:
            columns.append(item.end())
    return "\n".join(lines) + "\n"


def _width(line: str) -> int:
    """How many spaces a line begins with."""
    return len(line) - len(line.lstrip(" "))


def _is_sentence(line: str, level: int) -> bool:
    """Whether a line that has been moved is text of that level, and no item."""
    return bool(line.strip()) and _width(line) == 4 * level and not ITEM.match(line)


def _moved(line: str, column: int, level: int) -> str:
    """A line of an item whose text begins in ``column``, where MkDocs looks for it."""
    if not line.strip():
        return ""
    return " " * 4 * level + line[min(_width(line), column) :]


# ------------------------------------------------------------------ the gallery

PAPERS = {"a4": "A4", "letter": "Letter"}
SHARPNESS = 1.7
"""Dots of a picture to the point of a sheet: 122 to the inch."""
INKS = 96
"""Inks of a picture; with more it is twice as large, and nobody sees it."""


class Sheet(NamedTuple):
    """What is printed, as typed behind ``skirmish print``, and the words below its picture."""

    words: tuple[str, ...]
    title: str
    note: str
    file: str


def sheets() -> Iterator[Sheet]:
    """The sheets of the gallery: the scenarios, and then the others."""
    for number, scenario in library.scenarios().items():
        note = f"Scenario {number} · {date_in_words(scenario.date)}"
        file = f"scenario-{number:02}-{slug(scenario.title)}"
        yield Sheet(("scenario", str(number)), scenario.title, note, file)
    yield Sheet(("reference",), "Quick reference", "Two sides of one sheet", "quick-reference")
    yield Sheet(("beach-head",), "Beach Head", "The play sheet, two sides", "beach-head")
    yield Sheet(("odds",), "Odds table", "Every weapon, every target", "odds")
    yield Sheet(("markers",), "Markers", "Templates at true scale", "markers")
    yield Sheet(("blank",), "Blank roster", "To be filled in by hand", "blank-roster")


def slug(title: str) -> str:
    """The title as part of a file name, as ``skirmish print`` writes it."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower())


def print_gallery(pages: Path) -> None:
    """The sheets on each paper, a picture of each, and the page that shows them."""
    figures = []
    for sheet in sheets():
        for paper in PAPERS:
            file = pages / "sheets" / paper / f"{sheet.file}.pdf"
            file.parent.mkdir(parents=True, exist_ok=True)
            printed(sheet.words, paper, file)
        picture = pages / "sheets" / f"{sheet.file}.png"
        draw(pages / "sheets" / "a4" / f"{sheet.file}.pdf", picture)
        figures.append(figure(sheet))
    page = pages / "gallery.md"
    text = page.read_text("utf-8")
    page.write_text(text.replace("<!-- the sheets -->", "\n".join(figures)), "utf-8")


def printed(words: Sequence[str], paper: str, file: Path) -> None:
    """One sheet into ``file``; raises SystemExit where the command could not print it."""
    options = ("--paper", paper, "--ink", "colour", "--force", "-o", str(file))
    try:
        with redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")):
            run(["print", *words, *options])
    except SystemExit as ended:
        if ended.code:  # a command that did what it should ends with 0 or None
            raise


def draw(sheet: Path, picture: Path) -> None:
    """The first page of a sheet as a picture."""
    import pypdfium2  # of the extra `site`, which the tests of this file do without

    with pypdfium2.PdfDocument(sheet) as document:
        drawn = document[0].render(scale=SHARPNESS).to_pil()
    reduced = drawn.convert("RGB").quantize(INKS, dither=Image.Dither.NONE)
    reduced.save(picture, optimize=True)


def figure(sheet: Sheet) -> str:
    """A sheet in the gallery: its picture, its title, and a link to the PDF of each paper."""
    links = []
    for paper, name in PAPERS.items():
        links.append(f'<a href="sheets/{paper}/{sheet.file}.pdf">{name}</a>')
    title = escape(sheet.title)
    return (
        f'<figure><a href="sheets/a4/{sheet.file}.pdf">'
        f'<img src="sheets/{sheet.file}.png" alt="The sheet {title}" loading="lazy"></a>'
        f"<figcaption><strong>{title}</strong><span>{escape(sheet.note)}</span>"
        f"<span>PDF: {' · '.join(links)}</span></figcaption></figure>"
    )


# ------------------------------------------------------------------ the first evening

SIZE = (80, 24)
SEED = 3
EVENING: dict[str, Sequence[str]] = {
    "home": (),
    "who-fires": ("enter",),
    "cover": ("m", "r"),
    "draw": ("n",),
    "hit": ("space",),
    "fire-again": ("enter",),
    "next-phase": ("escape", "greater_than_sign"),
    "full-screen": ("f2",),
    "summary": ("Y",),
    "home-again": ("escape", "H"),
}
"""The pictures of the first evening and the keys that lead from each to the next."""


async def play_the_evening(folder: Path) -> None:
    """Plays it, with decks that always come in the same order, and takes its pictures."""
    BattleScreen.HELD_WITHIN = 0.0  # no hand holds a key down here
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        settings = Path(scratch) / "settings.toml"
        write_settings(settings, Settings())
        database = str(Path(scratch) / "skirmish.db")
        app = SkirmishApp(database, Path(scratch), seed=lambda: SEED, settings_path=settings)
        with unseen():
            async with app.run_test(size=SIZE) as pilot:
                for name, keys in EVENING.items():
                    for key in keys:
                        await pilot.press(key)
                    await pilot.pause()
                    picture = redrawn(app.export_screenshot(), *SIZE)
                    (folder / f"{name}.svg").write_text(picture, "utf-8")


# ------------------------------------------------------------------ what was built


class PageParts(HTMLParser):
    """The ids of a page, where it links to, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.ids.update(values[name] for name in ("id", "name") if name in values)
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag == "link" and values.get("rel") not in ("prev", "next"):
            self.loaded.append(values.get("href", ""))
        elif "src" in values:
            self.loaded.append(values["src"])


def mistakes(site: Path) -> Iterator[str]:
    """What is wrong with the pages that were built: links that lead nowhere, also those of the
    theme, and whatever would be loaded from somewhere else."""
    parts_of = {page: PageParts(page.read_text("utf-8")) for page in site.rglob("*.html")}
    for page, parts in parts_of.items():
        name = page.relative_to(site)
        for address in parts.loaded:
            loaded_from = urlsplit(address)
            if loaded_from.scheme not in ("", "data") or loaded_from.netloc:
                yield f"{name} loads {address}"
        for address in (*parts.links, *parts.loaded):
            scheme, host, path, _query, anchor = urlsplit(address)
            if scheme or host:
                continue
            target = page
            if path:
                target = (page.parent / unquote(path)).resolve()
            if not target.is_file():
                yield f"{name} leads to {address}, which is not there"
            elif anchor and target in parts_of and unquote(anchor) not in parts_of[target].ids:
                yield f"{name} leads to {address}, which has no such place"
    for style in site.rglob("*.css"):
        for address in re.findall(r"url\(\s*[\"']?(?:https?:)?//[^)]*", style.read_text("utf-8")):
            yield f"{style.relative_to(site)} loads {address}"


# ------------------------------------------------------------------ all of it


def make(site: Path) -> int:
    """The site in the folder ``site``; returns 1 if anything is wrong with it."""
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch) / "work"
        # Nobody's settings change what is printed.
        os.environ["SKIRMISH_SETTINGS"] = str(Path(scratch) / "settings.toml")
        os.environ["SKIRMISH_DATABASE"] = str(Path(scratch) / "skirmish.db")
        shutil.copytree(SITE / "theme", work / "theme")
        shutil.copy(SITE / "mkdocs.yml", work)
        pages = work / "pages"
        pages.mkdir()
        gather(pages)
        print_gallery(pages)
        asyncio.run(play_the_evening(pages / "evening"))
        build = ["mkdocs", "build", "--strict", "--site-dir", str(site.resolve())]
        # The theme has an advertisement for its successor.
        quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
        built = subprocess.run(
            [sys.executable, "-m", *build],
            cwd=work,
            env=quiet,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    if built.returncode:
        print(built.stderr)
        return 1
    for name in ("404.html", "sitemap.xml", "sitemap.xml.gz"):
        (site / name).unlink(missing_ok=True)  # only of use on a server with an address
    wrong = list(mistakes(site.resolve()))
    for sentence in wrong:
        print(sentence)
    print(f"{len(list(site.rglob('*.html')))} pages, {len(wrong)} mistakes: {site / 'index.html'}")
    return int(bool(wrong))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    default = ROOT / "build" / "site"
    parser.add_argument("--into", type=Path, default=default, help="the folder of the site")
    sys.exit(make(parser.parse_args().into))
