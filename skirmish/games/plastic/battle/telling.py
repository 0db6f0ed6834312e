"""A battle in words: what each line of the journal says, and where a battle stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.agenda import OutcomeAsk
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.setup import Piece, Setup
from skirmish.games.plastic.battle.telling_fire import Words, losses, shots, volley_draws
from skirmish.games.plastic.rules.options import WORDS
from skirmish.games.plastic.rules.shot import run
from skirmish.tabletop.chance import Draw

PHASES = {1: "Move", 2: "Defensive fire", 3: "Close fire", 4: "Close fire back"}
"""The four phases of a player turn ("Sequence of Play")."""

_CHECKS = {"pin": "Pin test", "command": "Command", "entrench": "Digging in", "wire": "Wire"}


def tell(events: Sequence[AnyEvent], setup: Setup, pieces: dict[str, Piece]) -> str:
    """What happened in one go, as one line; empty if there is nothing to tell.

    ``pieces`` are those that the opening did not know, by id. A chain of shots by one man is told
    once, with all its draws; losses are added up and stand at the end.
    """
    words = Words(setup, {**setup.by_id, **pieces})
    parts: list[str] = []
    fired: list[happened.Aimed | happened.Judged] = []
    lost: list[happened.Lost] = []
    left: list[happened.Exited] = []
    overruled, volley = "", False
    as_ever = any(_ends_a_turn(event) for event in events)
    for event in events:
        match event:
            case happened.Aimed() | happened.Judged():
                fired.append(event)
                overruled = overruled or getattr(event, "overruled", "")
            case happened.Volleyed():
                overruled, volley = overruled or event.overruled, True
                parts += _fire(words, event)
            case happened.Ceased():
                parts += [volley_draws(fired), *_fire(words, event)]
                fired, volley = [], False
            case happened.Lost():
                lost.append(event)
            case happened.Exited():
                left.append(event)
            case happened.Asked(ask=OutcomeAsk()):
                parts.append("The last turn is over.")
            case happened.Finished():
                parts += [shots(words, fired), losses(words, lost), _exits(words, left)]
                parts += _part(words, event)
                fired, lost, left = [], [], []
            case happened.Shuffled() if as_ever:  # every turn ends with it
                pass
            case happened.Laid(twice=twice) if twice:
                came = ", ".join(card.words.removeprefix("a ") for card in twice)
                parts.append(f"[The {came} had gone before: one of the two was mistyped.]")
            case happened.Held() | happened.Asked() | happened.Laid() | happened.Drawn():
                pass
            case _:
                parts += [shots(words, fired), *_part(words, event)]
                fired = []
    still = volley_draws(fired) if volley else shots(words, fired)
    parts = [*parts, still, losses(words, lost), _exits(words, left)]
    if overruled:
        parts.append(f"[Against the rules: {overruled}]")
    return " ".join(part for part in parts if part)


def not_fired(count: int) -> str:
    """Of those who were to fire in a volley."""
    return f"{count} had nobody left to shoot at and may still fire."


def _ends_a_turn(event: AnyEvent) -> bool:
    if isinstance(event, happened.Asked):
        return isinstance(event.ask, OutcomeAsk)
    return isinstance(event, happened.TurnEnded | happened.Finished)


def _part(words: Words, event: AnyEvent) -> Iterator[str]:
    """One event in words; each of the parts below knows some kinds."""
    for teller in (_fire, _pieces, _draws, _book, _clock):
        yield from teller(words, event)


def _fire(words: Words, event: AnyEvent) -> Iterator[str]:
    match event:
        case happened.Volleyed():
            who, whom = words.row(event.shooter, event.count), words.row(event.target, 1)
            yield f"Volley: {who} > {whom}, {event.reach} in reach, needs {run(event.needs)}."
        case happened.Ceased():
            yield f"{event.hits} hit{'' if event.hits == 1 else 's'}."
            if event.unused:
                yield not_fired(event.unused)
        case happened.Unread():
            yield f"Typed but not needed: {' '.join(map(str, event.draws))}."
        case happened.Tested():
            yield f"Breakdown draw {event.draw}: {'broken.' if event.broken else 'holds.'}"
        case happened.Recalled():
            back = f" {words.counted(event.back)} again up." if event.back else ""
            stand = f" Look at the {event.later} repeat shots after it." if event.later else ""
            yield f"Judged anew.{back}{stand}"
        case happened.Disarmed():
            yield f"{words.code(event.piece)} has lost a weapon."
        case happened.Turned():
            yield f"{words.code(event.piece)} fights on as {words.unit(event.unit).short}."


def _exits(words: Words, left: Sequence[happened.Exited]) -> str:
    """Everybody who left in one go, and what they count for together."""
    if not left:
        return ""
    value = sum(event.value for event in left)
    counts = f", counts {value}" if value else ""
    gone = [piece for event in left for piece in event.pieces]
    return f"Off the table: {words.counted(gone)}{counts}."


def _pieces(words: Words, event: AnyEvent) -> Iterator[str]:
    match event:
        case happened.Stood():
            yield f"{words.piece(event.piece)} stands again."
        case happened.Added():
            why = f" {event.why}" if event.why else ""
            yield f"New: {words.counted([piece.id for piece in event.pieces])}{why}."
        case happened.Loaded():
            yield f"{words.counted(event.riders)} into {words.piece(event.carrier)}."
        case happened.Unloaded():
            yield f"{words.counted(event.riders)} out of {words.piece(event.carrier)}."
        case happened.Entered():
            yield f"{words.contingent(event.contingent)} come on: {words.counted(event.pieces)}."
        case happened.Served():
            yield f"Served: {', '.join(map(words.code, event.pieces))}."
        case happened.Revealed():
            yield f"Shown: {words.counted(event.pieces)}."


def _draws(words: Words, event: AnyEvent) -> Iterator[str]:
    match event:
        case happened.Checked():
            yield f"{_CHECKS[event.check]}, {words.people(event.side)}. {event.explain}"
        case happened.Tabled():
            yield f"Draw {event.nth} of {words.people(event.side)}. {event.explain}"
        case happened.Toggled():
            yield f"{event.name.capitalize()} {'begins' if event.on else 'ends'}."
        case happened.LotCast():
            drew = ", ".join(f"{words.people(side)} {draw}" for side, draw in event.draws.items())
            first = "a tie, again" if event.first is None else f"{words.people(event.first)} first"
            yield f"Draw for {event.lot}{'s' if event.lot == 'side' else ''}: {drew}; {first}."
        case happened.Reread():
            yield f"It was {_the(event.draw)}, not {_the(event.was)}."
        case happened.Shuffled():
            yield f"{words.people(event.source)}: deck shuffled."


def _the(draw: Draw) -> str:
    return f"the {draw.words}" if draw.suit else draw.words


def _book(words: Words, event: AnyEvent) -> Iterator[str]:
    match event:
        case happened.Opened():
            yield f"{event.setup.title} begins."
        case happened.Counted():
            counts = ", ".join(f"{words.people(s)} {number}" for s, number in event.values.items())
            yield f"Counted: {counts}."
        case happened.Noted():
            yield f"Note: {event.text}"
        case happened.Overruled():
            yield f"[Against the rules: {event.says}]"
        case happened.Sealed():
            yield f"{words.people(event.side)} seal something."
        case happened.Unsealed():
            yield f"{words.people(event.side)} open what they sealed: {event.text}"
        case happened.LevelSet():
            yield f"{words.people(event.side)}: {event.level} from now on."
        case happened.Switched():
            yield f"{WORDS[event.option]}: {'on' if event.on else 'off'}."
        case happened.QualitySet():
            quality = event.quality or "not played"
            yield f"Force quality of {words.people(event.side)}: {quality}."


def _clock(words: Words, event: AnyEvent) -> Iterator[str]:
    match event:
        case happened.PhaseEnded():
            yield f"Phase {event.clock.phase}: {PHASES[event.clock.phase]}."
        case happened.TurnEnded():
            yield f"Turn {event.clock.turn}, {words.people(event.clock.side)} to move."
        case happened.ClockSet(clock=clock):
            people = words.people(clock.side)
            yield f"Clock set: turn {clock.turn}, {people}, phase {clock.phase}."
        case happened.Finished():
            won = f"Won by: {words.people(event.winner)}." if event.winner else "A draw."
            yield f"{won} {event.reason}"
        case happened.PlayedOn():
            yield "The players go on."
