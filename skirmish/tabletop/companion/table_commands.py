"""The commands of every game at the table: they correct by hand what the program has of the table,
and follow flow charts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from skirmish.tabletop.commands import Command
from skirmish.tabletop.companion.asking import counter_options
from skirmish.tabletop.companion.counters import BACK, HIGHEST, Counter
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.table_orders import (
    CorrectCounter,
    FollowChart,
    JumpTo,
    PutBack,
    SetControl,
    SetTrack,
    WriteNote,
)
from skirmish.tabletop.companion.table_state import TableState
from skirmish.tabletop.slots import Choose, Number, Option, Slot, Words, choice_of

LONGEST_NOTE = 200
"""The most characters of a note."""
MOST_STEPS = 20
"""The most steps that a counter may be given by hand."""
CHART_ANSWERS = {"yes": ("y", "yes"), "no": ("n", "no"), "then": ("n", "done")}
"""The answers to boxes that ask and to boxes that say what to do, with the key and the word of
each."""

# ------------------------------------------------------------------ corrections


def jump_command(state: TableState) -> Command[Any]:
    """The command that goes to another phase of this turn."""
    options = []
    for index, phase_of_turn in enumerate(state.sequence.phases):
        options.append(Option(value=index, label=phase_of_turn.name))
    phase = Choose(name="phase", text="Which phase?", options=tuple(options))
    return _command("Go to a phase", "G", phase, make=JumpTo)


def track_command(state: TableState) -> Command[Any]:
    """The command that sets a track to the value that it has on the table."""
    tracks = state.tracks.values()
    names = [(track.id, track.name) for track in tracks]
    slot = choice_of("track", "Which track?", names)
    # The slot does not know which track is chosen, so it takes what any track could have. The event
    # stops at the end of the track.
    low, high = min(track.low for track in tracks), max(track.high for track in tracks)
    value = Number(name="value", text="To which value?", low=low, high=high)
    return _command("Set a track", "T", slot, value, make=SetTrack)


def put_back_command(cup: Cup) -> Command[Any]:
    """The command that puts a chit that was drawn back into its cup."""
    chits = choice_of("chit", "Which one goes back?", dict.fromkeys(cup.drawn))
    return _command(f"Put back into the {cup.id}", "U", chits, make=partial(PutBack, cup=cup.id))


def control_command(
    state: TableState, sides: Iterable[tuple[str, str]], place_noun: str
) -> Command[Any]:
    """The command that says who holds a place that counts, such as a victory hex: the side that was
    the last to pass through it."""
    names = dict(sides)
    place_noun = place_noun.lower()
    place = choice_of("place", f"Which {place_noun}?", state.control)
    side = choice_of("side", "Who passed through it last?", names.items())

    def set_control(place: str, side: str) -> SetControl:
        return SetControl(place=place, side=side, name=names[side])

    return Command(
        label=f"Who holds a {place_noun}",
        key="v",
        word=f"who holds a {place_noun}",
        slots=(place, side),
        make=set_control,
    )


def counter_commands(
    state: TableState,
    place: Slot,
    markers: Sequence[str],
    ratings: Sequence[str],
    letters: Mapping[str, str],
) -> Iterator[Command[Any]]:
    """The commands that set the steps, the place, the markers and the ratings of a counter as it is
    on the table. ``place`` asks where the counter is; ``letters``: by the id of a counter, empty if
    this game has none."""
    units = counter_options(state.counters, codes=letters or None)
    counter = Choose(name="counter", text="Which counter?", options=units)

    text = "How many steps are left? (0: it is gone)"
    steps = Number(name="steps", text=text, high=MOST_STEPS)
    yield _command("Set a unit's steps", "L", counter, steps, make=CorrectCounter)
    yield _command("Move a unit", "M", counter, place, make=CorrectCounter)
    if markers:
        marker = choice_of("marker", "Which marker, on or off?", markers)
        yield _command("Mark a unit", "K", counter, marker, make=CorrectCounter)
    # A rating is asked for by the name that it has on the front: the order finds the one on the
    # side that is up.
    fronts = [name for name in ratings if not name.endswith(BACK)]
    if fronts:
        rows = [(name, name.replace("_", " ")) for name in fronts]
        rating = choice_of("rating", "Which rating?", rows)
        value = Number(name="value", text="What is it, as the counter lies?", high=HIGHEST)
        yield _command("Set a rating", "E", counter, rating, value, make=CorrectCounter)


def note_command() -> Command[Any]:
    """The command that writes a note."""
    note = Words(name="text", text="What is to be remembered?", longest=LONGEST_NOTE)
    return _command("Note", "R", note, make=WriteNote)


def marking_command(
    state: TableState, units: Iterable[Counter], marker: str, *, label: str, key: str, nobody: str
) -> Command[Any]:
    """A command with this ``label`` and ``key`` that lists ``units``: the chosen one gets the
    marker, or loses it if it has it. ``nobody``: why the command cannot be given without units."""
    rows = counter_options(units, codes=state.counters.codes)
    text = f"{label}? A choice sets or removes “{marker}”."
    why_not = ""
    if not rows:
        why_not = nobody
    return Command(
        label=label,
        key=key,
        slots=(Choose(name="counter", text=text, options=rows),),
        why_not=why_not,
        group="The table",
        make=partial(CorrectCounter, marker=marker),
    )


# ------------------------------------------------------------------ flow charts


def chart_commands(state: TableState) -> Iterator[Command[Any]]:
    """The commands that open a flow chart and follow it box by box. While a question is open there
    are none."""
    if not state.charts or state.agenda:
        return
    titles = [(id, chart.title) for id, chart in state.charts.items()]
    slot = choice_of("chart", "Which chart?", titles)
    yield _command("Follow a chart", "w", slot, make=FollowChart, word="follow a chart")
    chart = state.open_chart
    if chart is None:
        return
    flow, box_id = chart.flow, chart.box_id
    answers = flow.answers(box_id)
    options = {}
    for id, node in flow.nodes.items():
        options[id] = Option(value=id, label=f"{id} {node.text}")
    if chart.box.may:
        # The printed arrow of this box is not known: the players choose among the boxes that may
        # follow.
        following = tuple(options[id] for id in answers)
        where = Choose(name="answer", text="Where does it go on?", options=following)
        yield _command(f"{box_id}: go on", "n", where, make=FollowChart, word="go on")
    else:
        for answer in answers:
            key, word = CHART_ANSWERS[answer]
            make = partial(FollowChart, answer=answer)
            yield _command(f"{box_id}: {word}", key, make=make, word=word)
    anywhere = Choose(name="answer", text="To which box?", options=tuple(options.values()))
    yield _command("Jump to a box", "j", anywhere, make=FollowChart)
    # Without a chart and an answer, the order closes the open chart.
    yield _command("Close the chart", "Y", make=FollowChart)


def _command(label: str, key: str, *slots: Slot, make: Any, word: str = "") -> Command[Any]:
    """A command in the group "The table". Its ``slots`` are called as the fields of the order that
    ``make`` makes."""
    return Command(label=label, key=key, slots=slots, make=make, word=word, group="The table")
