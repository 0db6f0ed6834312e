"""The lines of a game that is set up: the beach, how the text is read, dice, cards, the player."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from skirmish.app.setup.chosen import line_of, value_of
from skirmish.app.setup.lines import Fold, Line, Pick, Typed
from skirmish.games.beach_head.manual import Manual
from skirmish.games.beach_head.readings import Readings, Ruling
from skirmish.games.beach_head.setup import Setup, Variant, prepared
from skirmish.tabletop.chance import Source
from skirmish.tabletop.typed import plain

GAME, TABLE = "THE GAME", "AT THE TABLE"
VARIANT, READING, SWITCHES, DICE, CARDS, PLAYER = (
    "variant", "reading", "switches", "dice", "cards", "player",
)  # fmt: skip
OWN = "own"
LONGEST_NAME = 20


def setup_lines(book: Readings) -> list[Line]:
    """All of them, as proposed."""
    gaps = [_gap(ruling) for ruling in book.rulings.values() if _is_switch(ruling)]
    return [
        Pick(
            id=VARIANT,
            label="Beach",
            topic=GAME,
            values=(("normandy", "Normandy"), ("omaha", "Omaha")),
            explained={
                "normandy": "A British or Canadian beach, with all four types of tanks.",
                "omaha": "The American beach: no funny tanks, and no anti-tank ditches.",
            },
        ),
        Pick(
            id=READING,
            label="Reading",
            topic=GAME,
            values=[*((one.id, one.name) for one in book.presets.values()), (OWN, "your own")],
            explained={one.id: one.about for one in book.presets.values()}
            | {OWN: "As set one by one below. High scores are kept for each reading."},
        ),
        Fold(
            id=SWITCHES,
            label="One by one",
            topic=GAME,
            meaning="The gaps in the rules, each with its rulings. If in doubt, leave them alone.",
        ),
        *gaps,
        Pick(
            id=DICE,
            label="Dice",
            topic=TABLE,
            values=(("program", "the program rolls"), ("own", "own dice, typed in")),
            explained={
                "program": "Space rolls the dice.",
                "own": "You roll and type what your dice show: 4, or 163 for three dice.",
            },
        ),
        Pick(
            id=CARDS,
            label="Cards",
            topic=TABLE,
            values=(
                ("program", "the program deals"),
                ("own", "own deck, typed in"),
                ("none", "without cards"),
            ),
            explained={
                "program": "A hand of up to seven cards, played by rank.",
                "own": "You draw from your own deck and type the ranks: 7 q 0 (a ten).",
                "none": "Dice alone: quicker, and far bloodier.",
            },
        ),
        Typed(
            id=PLAYER,
            label="Player",
            topic=TABLE,
            question="Which name goes into the high scores?",
            text="",
            proposal="",
            read=player_name,
            empty="none",
        ),
    ]


def _is_switch(ruling: Ruling) -> bool:
    return ruling.mode == "live" and len(ruling.answers) > 1


def _gap(ruling: Ruling) -> Pick:
    """A gap as a switch: its question with the answer in force, and how many others there are."""
    at = list(ruling.answers).index(ruling.default)
    return Pick(
        id=ruling.id,
        label=f"  {ruling.title}",
        topic=GAME,
        under=SWITCHES,
        values=tuple(ruling.answers.items()),
        at=at,
        proposed=at,
        meaning=f"{ruling.id}. {ruling.question}",
        explained={
            answer: f"{sentence}\n{_others(ruling, answer)}"
            for answer, sentence in ruling.answers.items()
        },
    )


def _others(ruling: Ruling, answer: str) -> str:
    others = [sentence for name, sentence in ruling.answers.items() if name != answer]
    return "Or: " + " Or: ".join(others)


def player_name(text: str) -> str:
    """A name as a line has room for it; raises ValueError for a longer one."""
    name = plain(text).strip()
    if len(name) > LONGEST_NAME:
        raise ValueError(f"A name has at most {LONGEST_NAME} characters; this one has {len(name)}.")
    return name


def follow(changed: Line, lines: Sequence[Line], book: Readings, step: int) -> None:
    """Switches follow the reading, and the reading the switches. ``step`` led to the new value."""
    reading = line_of(lines, READING)
    assert isinstance(reading, Pick)
    switches = [line for line in lines if isinstance(line, Pick) and line.under == SWITCHES]
    if changed is reading:
        if reading.value == OWN:  # it comes about by switches only
            reading.turn(step or 1)
        answers = book.answered(book.presets[reading.value].answers)
        for one in switches:
            one.choose(answers[one.id])
    elif changed in switches:
        named = book.named(answers_of(lines))
        reading.choose(named if named in book.presets else OWN)


def sum_up(lines: Sequence[Line]) -> None:
    """Let the fold say what is inside."""
    fold = line_of(lines, SWITCHES)
    assert isinstance(fold, Fold)
    inside = [one for one in lines if isinstance(one, Pick) and one.under == SWITCHES]
    others = [one.id for one in inside if not one.usual]
    fold.changed = bool(others)
    fold.summed = f"changed: {', '.join(others)}" if others else "every gap by its default"


def answers_of(lines: Sequence[Line]) -> dict[str, str]:
    """The rulings as the switches stand."""
    return {
        line.id: line.value for line in lines if isinstance(line, Pick) and line.under == SWITCHES
    }


def setup_of(
    lines: Sequence[Line], manual: Manual, book: Readings, seed: Callable[[], int]
) -> Setup:
    """The game as the lines have it."""
    dice, cards = value_of(lines, DICE), value_of(lines, CARDS)
    player = line_of(lines, PLAYER)
    variant: Variant = "omaha" if value_of(lines, VARIANT) == "omaha" else "normandy"
    deck = None
    if cards != "none":
        deck = Source("deck", seed() if cards == "program" else None)
    return prepared(
        manual,
        book,
        rulings=answers_of(lines),
        variant=variant,
        dice=Source("die", seed() if dice == "program" else None),
        cards=deck,
        player=player_name(player.text) if isinstance(player, Typed) else "",
    )
