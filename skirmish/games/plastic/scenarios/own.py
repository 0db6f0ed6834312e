"""A player's own scenarios as the data of their files: an empty one to begin with, a copy, and the
ids and numbers by which they are told from the scenarios of the rules."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from skirmish.games.plastic.scenarios.scenario import OWN_PREFIX, Scenario
from skirmish.tabletop.data_file import Problem
from skirmish.tabletop.measure import with_marked_distances
from skirmish.tabletop.typed import plain, with_curly_quotes

LONGEST_TITLE = 60
"""The most characters of a title; the sheet has one line for it."""
LONGEST_NAMES = {"title": LONGEST_TITLE, "name": 80, "place": 120, "author": 80, "licence": 200}
"""The most characters of each name, by the last part of its key."""
LONGEST_LABEL = 80
"""The most characters of words on the map."""
LONGEST_ID = 60
"""The most characters of an id. It is part of the name of its file, and paths must not become too
long."""
ATTACKER_DEPTH, DEFENDER_DEPTH = 6, 12
"""How deep the set-up zones of an empty scenario are, in inches: defenders have more room."""
UNACCENTED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th"}
)
"""Letters that Unicode does not split into a letter of ASCII and an accent."""
Raw: TypeAlias = dict[str, Any]
"""The data of a scenario file, as TOML has it."""


def file_name(number: int, id: str) -> str:
    """What the file of a scenario is called, without its ending."""
    return f"{number:02}_{id}"


def id_words(text: str) -> str:
    """The words of a text as they stand in an id: ``Łódź, 1939`` gives ``lodz_1939``. Accents and
    other signs are left out; empty if nothing remains."""
    folded = text.casefold().translate(UNACCENTED)
    ascii_text = unicodedata.normalize("NFKD", folded).encode("ascii", "ignore").decode()
    return "_".join(re.findall("[a-z0-9]+", ascii_text))


def free_id(title: str, taken: Collection[str]) -> str:
    """An id that is made of a title and is not ``taken``: ``own_my_bridge``, or if that is taken,
    ``own_my_bridge_2``."""
    words = id_words(title) or "scenario"
    id = f"{OWN_PREFIX}{words.removeprefix(OWN_PREFIX)}"
    free, number = id[:LONGEST_ID].rstrip("_"), 1
    while free in taken:
        number += 1
        ending = f"_{number}"
        free = id[: LONGEST_ID - len(ending)].rstrip("_") + ending
    return free


def own_problems(scenario: Scenario, raw: Mapping[str, Any], first_number: int) -> list[Problem]:
    """What is wrong with the number, the id and the texts of a player's own scenario. ``raw`` is
    the data of its file, ``first_number`` the lowest number that it may have."""
    problems = [*_hidden_signs(raw), *_too_long_texts(raw)]
    if scenario.number < first_number:
        message = f"own scenarios have numbers from {first_number} on; take the next free one."
        problems.append(Problem("number", message))
    if "\n" in scenario.title:
        problems.append(Problem("title", "has one line; remove the line end."))
    if not scenario.is_own:
        message = (
            f"ids of own scenarios begin with {OWN_PREFIX}; call it {OWN_PREFIX}{scenario.id}."
        )
        problems.append(Problem("id", message))
    return problems


class TextAt(NamedTuple):
    """A text in the data of a file, and its key: ``side[0].name``."""

    key: str
    text: str


def _texts(value: Any, key: str = "") -> Iterator[TextAt]:
    """All texts of the data of a file, from top to bottom."""
    if isinstance(value, str):
        yield TextAt(key, value)
    elif isinstance(value, Mapping):
        for name, part in value.items():
            # A key of the file itself has no dot before it.
            yield from _texts(part, f"{key}.{name}".removeprefix("."))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _texts(part, f"{key}[{index}]")


def _hidden_signs(raw: Mapping[str, Any]) -> list[Problem]:
    """Texts with signs that are not shown and might control a terminal."""
    problems = []
    for key, text in _texts(raw):
        # Tabs and line ends are allowed.
        lines = text.replace("\t", " ").split("\n")
        if any(plain(line) != line for line in lines):
            problems.append(Problem(key, "holds signs that are not shown; remove them."))
    return problems


def _too_long_texts(raw: Mapping[str, Any]) -> list[Problem]:
    """Names, and words on the map, for which a list or a sheet has no room."""
    problems = []
    for key, text in _texts(raw):
        last_name = key.rpartition(".")[2]
        longest = LONGEST_NAMES.get(last_name)
        # Only on the map: rules and footnotes have a ``text``, too, which may be long.
        if "map.label[" in key and last_name == "text":
            longest = LONGEST_LABEL
        if longest is not None and len(text) > longest:
            problems.append(Problem(key, f"has {len(text)} characters; at most {longest} fit."))
    return problems


def as_printed(value: Any) -> Any:
    """The data of a file with texts as they are printed: with signs that no keyboard has, for
    distances and quotation marks."""
    if isinstance(value, str):
        return with_marked_distances(with_curly_quotes(value))
    if isinstance(value, dict):
        return {key: as_printed(part) for key, part in value.items()}
    if isinstance(value, list):
        return [as_printed(part) for part in value]
    return value


def renamed(raw: Mapping[str, Any], number: int, id: str, title: str = "") -> Raw:
    """The data of a scenario with another number and id, and with another title if one is given."""
    changed = {**raw, "number": number, "id": id}
    if title:
        changed["title"] = title
    return changed


def blank(
    number: int, id: str, title: str, sides: Mapping[str, str], table: tuple[int, int]
) -> Raw:
    """The data of a new scenario that can be played at once. ``sides`` are the names of two peoples
    (``Germans``) by the ids of their nations, the attacker first; ``table`` is the width and the
    depth of the table in inches."""
    attacker, defender = sides
    defending_people = sides[defender]
    width, depth = table
    last_player_turn = {"side": defender, "turn": 10}
    return {
        "format": 1,
        "number": number,
        "id": id,
        "title": title,
        "date": "1944-06",
        "place": "An invented place",
        "table": {"width_in": width, "depth_in": depth, "up": "N"},
        "sets_up_first": defender,
        "moves_first": attacker,
        "ends_after": last_player_turn,
        "situation": "Two forces meet. Say here in two sentences who wants what, and why.",
        "history": "This battle is invented.",
        "sources": ["our own table"],
        "side": [
            _blank_side(attacker, sides[attacker], "attacker", "A"),
            _blank_side(defender, sides[defender], "defender", "D"),
        ],
        "victory": {
            "kind": "count",
            "question": "Guys within 6 in of the middle",
            "sides": [attacker, defender],
            "units": "guys",
            "wins": "more",
            "at": last_player_turn,
            "equal": defender,
            "text": "The side with more guys within 6 in of the middle of the table when the last "
            f"turn ends wins. If both have as many, the {defending_people} win.",
        },
        "map": {
            "ground": "grass",
            "zone": [
                _zone("A", attacker, width, 0, ATTACKER_DEPTH),
                _zone("D", defender, width, depth - DEFENDER_DEPTH, depth),
            ],
        },
    }


def _blank_side(nation: str, name: str, role: str, zone: str) -> Raw:
    """A side of a new scenario: one contingent, which sets up in a zone."""
    return {
        "id": nation,
        "name": name,
        "role": role,
        "contingent": [
            {
                "id": "main",
                "name": "Main force",
                "entry": {"kind": "zone", "zone": zone, "turn": 0},
                "deploy": f"In zone {zone}.",
                "units": {"rifle": 20, "machinegun": 2, "grenade": 2},
            }
        ],
    }


def _zone(letter: str, side: str, width: int, lower: int, upper: int) -> Raw:
    """A set-up zone across the whole table, from one distance to another from its lower edge, in
    inches. Its letter stands in its middle (``tag``)."""
    return {
        "letter": letter,
        "side": side,
        "points": [[0, lower], [width, lower], [width, upper], [0, upper]],
        "tag": [width / 2, (lower + upper) / 2],
    }
