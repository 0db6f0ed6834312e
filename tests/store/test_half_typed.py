"""The file with what was typed last is an extra: whatever is in it, the game opens."""

from __future__ import annotations

import pytest

SPOILT = {
    "half of a pair": b'{"entries": 5, "typed": ["\xed\xa0\x80"]}',
    "half of a pair, escaped": b'{"entries": 5, "typed": ["\\ud800"]}',
    "Latin-1": b'{"entries": 5, "typed": ["\xfc"]}',
    "deep": b"[" * 100_000,
    "deep in its place": b'{"entries": 5, "typed": ' + b"[" * 100_000,
    "another shape": b'{"entries": "5", "typed": 7}',
    "zeros": b"\0" * 40,
    "nothing": b"",
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_spoilt_file_is_left_out_and_can_be_written_again(store, path, what):
    file = path.with_name(f".{path.name}.1.typed")
    file.write_bytes(SPOILT[what])
    assert store.typed(1, 5) == []
    store.set_typed(1, 5, ["8", "h"])
    assert store.typed(1, 5) == ["8", "h"]


def test_what_is_no_text_is_not_stored(store):
    store.set_typed(1, 5, ["8"])
    store.set_typed(1, 5, ["\ud800"])
    assert store.typed(1, 5) == ["8"]


def test_what_was_typed_before_another_entry_does_not_count(store):
    store.set_typed(1, 5, ["8"])
    assert store.typed(1, 6) == []
