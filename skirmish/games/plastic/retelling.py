"""A line of the journal, told again as a highlight: who fired at whom, and what came of it, in a
few short sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.names import piece_side, row_unit
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.pieces import Piece
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import ShotEvent, State
from skirmish.games.plastic.rules.catalog import UnitType, a_unit, listed, plural

_NOT_TOLD_AFTER_SHOT = (
    # The sentences about a shot already say these.
    ShotEvent,  # the base of ``Aimed``, ``Judged``, ``HitsCounted`` and ``Tested``
    happened.Volleyed,
    happened.Ceased,
    happened.Lost,
    happened.Recalled,
    happened.UnitChanged,
    # These are too small for a highlight.
    happened.Checked,
    happened.StepSkipped,
    happened.Reread,
    happened.DrawsUnused,
)
"""The events that need no sentence of their own after the sentences about a shot."""


def retold(events: Sequence[AnyEvent], state: State) -> str:
    """The events of a line in sentences; ``state`` is a later one, which knows all pieces."""
    fire_events = happened.Judged | happened.HitsCounted | happened.Volleyed
    if not any(isinstance(event, fire_events) for event in events):
        return narrate(events, state)
    sentences = list(_shot_sentences(events, state))
    others = [event for event in events if not isinstance(event, _NOT_TOLD_AFTER_SHOT)]
    rest = narrate(others, state)
    if rest:
        sentences.append(rest)
    return " ".join(sentences)


def _shot_sentences(events: Sequence[AnyEvent], state: State) -> Iterator[str]:
    """``Germans: Tank T1 fires its Cannon at a Cannon. The Poles lose Cannon C1.``"""
    shooters = _shooters(events, state)
    own, theirs = [], []
    for piece in _lost_pieces(events):
        if piece_side(piece) == shooters.side:
            own.append(piece)
        else:
            theirs.append(piece)
    yield f"{state.words.people(shooters.side)}: {shooters.who_fires} at {_target(events, state)}."
    if theirs:
        yield _lose(theirs, state)
    # A shooter who is lost by a breakdown has missed, too, but only the loss is mentioned.
    nobody_is_lost = not theirs and not own
    if nobody_is_lost:
        miss = "A miss."
        if shooters.are_several:
            miss = "They miss."
        yield miss
    for event in events:
        if isinstance(event, happened.Tested) and event.broken:
            yield "The weapon breaks down."
    if own:
        yield _lose(own, state)


def _lost_pieces(events: Sequence[AnyEvent]) -> list[str]:
    """The pieces lost, without those that a correction put back."""
    put_back: set[str] = set()
    for event in events:
        if isinstance(event, happened.Recalled):
            put_back.update(event.back)
    lost = [event.piece for event in events if isinstance(event, happened.Lost)]
    return [piece for piece in lost if piece not in put_back]


class _Shooters(NamedTuple):
    """Those who fired together, as a sentence begins with them."""

    who_fires: str
    """Who they are and that they fire: ``Tank T1 fires its Cannon``."""
    side: str
    are_several: bool
    """Whether the sentence is in the plural."""


def _shooters(events: Sequence[AnyEvent], state: State) -> _Shooters:
    """Who fired in these events: the volley says it, or else the single shots do."""
    for event in events:
        if isinstance(event, happened.Volleyed):
            return _shooters_of_volley(event, state)
    return _shooters_of_shots(events, state)


def _shooters_of_volley(volley: happened.Volleyed, state: State) -> _Shooters:
    """``3 Rifle Guys and 2 Machinegun Guys fire``, ``A Tank fires its Cannon``."""
    setup = state.setup
    first_squad = _first_squad(volley, state)
    if volley.more:
        squads = [first_squad]
        for squad in volley.more:
            counted_name = setup.unit(row_unit(squad.shooter)).named(squad.count)
            squads.append(f"{counted_name}{state.words.contingent_note(squad.shooter)}")
        return _Shooters(f"{listed(squads)} fire", volley.side, are_several=True)
    unit = setup.unit(row_unit(volley.shooter))
    are_several = volley.count > 1
    fires = _fires_weapon({volley.weapon}, unit, are_several, setup)
    return _Shooters(f"{first_squad} {fires}", volley.side, are_several)


def _first_squad(volley: happened.Volleyed, state: State) -> str:
    """Those of the row that a volley begins with: ``3 Rifle Guys``, ``A Tank``."""
    if volley.count > 1:
        return state.words.row(volley.shooter, volley.count)
    unit = state.setup.unit(row_unit(volley.shooter))
    return a_unit(unit.name, "A") + state.words.contingent_note(volley.shooter)


def _shooters_of_shots(events: Sequence[AnyEvent], state: State) -> _Shooters:
    """``Tank T1 fires its Cannon``: each shooter once, single shots before counted volleys."""
    single: list[str] = []
    counted: list[str] = []
    weapons = set()
    for event in events:
        if isinstance(event, happened.Judged):
            single.append(event.shot.piece)
            weapons.add(event.shot.weapon)
        elif isinstance(event, happened.HitsCounted):
            counted += event.pieces
            weapons.add(event.shot.weapon)
    pieces = list(dict.fromkeys((*single, *counted)))
    are_several = len(pieces) > 1
    first = pieces[0]  # all are of one side, and its unit is taken for that of all
    unit = state.setup.unit(state.piece(first).unit)
    fires = _fires_weapon(weapons, unit, are_several, state.setup)
    return _Shooters(f"{_named(pieces, state)} {fires}", piece_side(first), are_several)


def _fires_weapon(weapons: Set[str], unit: UnitType, are_several: bool, setup: Setup) -> str:
    """``fires its Cannon``, ``fire their Cannon``; without the weapon if there are several, or if
    the unit is named after it."""
    fires, its = "fires", "its"
    if are_several:
        fires, its = "fire", "their"
    names = {setup.catalog.weapons[weapon].name for weapon in weapons}
    if len(names) > 1:
        return fires
    name = names.pop()
    if name in (unit.short, plural(unit.short)):
        return fires
    return f"{fires} {its} {name}"


def _target(events: Sequence[AnyEvent], state: State) -> str:
    """Who was fired at: ``a Cannon and Rifle Guys (Rearguard)``, each name once."""
    rows = []
    for event in events:
        if isinstance(event, happened.Volleyed):
            rows.append(event.target)
        elif isinstance(event, happened.Judged | happened.HitsCounted):
            rows.append(event.shot.target)
    names = []
    for row in rows:
        unit = state.setup.unit(row_unit(row))
        name = a_unit(unit.name)
        if unit.is_guy:
            name = plural(unit.name)
        names.append(f"{name}{state.words.contingent_note(row)}")
    return listed(list(dict.fromkeys(names)))


def _lose(pieces: Sequence[str], state: State) -> str:
    """``The Poles lose Cannon C1.``, of pieces of one side."""
    lose = state.setup.does(piece_side(pieces[0]), "lose", "loses", article="The")
    return f"{lose} {_named(pieces, state)}."


def _named(pieces: Sequence[str], state: State) -> str:
    """``Truck K1 and 10 Rifle Guys (Rearguard)``: a single piece of a unit with its code, several
    with their number and, where that is needed to tell them apart, their contingent."""
    words = state.words
    alike: dict[tuple[str, str], list[Piece]] = {}
    for piece in map(state.piece, pieces):
        note = words.contingent_note(words.row_of(piece.id))
        alike.setdefault((piece.unit, note), []).append(piece)
    names = []
    for (unit_id, note), pieces_alike in alike.items():
        unit = state.setup.unit(unit_id)
        if len(pieces_alike) > 1:
            names.append(f"{unit.named(len(pieces_alike))}{note}")
        else:
            names.append(f"{unit.short} {pieces_alike[0].code}")
    return listed(names)
