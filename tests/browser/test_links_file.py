"""Files beside the database that somebody else may have spoilt."""

from __future__ import annotations

from pathlib import Path

import pytest

from skirmish.web.links import LinkBook


@pytest.mark.parametrize(
    "data",
    [b'{"links": ["\xff"]}', b"[" * 100_000, b"\0", b'{"links": 7}'],
    ids=["no text", "brackets without end", "zero", "no list"],
)
def test_a_spoilt_file_of_links_is_none(tmp_path: Path, data: bytes) -> None:
    book = LinkBook(tmp_path / "club.db")
    token = book.ensure_app_token()
    for file in tmp_path.iterdir():
        file.write_bytes(data)
    (tmp_path / ".club.db.serving").write_bytes(data)
    assert LinkBook(tmp_path / "club.db").find(token) is None
    assert LinkBook(tmp_path / "club.db").server_note() is None
