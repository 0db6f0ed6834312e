"""Distances in sentences."""

from __future__ import annotations

import re

import pytest

from skirmish import resources
from skirmish.tabletop.measure import in_centimetres, inches, with_marked_distances


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("within 6\u00a0in of the road", "within 15\u00a0cm of the road"),
        ("3\u00a0in", "7.5\u00a0cm"),
        ("a table of 8\u00a0ft by 5\u00a0ft", "a table of 240\u00a0cm by 150\u00a0cm"),
        ("12 to 36\u00a0in", "30 to 90\u00a0cm"),
        ("2.5\u00a0ft", "75\u00a0cm"),
        ("8 in reach, 3 in the wood", "8 in reach, 3 in the wood"),
    ],
)
def test_only_distances_become_centimetres(written: str, read: str) -> None:
    assert in_centimetres(written) == read


def test_what_is_told_in_inches_can_be_told_in_centimetres() -> None:
    assert in_centimetres(f"{inches(14)} of beach") == "35\u00a0cm of beach"


def test_every_distance_in_the_data_is_marked_as_one() -> None:
    """A number, a plain space and ``in`` or ``ft`` would stay inches on a metric table."""
    likely = re.compile(r"\d (?:ft\b|in(?:\b(?! reach| a | the | phases| zone)))")
    for path in resources.folder().rglob("*.toml"):
        text = path.read_text("utf-8")
        if path.parent.name == "themes":
            # Written as players write their own scenarios: marked once a battle is dealt.
            text = with_marked_distances(text)
        assert not likely.findall(text), path.name
