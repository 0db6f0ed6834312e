"""``skirmish print``: where a sheet goes, and what it never does to a file that is there."""

from __future__ import annotations

import errno
import io
import os
import stat
import subprocess
from pathlib import Path

import pytest
from at_the_desk import ROOT, Ask, command, environment
from pypdf import PdfReader

from skirmish import library
from skirmish.cli.console import CommandError
from skirmish.cli.files import deliver

A4 = (595, 842)
LETTER = (612, 792)

LAST = max(library.published_scenarios())


def size(pdf: bytes) -> tuple[int, int]:
    box = PdfReader(io.BytesIO(pdf)).pages[0].mediabox
    return round(box.width), round(box.height)


def text(pdf: bytes) -> str:
    pages = PdfReader(io.BytesIO(pdf)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def nothing_half_written(desk: Path) -> bool:
    return not [*desk.glob(".skirmish-*"), *desk.glob("*.part")]


def test_a_roster_goes_into_the_current_folder(ask: Ask, desk: Path) -> None:
    said = ask("print", "roster", "ziegler.toml")
    file = desk / "roster-kampfgruppe-ziegler.pdf"
    assert said == (0, f"Roster: {file}\n", "")
    assert size(file.read_bytes()) == A4
    assert nothing_half_written(desk)


def test_a_kept_army_is_printed_by_name(ask: Ask, desk: Path) -> None:
    ask("army", "import", "russians.toml")
    said = ask("print", "roster", "красная", "-o", "sheet.pdf", "--paper", "letter")
    assert said.code == 0
    assert (
        said.out == f"Roster: {desk / 'sheet.pdf'}\nThe army is not legal; the roster says why.\n"
    )
    assert size((desk / "sheet.pdf").read_bytes()) == LETTER


def test_signs_that_no_typeface_has_are_told_after_printing(ask: Ask, desk: Path) -> None:
    (desk / "third.toml").write_text('name = "第三 Army"\n[units]\nrifle = 9\n', "utf-8")
    for where in ("sheet.pdf", "-"):
        told = command_of("print", "roster", "third.toml", "-o", where, desk=desk)
        assert told == "The fonts of the sheets do not have 三 第; each is printed as ?.\n"
    assert "?? Army" in text((desk / "sheet.pdf").read_bytes())
    assert ask("print", "roster", "ziegler.toml").err == ""


def command_of(*words: str, desk: Path) -> str:
    """What a process of its own says on stderr."""
    ran = subprocess.run(
        command(words), cwd=desk, env=environment(), capture_output=True, check=True
    )
    return ran.stderr.decode()


def test_a_scenario_goes_into_the_current_folder(ask: Ask, desk: Path) -> None:
    said = ask("print", "scenario", "10")
    file = desk / "scenario-10-dog-beach.pdf"
    assert said == (0, f"Scenario sheet: {file}\n", "")
    assert size(file.read_bytes()) == A4


def test_all_scenarios_go_into_one_file(ask: Ask, desk: Path) -> None:
    (desk / "sheets").mkdir()
    said = ask("print", "scenario", "all", "-o", "sheets", "--ink", "saver")
    file = desk / "sheets" / "scenarios.pdf"
    assert said == (0, f"Scenario sheets: {file}\n", "")
    assert len(PdfReader(file).outline) >= 10
    assert ask("print", "scenario", "ALL", "-o", "sheets").code == 2


def test_ink_is_spared_on_request(ask: Ask) -> None:
    for name, words in (("scenario", ["scenario", "6"]), ("roster", ["roster", "ziegler.toml"])):
        for ink in ("colour", "saver"):
            ask("print", *words, "--ink", ink, "-o", f"{name}-{ink}.pdf")
        colour, saver = (Path(f"{name}-{ink}.pdf").read_bytes() for ink in ("colour", "saver"))
        assert text(colour) == text(saver)
        assert colour != saver


def test_markers_have_as_many_works_as_the_scenario(ask: Ask, desk: Path) -> None:
    """Ten entrenchments, half of them foxholes."""
    assert ask("print", "markers", "--scenario", "4", "-o", "m.pdf").code == 0
    pages = PdfReader(desk / "m.pdf").pages
    assert sum(page.extract_text().count("FOXHOLE") for page in pages) == 5
    assert "There is no scenario 40" in ask("print", "markers", "--scenario", "40").err


def test_labels_take_the_paper_of_their_sheet(ask: Ask, desk: Path) -> None:
    assert ask("print", "markers", "--labels", "5163", "--paper", "a4", "-o", "l.pdf").code == 0
    sheet = PdfReader(desk / "l.pdf").pages[0]
    assert [float(sheet.mediabox.width), float(sheet.mediabox.height)] == [612, 792]
    assert "no label sheet 'x9'; there are 3490" in ask("print", "markers", "--labels", "x9").err
    both = ask("print", "markers", "--labels", "3490", "--scenario", "4")
    assert "Works do not go on labels" in both.err


def test_a_form_has_fields_named_after_the_figures(ask: Ask, desk: Path) -> None:
    assert ask("print", "scenario", "10", "--form", "-o", "form.pdf").code == 0
    fields = PdfReader(desk / "form.pdf").get_fields() or {}
    assert {"tick-10-american-R1", "tick-10-german-P1"} <= set(fields)


def test_papers_are_known_however_they_are_written(ask: Ask, desk: Path) -> None:
    assert ask("print", "blank", "--paper", "Letter", "-o", "b.pdf").code == 0
    assert size((desk / "b.pdf").read_bytes()) == LETTER


def test_a_ruling_changes_the_sheet(ask: Ask) -> None:
    ask("print", "scenario", "10", "-o", "usual.pdf")
    said = ask("print", "scenario", "10", "--ruling", "p80=american_16", "-o", "other.pdf")
    assert said.code == 0
    usual, other = (text(Path(name).read_bytes()) for name in ("usual.pdf", "other.pdf"))
    assert "end of American turn 16" in other
    assert "end of American turn 16" not in usual


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([f"{LAST + 1}"], f"There is no scenario {LAST + 1}; use a number from 1 to {LAST}"),
        (["0"], "There is no scenario 0"),
        (["dog"], f"There is no scenario dog; use a number from 1 to {LAST}, or all"),
        ([""], f"There is no scenario “”; use a number from 1 to {LAST}"),
        ([], "Missing argument 'N|all|mine'"),
        (["1", "2"], "unexpected extra argument"),
        (["10", "--paper", "a5"], "'--paper': 'a5' is not one of 'a4', 'letter'."),
        (["10", "--ink", "red"], "'--ink': 'red' is not one of 'colour', 'saver'."),
        (["10", "--form=yes"], "'--form' does not take a value"),
        (["10", "--ruling", "P80"], "write an ID and an answer, as in P80=american_16."),
        (["10", "--ruling", "P80=x"], "rulings.P80: no answer 'x'; known are: german_15"),
        (["10", "--ruling", "P99=x"], "rulings.P99: no such ruling; they run from P1"),
    ],
)
def test_a_sheet_that_cannot_be_is_a_sentence(
    ask: Ask, desk: Path, words: list[str], told: str
) -> None:
    said = ask("print", "scenario", *words)
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert not list(desk.glob("*.pdf"))


def test_the_sheet_itself_goes_to_stdout(desk: Path) -> None:
    done = subprocess.run(
        command(["print", "roster", "russians.toml", "-o", "-"]),
        capture_output=True,
        cwd=desk,
        env=environment(),
        check=True,
    )
    assert size(done.stdout) == A4
    assert done.stderr == b""


def test_printing_loads_no_database(desk: Path) -> None:
    done = subprocess.run(
        command(["print", "roster", "ziegler.toml"]),
        capture_output=True,
        cwd=desk,
        env=environment() | {"SKIRMISH_DATABASE": "postgres://nowhere"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (ROOT / "data").is_dir()


# Where a file goes


@pytest.fixture
def out(desk: Path) -> Path:
    folder = desk / "out"
    folder.mkdir()
    return folder


def test_a_folder_takes_the_usual_name(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deliver(b"x", str(out), "usual.pdf", False, "Sheet")
    deliver(b"y", "out/", "second.pdf", False, "Sheet")
    assert (out / "usual.pdf").read_bytes() == b"x"
    assert (out / "second.pdf").read_bytes() == b"y"
    assert capsys.readouterr().out.startswith(f"Sheet: {out / 'usual.pdf'}\n")


def test_a_file_that_is_there_stays_unless_forced(out: Path) -> None:
    file = out / "a.pdf"
    file.write_bytes(b"mine")
    with pytest.raises(CommandError, match="already exists and was left unchanged"):
        deliver(b"x", str(file), "usual.pdf", False, "Sheet")
    assert file.read_bytes() == b"mine"
    deliver(b"x", str(file), "usual.pdf", True, "Sheet")
    assert file.read_bytes() == b"x"
    assert [entry.name for entry in out.iterdir()] == ["a.pdf"]


def test_a_file_that_appears_meanwhile_stays_too(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = out / "a.pdf"

    def slow(_: int) -> None:
        file.write_bytes(b"theirs")

    monkeypatch.setattr(os, "fsync", slow)
    with pytest.raises(CommandError, match="already exists"):
        deliver(b"x", str(file), "usual.pdf", False, "Sheet")
    assert file.read_bytes() == b"theirs"
    assert [entry.name for entry in out.iterdir()] == ["a.pdf"]


def test_a_disk_where_files_have_one_name_only(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    deliver(b"x", "out/a.pdf", "usual.pdf", False, "Sheet")
    assert [entry.name for entry in out.iterdir()] == ["a.pdf"]


def test_a_failed_write_leaves_nothing_behind(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    file = out / "a.pdf"
    file.write_bytes(b"mine")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CommandError, match=r"cannot be written: no space left on device; choose"):
        deliver(b"x", str(file), "usual.pdf", True, "Sheet")
    assert file.read_bytes() == b"mine"
    assert [entry.name for entry in out.iterdir()] == ["a.pdf"]


@pytest.mark.skipif(os.name != "posix", reason="modes and links")
def test_a_new_file_may_be_read_as_any_other_and_a_link_is_followed(out: Path) -> None:
    deliver(b"x", "out/a.pdf", "usual.pdf", False, "Sheet")
    (out / "plain").write_bytes(b"")
    modes = {stat.S_IMODE((out / name).stat().st_mode) for name in ("a.pdf", "plain")}
    assert len(modes) == 1
    (out / "link.pdf").symlink_to(out / "a.pdf")
    deliver(b"y", "out/link.pdf", "usual.pdf", True, "Sheet")
    assert (out / "link.pdf").is_symlink()
    assert (out / "a.pdf").read_bytes() == b"y"


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("nowhere/a.pdf", "The folder .*nowhere does not exist; create it first"),
        ("nowhere/", "The folder .*nowhere does not exist"),
        ("ziegler.toml/a.pdf", "cannot be written: not a directory"),
        ("a\0b.pdf", "a␀b.pdf.*null (byte|character)"),
        ("x" * 300, "cannot be written: file name too long"),
        (".", "usual.pdf cannot be written: is a directory"),
        ("usual.pdf", "usual.pdf/usual.pdf already exists"),
        pytest.param(
            "loop",
            "loop cannot be written: too many levels of symbolic links",
            marks=pytest.mark.skipif(os.name != "posix", reason="links"),
        ),
    ],
)
def test_a_place_that_will_not_do_is_a_sentence(desk: Path, where: str, told: str) -> None:
    (desk / "usual.pdf").mkdir()
    (desk / "usual.pdf" / "usual.pdf").write_bytes(b"mine")
    if os.name == "posix":
        (desk / "loop").symlink_to(desk / "loop")
    with pytest.raises(CommandError, match=told):
        deliver(b"x", where, "usual.pdf", False, "Sheet")
    assert nothing_half_written(desk)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (PermissionError(errno.EACCES, "Permission denied"), "permission denied"),
        (OSError(errno.EROFS, "Read-only file system"), "read-only file system"),
        (FileNotFoundError(errno.ENOENT, "No such file or directory"), "no such file"),
    ],
)
def test_a_folder_that_takes_no_file_is_a_sentence(
    ask: Ask, desk: Path, monkeypatch: pytest.MonkeyPatch, *, error: OSError, told: str
) -> None:
    """As ``/proc`` is there and says that nothing is."""

    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("skirmish.cli.files.write_whole", refuse)
    said = ask("print", "blank", "-o", "b.pdf")
    assert (said.code, said.out) == (2, "")
    where = desk / "b.pdf"
    assert said.err.startswith(f"{where} cannot be written: {told}")
    assert said.err.endswith("; choose another with -o.\n")


@pytest.mark.skipif(os.name != "posix", reason="a device")
def test_a_device_is_written_to_and_not_replaced() -> None:
    deliver(b"x", "/dev/null", "usual.pdf", False, "Sheet")
    assert Path("/dev/null").is_char_device()
