"""Try a bundle out as its first user would: unpack it, play, kill it, go on, print, serve.

    python bundle/smoke_test.py dist/skirmish-1.0.0-linux-x86_64.tar.xz        (or: make smoke)

``--bare`` runs it in an empty root that has nothing but the C library and zlib, without a network
(Linux, as root). ``--beside`` compares its first paint with that of this checkout. ``--pictures``
names a folder for what Chromium shows. Where there are no pseudo-terminals (Windows), a shot is
played by lines instead of keys. The exit code is 1 if something did not work or is too large.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gzip
import json
import os
import re
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import aiohttp

if TYPE_CHECKING:
    from terminal import Terminal  # not on Windows

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "benchmarks"), str(ROOT / "tests" / "browser")]

MOST_PACKED = 70.0
MOST_UNPACKED = 190.0
"""Megabytes of a million bytes that the archive and its folder may have."""
SLOWEST_PAINT = 1.5
"""Times the first paint of the checkout."""
EARLIER = ROOT / "tests" / "cli" / "earlier" / "skirmish.db.gz"
"""A database of the first version."""
LIBRARIES = re.compile(r"(?:=> )?(/\S+) \(0x")
"""What ``ldd`` prints: the path of a library."""


class SmokeError(Exception):
    """Something of the bundle does not work; the message says what."""


class Bundle(NamedTuple):
    """An unpacked bundle, and how its program is started."""

    command: list[str]
    """The program, before its arguments."""
    folder: Path
    """Where it is unpacked, as this program sees it."""
    table: Path
    """A folder to play in, as this program sees it."""
    table_inside: str
    """The same folder, as the bundle sees it."""

    def environment(self) -> dict[str, str]:
        """Nothing of ours but a terminal: no path to a Python, no setting."""
        return {
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "HOME": self.table_inside,
            "PATH": "/nowhere",
            "SKIRMISH_DATABASE": f"{self.table_inside}/club.db",
            "SKIRMISH_SETTINGS": f"{self.table_inside}/settings.toml",
            **_needed_by_windows(),
        }

    def run(self, *arguments: str, typed: str = "") -> str:
        """What a command prints; raises SmokeError if it fails."""
        done = subprocess.run(
            [*self.command, *arguments],
            input=typed.encode(),
            capture_output=True,
            env=self.environment(),
            cwd=self.table,
            timeout=120,
            check=False,
        )
        if done.returncode:
            shown = done.stderr.decode("utf-8", "replace")[-600:]
            raise SmokeError(f"{arguments} ended with {done.returncode}: {shown}")
        return done.stdout.decode("utf-8", "replace")


def _needed_by_windows() -> dict[str, str]:
    names = ("SYSTEMROOT", "TEMP", "TMP", "LOCALAPPDATA", "APPDATA", "USERPROFILE")
    return {name: os.environ[name] for name in names if name in os.environ}


def main() -> int:
    """Try everything in turn; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("archive", type=Path)
    parser.add_argument("--bare", action="store_true", help="in an empty root without a network")
    parser.add_argument("--beside", type=int, default=0, metavar="N", help="compare N first paints")
    parser.add_argument("--pictures", type=Path, help="a folder for screenshots of Chromium")
    arguments = parser.parse_args()
    if arguments.bare and "SKIRMISH_BARE" not in os.environ:
        return _again_without_network()
    with tempfile.TemporaryDirectory(prefix="skirmish-smoke-") as scratch:
        bundle = unpacked(arguments.archive.resolve(), Path(scratch), bare=arguments.bare)
        try:
            weigh(arguments.archive, bundle.folder)
            look_at_version(bundle)
            play(bundle)
            print_sheet(bundle)
            open_earlier(bundle)
            asyncio.run(serve(bundle, arguments.pictures))
            if arguments.beside:
                compare_first_paint(bundle, arguments.beside)
        except SmokeError as error:
            print(f"FAILED: {error}", flush=True)
            return 1
    print("All of it works.")
    return 0


def _again_without_network() -> int:
    """This program once more in a network namespace of its own, which has only a loopback."""
    command = ["unshare", "--net", sys.executable, *sys.argv]
    return subprocess.run(command, env={**os.environ, "SKIRMISH_BARE": "1"}, check=False).returncode


def unpacked(archive: Path, scratch: Path, *, bare: bool) -> Bundle:
    """Unpack the archive; with ``bare``, into an empty root with the libraries that its program
    needs of the system."""
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(scratch)
    else:
        with tarfile.open(archive) as packed_tar:
            packed_tar.extractall(scratch, filter="data")
    (folder,) = scratch.iterdir()
    table = scratch / "table"
    table.mkdir()
    if not bare:
        program = folder / "skirmish"
        if sys.platform == "win32":
            program = folder / "skirmish.exe"
        return Bundle([str(program)], folder, table, str(table))
    _loopback_up()
    for name in _libraries(folder):
        target = scratch / name.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(os.path.realpath(name), target)
    for name in ("null", "zero", "urandom", "tty"):
        device = Path("/dev") / name
        (scratch / "dev").mkdir(exist_ok=True)
        os.mknod(scratch / "dev" / name, stat.S_IFCHR | 0o666, device.stat().st_rdev)
    (scratch / "tmp").mkdir()
    command = [str(shutil.which("chroot")), str(scratch), f"/{folder.name}/skirmish"]
    return Bundle(command, folder, table, "/table")


def _libraries(folder: Path) -> list[str]:
    """What the bundle's files need of the system: the C library and zlib, or it is not whole."""
    needed: set[str] = set()
    for file in (folder / "skirmish", *folder.rglob("*.so*")):
        listed = subprocess.run(["ldd", str(file)], capture_output=True, text=True, check=False)
        for path in LIBRARIES.findall(listed.stdout):
            if not Path(path).is_relative_to(folder):
                needed.add(path)
    allowed = re.compile(r"/(libc|libm|libdl|libpthread|librt|libutil|libz|ld-linux[^/]*)\.so")
    for path in sorted(needed):
        is_inside = (folder / "program" / Path(path).name).is_file()
        if not allowed.search(path) and not is_inside:
            raise SmokeError(f"the bundle needs {path}, which it does not have")
    return sorted(path for path in needed if allowed.search(path))


def _loopback_up() -> None:
    """Switch on the loopback of a new network namespace: it is down at first."""
    import fcntl

    set_flags, is_up_and_runs = 0x8914, 0x41  # SIOCSIFFLAGS; IFF_UP and IFF_RUNNING of Linux
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh", b"lo", is_up_and_runs)
        fcntl.ioctl(any_socket, set_flags, request)


def weigh(archive: Path, folder: Path) -> None:
    """Print how large the bundle is; raises SmokeError if it is too large."""
    packed = archive.stat().st_size / 1e6
    files = [file for file in folder.rglob("*") if file.is_file() and not file.is_symlink()]
    whole = sum(file.stat().st_size for file in files) / 1e6
    print(f"packed {packed:.1f} MB of {MOST_PACKED:g}, unpacked {whole:.1f} of {MOST_UNPACKED:g}")
    if packed > MOST_PACKED or whole > MOST_UNPACKED:
        raise SmokeError("the bundle is too large")


def look_at_version(bundle: Bundle) -> None:
    """It says that it is a bundle."""
    shown = bundle.run("--version").strip()
    print(shown)
    if not shown.endswith("(bundle)"):
        raise SmokeError("--version does not say that this is a bundle")


def play(bundle: Bundle) -> None:
    """A battle of Dog Beach, a shot, a kill in the middle of it, and on."""
    try:
        from terminal import NotSeenError, Terminal
    except ImportError:  # no pseudo-terminals on this system
        _play_by_lines(bundle)
        return
    try:
        with Terminal(bundle.command, bundle.environment(), bundle.table, 40, 120) as terminal:
            for word, key in (("New battle", "n"), ("Dog Beach", "\x1b[F\x1b[A"), ("bluff", "b")):
                terminal.seen(word)
                terminal.rest(0.7)
                terminal.press(key)
            terminal.seen("Begin")
            terminal.rest(0.7)
            terminal.press("b")
            terminal.seen("end turn")
            terminal.rest(0.5)
            terminal.press("mi ")
            terminal.rest(2.0)
            terminal.signal(signal.SIGKILL)
            terminal.ended(5)
        with Terminal(bundle.command, bundle.environment(), bundle.table, 40, 120) as terminal:
            terminal.seen("Dog Beach")
            terminal.rest(0.7)
            terminal.press("\r")
            terminal.seen("achinegun")
            terminal.rest(0.7)
            if not terminal.leave("\x11", 10):
                raise SmokeError("the app does not end")
    except NotSeenError as error:
        raise SmokeError(str(error)) from None
    journal = bundle.run("journal", "1")
    if not re.search(r"Machinegun.* > Rifle.*: \S+ (hit|miss)", journal):
        raise SmokeError(f"the shot is not in the journal after the kill: {journal[-400:]}")
    print("a shot in a terminal, a kill, a resume: well")


def _play_by_lines(bundle: Bundle) -> None:
    shown = bundle.run("play", "battle", "--scenario", "10", "--defaults", typed="m i\n\nq\n")
    if not re.search("HIT|MISS", shown):
        raise SmokeError(f"the shot came to nothing: {shown[-400:]}")
    print("a shot by lines: well")


def print_sheet(bundle: Bundle) -> None:
    """Fonts, map and ReportLab have come along."""
    bundle.run("print", "scenario", "10", "-o", f"{bundle.table_inside}/sheet.pdf")
    sheet = bundle.table / "sheet.pdf"
    if not sheet.read_bytes().startswith(b"%PDF-"):
        raise SmokeError("the sheet is no PDF")
    bundle.run("beach-head", "simulate", "--games", "500")
    print("a sheet on paper, Beach Head by the hundred: well")


def open_earlier(bundle: Bundle) -> None:
    """A database of the first version is migrated and opened."""
    database = bundle.table / "earlier.db"
    database.write_bytes(gzip.decompress(EARLIER.read_bytes()))
    environment = bundle.environment()
    environment["SKIRMISH_DATABASE"] = f"{bundle.table_inside}/earlier.db"
    listed = subprocess.run(
        [*bundle.command, "battle", "list", "--json"],
        capture_output=True,
        env=environment,
        cwd=bundle.table,
        timeout=60,
        check=False,
    )
    if listed.returncode or not json.loads(listed.stdout):
        raise SmokeError(f"the earlier database: {listed.stderr.decode('utf-8', 'replace')}")
    print("a database of the first version: well")


async def serve(bundle: Bundle, pictures: Path | None) -> None:
    """The app in a browser: a real one where there is one, else as the page would talk to it."""
    async with _served(bundle) as address:
        import chromium

        if chromium.found() is None:
            await _talk(address)
            print("the app behind its page: well (there is no Chromium here)")
            return
        async with chromium.browsing() as browser:
            page = await browser.page(1280, 800)
            await page.go(address)
            await page.until_says("Dog Beach")
            if pictures is not None:
                pictures.mkdir(parents=True, exist_ok=True)
                await asyncio.sleep(1.0)
                await page.picture(pictures / "served.png")
            await page.press("q")
            await page.until_true("document.querySelector('#over').hidden === false")
            if pictures is not None:
                await page.picture(pictures / "ended.png")
    print("the app in Chromium, and its end: well")


@contextlib.asynccontextmanager
async def _served(bundle: Bundle) -> AsyncIterator[str]:
    """The address of a server of the bundle, which must end with its only tab."""
    server = await asyncio.create_subprocess_exec(
        *bundle.command,
        *("serve", "--port", "0", "--until-closed"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=bundle.environment(),
        cwd=bundle.table,
    )
    assert server.stdout is not None
    try:
        address = ""
        async with asyncio.timeout(60):
            while "http://" not in address:
                line = await server.stdout.readline()
                if not line:
                    raise SmokeError("serve ended at once")
                address = line.decode("utf-8", "replace")
        yield address.strip()
        async with asyncio.timeout(45):
            if await server.wait():
                raise SmokeError("serve does not end well")
    except TimeoutError:
        raise SmokeError("serve does not start, or does not end with its tab") from None
    finally:
        if server.returncode is None:
            server.kill()


async def _talk(address: str) -> None:
    """What the page does: ask for the app, read what it paints, press q."""
    async with aiohttp.ClientSession() as session:
        async with session.get(address) as answer:
            if answer.status != 200:
                raise SmokeError(f"the page is answered with {answer.status}")
        headers = {"Origin": address.rstrip("/")}
        socket_address = f"{address}ws?width=80&height=24"
        async with session.ws_connect(socket_address, headers=headers) as talk:
            shown = b""
            async with asyncio.timeout(60):
                while b"New battle" not in shown:
                    message = await talk.receive()
                    if isinstance(message.data, bytes):
                        shown += message.data
            await talk.send_json(["stdin", "q"])
            async for _ in talk:
                pass


def compare_first_paint(bundle: Bundle, rounds: int) -> None:
    """The first paint of the bundle beside that of this checkout, in turns; medians."""
    from terminal import Terminal, environment

    ours = environment(
        SKIRMISH_DATABASE=str(bundle.table / "checkout.db"),
        SKIRMISH_SETTINGS=str(bundle.table / "checkout.toml"),
    )
    fresh = bundle.environment()
    fresh["SKIRMISH_DATABASE"] = f"{bundle.table_inside}/fresh.db"
    program = [sys.executable, "-m", "skirmish"]
    bundle_times: list[float] = []
    checkout_times: list[float] = []
    for round_number in range(rounds + 1):
        with Terminal(bundle.command, fresh, bundle.table) as terminal:
            bundle_paint = _first_paint(terminal)
        with Terminal(program, ours, ROOT) as terminal:
            checkout_paint = _first_paint(terminal)
        if round_number > 0:  # the first fills the caches
            bundle_times.append(bundle_paint)
            checkout_times.append(checkout_paint)
    bundled, checkout = median(bundle_times), median(checkout_times)
    ratio = bundled / checkout
    print(
        f"first paint {bundled:.3f} s, of the checkout {checkout:.3f} s: {ratio:.2f} times,"
        f" at most {SLOWEST_PAINT}"
    )
    if ratio > SLOWEST_PAINT:
        print("   MISSED", flush=True)


def _first_paint(terminal: Terminal) -> float:
    """Seconds until the home screen can be read."""
    painted = terminal.seen("New battle")
    terminal.rest(0.3)
    terminal.leave("q")
    return painted


if __name__ == "__main__":
    sys.exit(main())
