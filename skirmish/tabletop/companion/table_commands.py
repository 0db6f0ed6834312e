"""The commands of every game at the table: they correct by hand what the program has of the table,
and follow flow charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from skirmish.tabletop.commands import Command
from skirmish.tabletop.companion.asking import LabelledId, counter_options
from skirmish.tabletop.companion.counters import BACK, HIGHEST_RATING, MOST_STEPS, Counter
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.flow import OpenChart
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
from skirmish.tabletop.slots import Choose, Number, Option, Slot, Words, choice_of, choice_of_names

LONGEST_NOTE = 200
"""The most characters of a note."""


class _ChartAnswer(NamedTuple):
    """How an answer to a box is given: its key, and its word on the strip of keys."""

    key: str
    word: str


_CHART_ANSWERS = {
    "yes": _ChartAnswer("y", "yes"),
    "no": _ChartAnswer("n", "no"),
    # The n stands for "next" here: no box has both this answer and "no".
    "then": _ChartAnswer("n", "done"),
}
"""The answers to boxes that ask, and to boxes that say what to do."""

# ------------------------------------------------------------------ corrections


def jump_command(state: TableState) -> Command[Any]:
    """The command that goes to another phase of this turn."""
    options = []
    for index, phase in enumerate(state.sequence.phases):
        options.append(Option(value=index, label=phase.name))
    which_phase = Choose(name="phase", text="Which phase?", options=tuple(options))
    return _command("Go to a phase", "G", which_phase, make=JumpTo)


def track_command(state: TableState) -> Command[Any]:
    """The command that sets a track to the value that it has on the table."""
    tracks = state.tracks.values()
    names = {track.id: track.name for track in tracks}
    which_track = choice_of("track", "Which track?", names)
    # The question for the value does not depend on the track that is chosen, so it accepts what any
    # of them could have. The event stops at the end of the track.
    lowest = min(track.low for track in tracks)
    highest = max(track.high for track in tracks)
    value = Number(name="value", text="To which value?", low=lowest, high=highest)
    return _command("Set a track", "T", which_track, value, make=SetTrack)


def put_back_command(cup: Cup) -> Command[Any]:
    """The command that puts a chit that was drawn back into its cup."""
    kinds_of_chits = dict.fromkeys(cup.drawn)  # each kind once
    chits = choice_of_names("chit", "Which one goes back?", kinds_of_chits)
    return _command(f"Put back into the {cup.id}", "U", chits, make=partial(PutBack, cup=cup.id))


def control_command(
    state: TableState, sides: Iterable[LabelledId], place_noun: str
) -> Command[Any]:
    """The command that says who holds a place that counts, such as a victory hex: the side that was
    the last to pass through it. It has no heading of its own, and so stands among the commands of
    the turn, not with the corrections."""
    names = dict(sides)
    place_noun = place_noun.lower()
    place = choice_of_names("place", f"Which {place_noun}?", state.control)
    side = choice_of("side", "Who passed through it last?", names)

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
    on the table. ``place`` asks where the counter is; ``letters`` are those that choose each
    counter, by its id, and empty if this game has none."""
    options = counter_options(state.counters, letters=letters)
    counter = Choose(name="counter", text="Which counter?", options=options)

    text = "How many steps are left? (0: it is gone)"
    steps = Number(name="steps", text=text, high=MOST_STEPS)
    yield _command("Set a unit's steps", "L", counter, steps, make=CorrectCounter)
    yield _command("Move a unit", "M", counter, place, make=CorrectCounter)
    if markers:
        marker = choice_of_names("marker", "Which marker, on or off?", markers)
        yield _command("Mark a unit", "K", counter, marker, make=CorrectCounter)
    # A rating is asked for by the name that it has on the front: the order finds the one on the
    # side that is up.
    fronts = [name for name in ratings if not name.endswith(BACK)]
    if fronts:
        labels = {name: name.replace("_", " ") for name in fronts}
        rating = choice_of("rating", "Which rating?", labels)
        value = Number(name="value", text="What is it, as the counter lies?", high=HIGHEST_RATING)
        yield _command("Set a rating", "E", counter, rating, value, make=CorrectCounter)


def note_command() -> Command[Any]:
    """The command that writes a note."""
    note = Words(name="text", text="What is to be remembered?", longest=LONGEST_NOTE)
    return _command("Note", "R", note, make=WriteNote)


def marking_command(
    state: TableState, units: Iterable[Counter], marker: str, *, label: str, key: str, nobody: str
) -> Command[Any]:
    """A command with this ``label`` and ``key`` that lists ``units`` by their letters: the chosen
    one gets the marker, or loses it if it has it. ``nobody``: why the command cannot be given
    without units."""
    options = counter_options(units, letters=state.counters.codes)
    text = f"{label}? A choice sets or removes “{marker}”."
    why_not = ""
    if not options:
        why_not = nobody
    return Command(
        label=label,
        key=key,
        slots=(Choose(name="counter", text=text, options=options),),
        why_not=why_not,
        group="The table",
        make=partial(CorrectCounter, marker=marker),
    )


# ------------------------------------------------------------------ flow charts


def chart_commands(state: TableState) -> Iterator[Command[Any]]:
    """The commands that open a flow chart and follow the open one. While a question is open there
    are none."""
    if not state.charts or state.agenda:
        return
    titles = {id: chart.title for id, chart in state.charts.items()}
    which_chart = choice_of("chart", "Which chart?", titles)
    yield _command("Follow a chart", "w", which_chart, make=FollowChart, word="follow a chart")
    if state.open_chart is not None:
        yield from _open_chart_commands(state.open_chart)


def _open_chart_commands(chart: OpenChart) -> Iterator[Command[Any]]:
    """The commands that answer the present box, jump to another one, or close the chart."""
    flow, box_id = chart.flow, chart.box_id
    answers = flow.answers(box_id)
    box_options = {}
    for id, node in flow.nodes.items():
        box_options[id] = Option(value=id, label=f"{id} {node.text}")
    if chart.box.may:
        # The printed arrow of this box is not known: the players choose among the boxes that may
        # follow.
        following = tuple(box_options[id] for id in answers)
        next_box = Choose(name="answer", text="Where does it go on?", options=following)
        yield _command(f"{box_id}: go on", "n", next_box, make=FollowChart, word="go on")
    else:
        for answer in answers:
            key, word = _CHART_ANSWERS[answer]
            make = partial(FollowChart, answer=answer)
            yield _command(f"{box_id}: {word}", key, make=make, word=word)
    all_boxes = tuple(box_options.values())
    any_box = Choose(name="answer", text="To which box?", options=all_boxes)
    yield _command("Jump to a box", "j", any_box, make=FollowChart)
    # Without a chart and an answer, the order closes the open chart.
    yield _command("Close the chart", "Y", make=FollowChart)


def _command(
    label: str, key: str, *slots: Slot, make: Callable[..., Any], word: str = ""
) -> Command[Any]:
    """A command in the group "The table". Its ``slots`` have the names of fields of the order that
    ``make`` returns."""
    return Command(label=label, key=key, slots=slots, make=make, word=word, group="The table")
