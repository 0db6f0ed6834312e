"""Build the folder that runs, and an archive of it, for the machine this runs on.

    python bundle/build_bundle.py            (or: make bundle)

Python, the program, its data and the browser part are put into one folder by PyInstaller, with a
starter, an icon and the licences of everything in it. The packages are those of the lock, each
checked by its hash, in an environment of their own. The archive is in ``dist/``.
"""

from __future__ import annotations

import argparse
import platform
import plistlib
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from importlib.metadata import Distribution, distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "bundle"
LOCK = HERE / "requirements.lock"

SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}
"""Names for people, by Python's name of the platform."""
STARTERS = {
    "linux": ("Skirmish.sh", "add-to-menu.sh"),
    "macos": ("Skirmish.command",),
    "windows": ("add-to-start-menu.ps1",),
}
FIRST_STEPS = {
    "linux": (
        "Double-click Skirmish.sh (your file manager may ask whether to run it: yes).\n"
        "It opens in a terminal or, where there is none, in your browser. add-to-menu.sh\n"
        "puts Skirmish into the menu of your desktop."
    ),
    "macos": (
        "Control-click Skirmish, choose Open, and confirm: the program is not signed, so\n"
        "macOS asks the first time. From then on a double-click starts it, in Terminal.\n"
        "Skirmish.command does the same."
    ),
    "windows": (
        'Double-click "Play Skirmish". Windows may say that it protected your PC, as the\n'
        'program is not signed: choose "More info", then "Run anyway". It opens in Windows\n'
        "Terminal or, where there is none, in your browser. add-to-start-menu.ps1 (right-\n"
        "click, Run with PowerShell) puts it into the Start menu."
    ),
}
"""What to do after unpacking, by system."""


def main() -> None:
    """Build the bundle, its archive, and print where the archive is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--work", type=Path, default=ROOT / "build", help="for what is in between")
    parser.add_argument("--into", type=Path, default=ROOT / "dist", help="for the archive")
    arguments = parser.parse_args()
    system = SYSTEMS.get(sys.platform)
    if system is None:
        sys.exit(f"There is no bundle for {sys.platform}; use a wheel (docs/install.md).")
    python = environment(arguments.work / "bundle-environment")
    folder = freeze(python, arguments.work)
    version = installed_version(python)
    add_starters(folder, system, version)
    if system == "macos":
        add_application(folder, version, python)
    add_licences(folder, python)
    name = f"skirmish-{version}-{system}-{machine()}"
    print(archive(folder, arguments.into, name, system))


def environment(folder: Path) -> Path:
    """The Python of a new environment that has the packages of the lock and this checkout."""
    folder = folder.resolve()
    print(f"Installing the packages of the lock in {folder} ...", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    if sys.platform == "win32":
        python = folder / "Scripts" / "python.exe"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "--require-hashes", "-r", str(LOCK)], check=True)
    subprocess.run([*install, "--no-deps", "--no-build-isolation", str(ROOT)], check=True)
    return python


def freeze(python: Path, work: Path) -> Path:
    """Run PyInstaller; the folder that it makes."""
    print("Freezing ...", flush=True)
    made = work.resolve() / "bundle"
    subprocess.run(
        [
            *(str(python), "-m", "PyInstaller"),
            *("--noconfirm", "--log-level", "ERROR"),
            *("--distpath", str(made)),
            *("--workpath", str(work.resolve() / "bundle-work")),
            str(HERE / "skirmish.spec"),
        ],
        check=True,
        cwd=work,  # in the checkout, the package there would be found before the installed one
    )
    return made / "skirmish"


def installed_version(python: Path) -> str:
    """The version of Skirmish in an environment."""
    asked = "from importlib.metadata import version; print(version('plastic-skirmish'))"
    answer = subprocess.run(
        [str(python), "-c", asked], check=True, capture_output=True, text=True, cwd=HERE
    )
    return answer.stdout.strip()


def add_starters(folder: Path, system: str, version: str) -> None:
    """Put what a double-click starts, the icon and the first steps into the folder."""
    for name in STARTERS[system]:
        target = folder / name
        shutil.copyfile(HERE / "starters" / name, target)
        if target.suffix in (".sh", ".command"):
            target.chmod(0o755)
    shutil.copyfile(HERE / "icon.png", folder / "skirmish.png")
    template = (HERE / "starters" / "READ-ME-FIRST.txt").read_text("utf-8")
    ending = ""
    if system == "windows":
        ending = ".exe"
    text = template.format(
        version=version,
        system={"linux": "Linux", "macos": "macOS", "windows": "Windows"}[system],
        start=FIRST_STEPS[system],
        program=f"skirmish{ending}",
    )
    (folder / "READ-ME-FIRST.txt").write_text(text, "utf-8")


def add_application(folder: Path, version: str, python: Path) -> None:
    """Put ``Skirmish.app`` into the folder: what Finder shows with name and icon. It opens the
    starter beside it in Terminal; an application by itself has no terminal."""
    contents = folder / "Skirmish.app" / "Contents"
    program = contents / "MacOS" / "Skirmish"
    resources = contents / "Resources"
    program.parent.mkdir(parents=True)
    resources.mkdir()
    with (contents / "Info.plist").open("wb") as file:
        plistlib.dump(
            {
                "CFBundleExecutable": program.name,
                "CFBundleIconFile": "skirmish",
                "CFBundleIdentifier": "plastic-skirmish.skirmish",
                "CFBundleName": "Skirmish",
                "CFBundlePackageType": "APPL",
                "CFBundleShortVersionString": version,
            },
            file,
        )
    shutil.copyfile(HERE / "starters" / "application.sh", program)
    program.chmod(0o755)
    # Pillow is one of the packages in the environment, and needs no other program for it.
    convert = "import sys; from PIL import Image; Image.open(sys.argv[1]).save(sys.argv[2])"
    icon = resources / "skirmish.icns"
    subprocess.run([str(python), "-c", convert, str(HERE / "icon.png"), str(icon)], check=True)


def add_licences(folder: Path, python: Path) -> None:
    """Put the licence of Skirmish and those of all packages in the bundle into the folder."""
    licences = folder / "licences"
    licences.mkdir()
    shutil.copyfile(ROOT / "LICENSE", licences / "skirmish.txt")
    for packages in python.parents[1].glob("**/site-packages"):
        for distribution in distributions(path=[str(packages)]):
            _add_licences_of(distribution, licences)


def _add_licences_of(distribution: Distribution, licences: Path) -> None:
    name = distribution.metadata["Name"]
    for file in distribution.files or ():
        is_licence = file.stem.upper() in ("LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS")
        source = Path(str(distribution.locate_file(file)))
        if is_licence and ".dist-info" in str(file) and source.is_file():
            shutil.copyfile(source, licences / f"{name}-{file.stem}.txt")


def machine() -> str:
    """The processor, by one name on every system."""
    name = platform.machine().lower()
    return {"amd64": "x86_64", "aarch64": "arm64"}.get(name, name)


def archive(folder: Path, into: Path, name: str, system: str) -> Path:
    """Pack the folder as ``name``: what each system unpacks without further programs, and what
    keeps the right to run a file where there is one."""
    into.mkdir(parents=True, exist_ok=True)
    if system == "windows":
        path = into / f"{name}.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
            for file in sorted(folder.rglob("*")):
                packed.write(file, Path(name) / file.relative_to(folder))
        return path
    path = into / f"{name}.tar.xz"
    with tarfile.open(path, "w:xz", preset=6) as packed_tar:
        packed_tar.add(folder, name, filter=_of_nobody)
    return path


def _of_nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Whoever unpacks it owns it; who built it is nobody's business."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


if __name__ == "__main__":
    main()
