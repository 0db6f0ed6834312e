"""The typefaces: without one of them nothing is printed, and one sentence says so."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from skirmish.sheets.layout import fonts
from skirmish.tabletop.data_file import DataError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the typefaces, of which nothing has been loaded."""
    copy = tmp_path / "fonts"
    shutil.copytree(Path(fonts.__file__).parents[1] / "fonts", copy)
    monkeypatch.setattr(fonts, "_FONT_FOLDER", copy)
    monkeypatch.setattr(fonts, "ready", fonts.ready.__wrapped__)
    return copy


def test_a_typeface_that_is_missing_is_named(folder: Path) -> None:
    gone = folder / "SairaStencilOne_400Regular.ttf"
    gone.unlink()
    with pytest.raises(DataError) as told:
        fonts.ready()
    assert str(gone) in str(told.value)
    assert "this font is missing" in str(told.value)
    assert "\n" not in str(told.value)


def test_a_typeface_that_is_no_typeface_is_named(folder: Path) -> None:
    (folder / "SairaStencilOne_400Regular.ttf").write_bytes(b"no typeface")
    with pytest.raises(DataError, match="this font cannot be read"):
        fonts.ready()
