"""The commands by which players enter what the program cannot see: divisions and chits, units, the
boards of beaches, light and weather, and the owner's card."""

from __future__ import annotations

from functools import partial

from skirmish.games.gts import state as gts_state
from skirmish.games.gts.commands.answers import CARD_GROUP, MUG_GROUP, Commands, count_slot, record
from skirmish.games.gts.events import BeachSet, ChitSet, DivisionSet
from skirmish.games.gts.orders import GtsRecord
from skirmish.games.gts.ruleset import ATTACHING_KINDS, Chit, ChitKind, Division, terrain_id
from skirmish.games.gts.state import LIGHTS, WEATHERS, GtsState
from skirmish.games.gts.units import TRAITS
from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion.asking import name_slot
from skirmish.tabletop.companion.counters import STEPLESS
from skirmish.tabletop.companion.new_counters import entering_command
from skirmish.tabletop.companion.typed_facts import ValuesTyped
from skirmish.tabletop.companion.typed_slots import card_commands, value_slot
from skirmish.tabletop.slots import Slot, choice_of, choice_of_names

# ------------------------------------------------------------------ divisions and chits


def division_and_chit_commands(state: GtsState) -> Commands:
    """Divisions and chits come into the game, and chits leave it."""
    # Most are entered in the steps of the first turn before its activations. Later the words would
    # only take room on the strip of keys; the keys still work. In the two steps at the end of that
    # turn the words are there again.
    division_word = chit_word = ""
    if state.position.turn == 1 and state.phase_id != "activations":
        division_word, chit_word = "new division", "new chit"
    side = choice_of("side", "Whose is it?", state.setup.sides)
    yield Command(
        label="Enter a division",
        key="D",
        group=MUG_GROUP,
        word=division_word,
        slots=(
            side,
            name_slot("name", "What is the division called?"),
            count_slot("command", "What is its command rating?"),
            count_slot("dispatch", "What is its dispatch rating?"),
            count_slot("cp", "How many CP does it have?", default=0),
            count_slot("dp", "How many DP does it have?", default=0),
        ),
        make=_division_record,
    )
    yield Command(
        label="Enter a chit",
        key="C",
        group=MUG_GROUP,
        word=chit_word,
        slots=partial(_chit_slots, state),
        make=partial(_chit_record, state),
    )
    why_not = ""
    if not state.chits:
        why_not = "No chit is entered yet."
    yield Command(
        label="Take a chit out of the game",
        key="X",
        group=MUG_GROUP,
        slots=(choice_of_names("name", "Which chit?", state.chits),),
        make=partial(_chit_gone_record, state),
        why_not=why_not,
    )


def _division_record(
    *, side: str, name: str, command: int, dispatch: int, cp: int, dp: int
) -> GtsRecord:
    division = Division(name=name, side=side, command=command, dispatch=dispatch, cp=cp, dp=dp)
    return record(DivisionSet(division=division))


def _chit_slots(state: GtsState, answers: Answers) -> tuple[Slot, ...]:
    """What is asked of a chit depends on its kind."""
    # The chit of a division comes into the game with the division.
    kinds = {id: rule.name for id, rule in state.rules.kinds.items() if id != "division"}
    which_kind = choice_of("kind", "What kind of chit is it?", kinds)
    kind = answers.get("kind")
    if kind in ATTACHING_KINDS:
        division = choice_of_names("division", "Of which division?", state.divisions)
        name = name_slot("name", "What is the formation called?")
        how_many = "How many white-striped units may its leader attach?"
        return (which_kind, division, name, count_slot("attach", how_many, default=0))
    which_name = "What is the chit called?"
    # These two belong to no side.
    if kind in ("naval", "events"):
        return (which_kind, name_slot("name", which_name, default=kind.capitalize()))
    side = choice_of("side", "Whose is it?", state.setup.sides)
    side_name = state.setup.sides.get(answers.get("side", ""))
    proposed = None
    if kind == "direct" and side_name is not None:
        proposed = f"Direct Command {side_name}"
    return (which_kind, side, name_slot("name", which_name, default=proposed))


def _chit_record(
    state: GtsState,
    *,
    kind: ChitKind,
    name: str,
    side: str = "",
    division: str = "",
    attach: int = 0,
) -> GtsRecord:
    chit = Chit(name=name, kind=kind, side=side, division=division, attach=attach)
    return record(ChitSet(chit=chit.completed_from(state.divisions.get(division))))


def _chit_gone_record(state: GtsState, name: str) -> GtsRecord:
    return record(ChitSet(chit=state.chits[name], gone=True))


# ------------------------------------------------------------------ units, the card, the map


def unit_and_card_commands(state: GtsState) -> Commands:
    """Units are entered, and what stands on the owner's card."""
    # A unit is stepless if it is entered with 0 steps, so that is no trait to choose.
    traits = [trait for trait in TRAITS if trait != STEPLESS]
    yield entering_command(
        state,
        state.setup.sides.items(),
        group_noun="division or formation",
        groups=partial(_groups_of_side, state),
        traits=traits,
        default_steps=2,
    )
    names = {id: value.name for id, value in state.rules.values.items()}
    yield from card_commands(state, names, record, CARD_GROUP)
    # Terrain has one modifier against armor (hard), and one against everything else.
    soft = value_slot("soft", "What does your card give?")
    hard = value_slot("hard", "Against armor?")
    yield Command(
        label="Type in a terrain",
        key="_",
        group=CARD_GROUP,
        make=_terrain_record,
        slots=(name_slot("name", "Which terrain?"), soft, hard),
    )


def _groups_of_side(state: GtsState, side: str) -> list[str]:
    """The divisions of a side, then their formations."""
    divisions = [name for name, division in state.divisions.items() if division.side == side]
    formations = [chit.group for chit in state.chits.values() if chit.division in divisions]
    return [*divisions, *formations]


def _terrain_record(*, name: str, soft: int, hard: int) -> GtsRecord:
    name = name.strip().lower()
    values = {terrain_id(name, armored=False): soft, terrain_id(name, armored=True): hard}
    return record(ValuesTyped(values=values))


def beach_command() -> Command[GtsRecord]:
    """The board of a landing beach is entered."""
    numbers = []
    for label in gts_state.BEACH_NUMBERS:
        numbers.append(count_slot(label, f"On which number is the marker of the {label}?"))
    return Command(
        label="Enter a beach",
        key="Z",
        group=CARD_GROUP,
        slots=(name_slot("name", "Which beach?"), *numbers),
        make=_beach_record,
    )


def _beach_record(name: str, **numbers: int) -> GtsRecord:
    return record(BeachSet(name=name, numbers=numbers))


def conditions_command() -> Command[GtsRecord]:
    """Light and weather are set."""
    keys = "dln"  # (d)ay, the (l)ast turn before night, (n)ight
    light = choice_of("light", "Day or night?", LIGHTS, keys=keys)
    weather = choice_of_names("weather", "What is the weather?", WEATHERS)
    return Command(
        label="Set night and weather",
        key="N",
        group=CARD_GROUP,
        slots=(light, weather),
        make=_conditions_record,
    )


def _conditions_record(*, light: gts_state.Light, weather: gts_state.Weather) -> GtsRecord:
    return record(gts_state.ConditionsSet(light=light, weather=weather))
