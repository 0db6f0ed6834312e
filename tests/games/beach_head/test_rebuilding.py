"""A game from outside: rebuilt exactly, or as far as it is good, and a sentence for the rest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from again import built_again
from beach_table import at, cards, codec, opening
from msgspec.structs import replace

from skirmish import library, registry
from skirmish.games.beach_head.game import BeachHeadGame
from skirmish.games.beach_head.journal import BeachPlay
from skirmish.games.beach_head.orders import ChooseTarget, Draws, Go, PlayCard, ShowDice
from skirmish.games.beach_head.wording import headline
from skirmish.tabletop.chance import Source
from skirmish.tabletop.exported import (
    BadExport,
    Header,
    export,
    rebuilt,
)

GAME = "beach_head"
AT = "2026-05-01T18:30:00.000000+00:00"
JUNK = [None, -1, 0, 999, 10**12, "crab", "zz", "", [], {}, True, "wire", "lct", 3.5]


def lines(steps: int = 14, revision: str = "older") -> list[bytes]:
    """A game with cards, as it is exported. It was begun with an older ``revision``, or today."""
    setup = library.beach().setup(
        dice=Source("die", 4),
        cards=Source("deck", 4),
        revision=revision,
    )
    play = codec.play([opening(setup)])
    for _ in range(steps):
        ask = play.state.ask
        order = ChooseTarget(target=ask.targets[0]) if ask and ask.what == "target" else Go()
        play.accept(play.consider(order))
    return file_of(play)


def file_of(play: BeachPlay) -> list[bytes]:
    header = Header(game=GAME, title="Beach Head", started=AT)
    kept = [replace(codec.written(one), at=AT) for one in play.entries]
    return list(export(header, kept))


def fresh(revision: str = "today") -> Any:
    return BeachHeadGame(library.beach().ruleset, library.beach().book, revision)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, list):
        value = dict(enumerate(value))
    for key, one in value.items() if isinstance(value, dict) else ():
        yield from places(one, (*path, key))


def test_a_game_is_rebuilt_exactly() -> None:
    file = lines()
    found = rebuilt(file, fresh())
    assert found.trouble is None
    assert list(export(found.header, found.entries)) == file


@pytest.mark.parametrize("seed", range(60))
def test_whatever_stands_in_a_file_is_shown_or_refused_in_a_sentence(seed: int) -> None:
    """One value of one line is another; of the opening more often, since all follows from it."""
    chance, file = Random(seed), lines()
    at = 1 if seed % 3 == 0 else chance.randrange(2, len(file))
    line = json.loads(file[at])
    *path, last = chance.choice(list(places(line)))
    spot = line
    for key in path:
        spot = spot[key]
    spot[last] = chance.choice(JUNK)
    edited = [*file[:at], json.dumps(line).encode(), *file[at + 1 :]]
    try:
        found = rebuilt(edited, fresh())
    except BadExport as error:
        told: BadExport | None = error
    else:
        told = found.trouble
        assert headline(found.play.state)
        assert len(registry.load(GAME).phases(found.play).rows) == len(
            found.play.state.setup.ruleset.phase
        )
    assert told is None or told.line == at + 1 or at == 1


def test_a_card_that_the_manual_lacks_is_a_sentence() -> None:
    opened, *rest = lines()[1:]
    line = json.loads(opened)
    cards = line["events"][0]["setup"]["manual"]["card"]
    line["events"][0]["setup"]["manual"]["card"] = cards[:0]
    found = rebuilt([lines()[0], json.dumps(line).encode(), *rest], fresh())
    assert found.trouble is not None
    assert found.trouble.line == 3


def test_a_game_begun_under_the_old_sum_comes_back_with_the_result_it_recorded() -> None:
    """Version 1 lost a plus with the die it lay on, and own dice waited: both stand in its file."""
    table = at("lci", defences={"traps": 0}, hand="10S AS", version=1)
    setup = replace(table.state.setup, cards=Source("deck"))
    play = codec.play([opening(setup)])
    hand = cards("10S AS 2S 3S 4S 5S 6S")
    steps = [Go(), Draws(cards=hand), Go(), ShowDice(faces=(6,)), Go(), ShowDice(faces=(2, 2, 6))]
    for order in (*steps, PlayCard(card=hand[0]), PlayCard(card=hand[1]), Go()):
        play.accept(play.consider(order))
    assert play.state.squads == 2 + 1 + 6 - 1, "the Hero is lost"
    found = rebuilt(file_of(play), fresh())
    assert found.trouble is None
    assert found.play.state == play.state


# ------------------------------------------------------------------ what the file claims


def changed(at: int, change: Callable[[Any], None], revision: str = "today") -> list[bytes]:
    """The file with line ``at`` (0: the header) changed."""
    file = lines(revision=revision)
    line = json.loads(file[at])
    change(line)
    return [*file[:at], json.dumps(line).encode(), *file[at + 1 :]]


def first_of(file: list[bytes], kind: str) -> tuple[int, int]:
    """The line and the place in it of the first event of that kind."""
    for line, data in enumerate(file[1:], 1):
        for place, event in enumerate(json.loads(data)["events"]):
            if event["event"] == kind:
                return line, place
    raise LookupError(kind)


@pytest.mark.parametrize(
    ("kind", "path", "value"),
    [
        ("rolled", ("roll", "faces"), [6]),
        ("rolled", ("roll", "faces"), [9, 5, 1]),
        ("rolled", ("roll", "faces"), [6, 6, 6, 6]),
        ("settled", ("total",), 18),
        ("squads_landed", ("squads",), 80),
        ("drew", ("card",), [12, "H"]),
        ("begun", ("turn",), 2),
    ],
)
def test_an_entry_must_say_what_its_order_leads_to(kind: str, path: Any, value: Any) -> None:
    at, place = first_of(lines(), kind)

    def change(line: Any) -> None:
        spot = line["events"][place]
        *before, last = path
        for key in before:
            spot = spot[key]
        assert spot[last] != value
        spot[last] = value

    found = rebuilt(changed(at, change), fresh())
    says = f"entry {at} does not hold what its order leads to."
    assert str(found.trouble) == f"line {at + 1}: {says}"
    assert len(found.entries) == at - 1


def test_an_order_that_is_refused_is_not_taken() -> None:
    def change(line: Any) -> None:
        line["order"] = {"order": "give", "tank": "gun"}

    found = rebuilt(changed(5, change), fresh())
    assert found.trouble is not None
    refused = "entry 5 is an order that is refused: That is not asked now."
    assert found.trouble.message == refused


def test_an_entry_without_an_order_is_not_taken() -> None:
    found = rebuilt(changed(5, lambda line: line.update(order=None)), fresh())
    assert str(found.trouble) == "line 6: entry 5 has no order."


def test_no_entry_of_a_game_is_struck() -> None:
    def change(line: Any) -> None:
        line.update(kind="void", order=[3], events=[])

    found = rebuilt(changed(5, change), fresh())
    assert str(found.trouble) == "line 6: entry 5 makes others void; in Beach Head none can be."


def setup_of(line: Any) -> Any:
    return line["events"][0]["setup"]


OPENINGS: list[tuple[Callable[[Any], Any], str]] = [
    (
        lambda line: setup_of(line)["manual"]["defence"][-1].update(points=1),
        "its numbers are not those of Beach Head.",
    ),
    (
        lambda line: setup_of(line)["rulings"].update(B39="2d6"),
        "its rulings are not those that it names.",
    ),
    (
        lambda line: setup_of(line)["dice"].update(rolls=7),
        "its dice or cards were used before the game began.",
    ),
    (
        lambda line: setup_of(line)["cards"].update(gone=[[2, "S"]]),
        "its dice or cards were used before the game began.",
    ),
    (
        lambda line: line["events"].append({"event": "squads_landed", "squads": 40}),
        "entry 1 is not the opening of a game.",
    ),
]


@pytest.mark.parametrize(("change", "says"), OPENINGS)
def test_a_game_of_today_begins_as_todays_do(change: Any, says: str) -> None:
    with pytest.raises(BadExport) as error:
        rebuilt(changed(1, change), fresh())
    assert str(error.value) == f"line 2: {says}"


def test_a_game_of_other_numbers_goes_by_its_own() -> None:
    def change(line: Any) -> None:
        setup_of(line)["manual"]["defence"][-1]["name"] = "Strongpoints"

    found = rebuilt(changed(1, change, "older"), fresh())
    assert found.trouble is None
    assert found.play.state.setup.ruleset.defence[-1].name == "Strongpoints"


def test_numbers_beyond_reason_are_refused_in_any_game() -> None:
    def change(line: Any) -> None:
        setup_of(line)["manual"]["defence"][-1]["points"] = 6_000_000_000_000

    with pytest.raises(BadExport, match="numbers beyond 1000"):
        rebuilt(changed(1, change, "older"), fresh())


def test_a_game_in_which_nothing_is_ever_rolled_comes_to_an_end() -> None:
    def change(line: Any) -> None:
        manual = setup_of(line)["manual"]
        manual["phase"] = [{**phase, "from_turn": 900} for phase in manual["phase"]]
        setup_of(line)["cards"] = None

    found = rebuilt(changed(1, change, "older"), fresh())
    assert found.trouble is not None
    assert "nothing is rolled" in found.trouble.message


def test_taken_back_and_typed_dice_are_rebuilt_as_well() -> None:
    setup = library.beach().setup(dice=Source("die"), revision="today")
    play = codec.play([opening(setup)])
    play.accept(play.consider(Go()))
    for faces in ((3,), (2,)):
        play.accept(play.consider(ShowDice(faces=faces)))
        play.accept(play.possible("undo"))
    play.accept(play.possible("redo"))
    assert built_again(fresh(), play).state == play.state
