"""What ``skirmish odds`` is asked under: answers to rulings, a nation, a force quality."""

from __future__ import annotations

from typing import Any

from skirmish import library, shelf
from skirmish.cli.files import bytes_of
from skirmish.cli.speaking import Complaint, clipped, harmless
from skirmish.games.plastic.rules.catalog import Nation, Quality
from skirmish.tabletop.reading import suggest

LARGEST = 1_000_000
"""Bytes of a file of rulings."""


def answered(given: list[str]) -> dict[str, str]:
    """All rulings answered: ours, but for those given, as ``P18=ace_hits`` or as a TOML file with
    a table of rulings (an army file, say). Raises Complaint."""
    answers: dict[str, str] = {}
    for one in given:
        name, equals, answer = one.partition("=")
        found = {name.strip().upper(): answer.strip()} if equals else _of_file(one)
        answers |= found
    problems = library.rulings().problems(answers)
    if told := "\n".join(map(str, problems)):
        raise Complaint(told)
    return library.rulings().answered(answers)


def nation_named(word: str | None) -> Nation | None:
    """A nation by its id, name or people; raises Complaint."""
    if word is None:
        return None
    nations = library.catalog().nations
    wanted = word.strip().lower()
    for nation in nations.values():
        if wanted in (nation.id, nation.name.lower(), nation.people.lower()):
            return nation
    raise Complaint(f"There is no nation “{clipped(word, 40)}”; {suggest(wanted, nations)}")


def quality_named(word: str | None) -> Quality | None:
    """A force quality by its id or name; raises Complaint."""
    if word is None:
        return None
    qualities = library.catalog().qualities
    wanted = word.strip().lower()
    for quality in qualities.values():
        if wanted in (quality.id, quality.name.lower()):
            return quality
    raise Complaint(
        f"There is no force quality “{clipped(word, 40)}”; {suggest(wanted, qualities)}"
    )


def _of_file(name: str) -> dict[str, str]:
    """The rulings of a file: its table of that name, or all of it."""
    data, called = bytes_of(name, LARGEST, "file of rulings")
    table: Any = shelf.parse(data.decode("utf-8-sig", "replace"), called)
    table = table.get("rulings", table)
    if not isinstance(table, dict) or not all(isinstance(one, str) for one in table.values()):
        raise Complaint(
            f"{harmless(name)}: has no table of rulings; write lines such as "
            'P2 = "half" under [rulings].'
        )
    return table
