"""The lines that every battle has before it begins: who draws how, which rules, which rulings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from skirmish.app.setup.lines import Fold, Line, Pick, Typed
from skirmish.app.setup.usual import AS_LIKED, LEDGER, USUAL_DRAWS, draws_liked
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.options import EVERYTHING, FIRST_GAME, WORDS, Options
from skirmish.store.settings import Settings
from skirmish.tabletop.typed import plain

FORCES, SIDES, RULES, RULINGS = (
    "FORCES",
    "SIDES",
    "OPTIONAL RULES",
    "RULINGS WHERE THE RULES ARE SILENT",
)
DRAWS = (
    ("deck", "the program draws cards"),
    ("die", "the program rolls a d12"),
    ("own_deck", "your own cards, typed in"),
    ("own_die", "your own d12, typed in"),
    (LEDGER, "only losses are recorded"),
)
DRAWS_MEAN = {
    "deck": "You move and say who fires at whom. The program draws and explains the result.",
    "die": "As above, with a d12 instead of cards.",
    "own_deck": "You draw from your own deck and type the card. The program works out the result.",
    "own_die": "You roll your own d12 and type the roll. The program works out the result.",
    LEDGER: "You resolve fire yourselves. The program records only losses and turns.",
}
NO_QUALITY = "none"
PRESET, SWITCHES, RULINGS_FOLD = "preset", "switches", "rulings"
OWN = "own"
SWITCH = "option:"
LONGEST_NAME = 20


def side_lines(
    side: str,
    people: str,
    catalog: Catalog,
    liked: Settings,
    *,
    cards_only: bool = False,
    as_army: bool = False,
) -> list[Line]:
    """Who draws for a side, as ``liked``, and how steady its troops are. ``as_army``: its list may
    say that."""
    draws = [one for one in DRAWS if not (cards_only and one[0].endswith("die"))]
    usual = draws_liked(liked, cards_only=cards_only)
    at = [name for name, _ in draws].index(usual)
    qualities = [(NO_QUALITY, "none"), *((q.id, q.name) for q in catalog.qualities.values())]
    if as_army:
        qualities.insert(0, ("", "as in the army list"))
    return [
        Pick(
            id=f"draws:{side}",
            label=f"{people}: who draws",
            topic=SIDES,
            values=draws,
            at=at,
            proposed=at,
            meaning="You can change this during the battle.",
            explained=DRAWS_MEAN if usual == USUAL_DRAWS else _with_reason(usual),
        ),
        Pick(
            id=f"quality:{side}",
            label=f"{people}: force quality",
            topic=SIDES,
            values=qualities,
            meaning="How steady the troops are, if you play with force quality.",
            explained={q.id: _steady(q.movement_ends_from) for q in catalog.qualities.values()},
        ),
        Typed(
            id=f"player:{side}",
            label=f"{people}: commanded by",
            topic=SIDES,
            question=f"Who commands {people}?",
            text="",
            proposal="",
            empty="no name",
            read=player_name,
        ),
    ]


def _with_reason(liked: str) -> dict[str, str]:
    """What each way to draw means, and of one that the settings propose it."""
    return DRAWS_MEAN | {liked: f"{DRAWS_MEAN[liked]} {AS_LIKED}"}


def player_name(text: str) -> str:
    """A player's name; raises ValueError for one that no title has room for."""
    name = plain(text).strip()
    if len(name) > LONGEST_NAME:
        raise ValueError(
            f"A name may have at most {LONGEST_NAME} letters; this one has {len(name)}."
        )
    return name


def option_lines(usual: str) -> list[Line]:
    """A line for three ways to play, and a switch for each optional rule; ``usual`` is what the
    middle way is called."""
    presets = (
        ("first_game", "first game"),
        ("usual", usual),
        ("everything", "all optional rules"),
        (OWN, "your own choice"),
    )
    explained = {
        "first_game": "Only moving, firing and counting. Good with children.",
        "usual": "What the lists need, hull down and rear armor. No pinning or nationalities.",
        "everything": "All of them. Choose the force quality of each side above.",
        OWN: "As set below, one by one.",
    }
    lines: list[Line] = [
        Pick(
            id=PRESET,
            label="Play with",
            topic=RULES,
            values=presets,
            at=1,
            proposed=1,
            explained=explained,
        ),
        Fold(
            id=SWITCHES,
            label="One by one",
            topic=RULES,
            meaning="Switch each optional rule on or off. You can also do so during the battle.",
        ),
    ]
    for name, words in WORDS.items():
        on = int(getattr(Options(), name))
        lines.append(
            Pick(
                id=SWITCH + name,
                label=f"  {words}",
                topic=RULES,
                under=SWITCHES,
                values=(("no", "off"), ("yes", "on")),
                at=on,
                proposed=on,
                meaning=MEANS[name],
            )
        )
    return lines


MEANS = {
    "pinning": "Guys under machine-gun fire may be pinned: they draw, and pinned guys stay put.",
    "nationalities": "Most nations have a trait. Armies bought with a nation always have it.",
    "hull_down": "Some hits miss a model that stands behind a rise.",
    "rear_armor": "Tanks are weaker from behind.",
    "entrenching": "Guys may dig in during the battle.",
    "snipers": "Snipers choose their target. If off, leave them in the box.",
}
"""Each optional rule in a sentence."""


def options_of(lines: Iterable[Line]) -> Options:
    """The optional rules as the switches stand."""
    switches = {line.id: line.value == "yes" for line in lines if isinstance(line, Pick)}
    return Options(**{name: switches[SWITCH + name] for name in WORDS})


def follow(changed: Pick, lines: Sequence[Line], step: int) -> None:
    """Switches follow the preset, and the preset the switches. ``step`` led to the new value."""
    picks = {line.id: line for line in lines if isinstance(line, Pick)}
    preset = picks[PRESET]
    if changed is preset:
        if preset.value == OWN:  # it comes about by switches only
            preset.turn(step or 1)
        for name in WORDS:
            picks[SWITCH + name].at = int(getattr(_PRESETS[preset.value], name))
    else:
        now = options_of(lines)
        preset.choose(next((name for name, one in _PRESETS.items() if one == now), OWN))


_PRESETS = {"first_game": FIRST_GAME, "usual": Options(), "everything": EVERYTHING}


def sum_up(lines: Sequence[Line]) -> None:
    """Let each fold say what is inside."""
    picks = [line for line in lines if isinstance(line, Pick)]
    for fold in lines:
        if not isinstance(fold, Fold):
            continue
        inside = [pick for pick in picks if pick.under == fold.id]
        changed = [pick for pick in inside if not pick.usual]
        fold.changed = bool(changed)
        if fold.id == SWITCHES:
            on = [WORDS[p.id.removeprefix(SWITCH)].lower() for p in inside if p.value == "yes"]
            fold.summed = ", ".join(on) or "none"
        else:
            fold.summed = f"{len(changed)} changed" if changed else "defaults"


def _steady(ends_from: int | None) -> str:
    if ends_from is None:
        return "Nothing stops their movement."
    return f"Each group that moves draws a card: {ends_from} or higher ends its side's movement."
