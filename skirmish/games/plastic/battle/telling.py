"""A battle in words: what each line of the journal says, and where a battle stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.agenda import OutcomeAsk
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.names import row_unit
from skirmish.games.plastic.battle.setup import Piece, Setup
from skirmish.games.plastic.battle.telling_fire import Words, losses, shots, volley_draws
from skirmish.games.plastic.rules.options import WORDS
from skirmish.games.plastic.rules.shot import run
from skirmish.tabletop.chance import Draw

PHASES = {1: "Movement", 2: "Defensive fire", 3: "Mover fights", 4: "Enemy fights"}
"""The four phases of a player turn ("Sequence of Play"): on screen, on paper, in the reference."""

_CHECKS = {
    "pin": "pin test",
    "command": "command check",
    "entrench": "digging check",
    "wire": "wire cutting",
}


def tell(events: Sequence[AnyEvent], setup: Setup, pieces: dict[str, Piece]) -> str:
    """What happened in one go, as one line; empty if there is nothing to tell.

    ``pieces`` are those that the opening did not know, by id. A chain of shots by one man is told
    once, with all its draws; losses are added up and stand at the end.
    """
    words = Words(setup, {**setup.by_id, **pieces})
    parts = [*_volley_anew(words, events)]
    fired: list[happened.Aimed | happened.Judged] = []
    lost: list[happened.Lost] = []
    left: list[happened.Exited] = []
    overruled, volley = "", bool(parts)
    as_ever = any(_ends_a_turn(event) for event in events)
    for event in events:
        match event:
            case happened.Aimed() | happened.Judged():
                fired.append(event)
                overruled = overruled or getattr(event, "overruled", "")
            case happened.Volleyed():
                overruled, volley = overruled or event.overruled, True
                parts += _fire(words, event)
            case happened.HitsCounted():
                parts += [volley_draws(fired), counted_words(event)]
                fired = []
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
            case happened.Recalled() | happened.Reread() if volley:
                pass  # its draws are told with the suits they had
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


def counted_words(event: happened.HitsCounted) -> str:
    """``Counted: 12 fired, 5 low enough (1 ace, 2 saved by cover).``"""
    saved = f"saved by {event.saved_by.replace('_', ' ')}" if event.saved_by else "black"
    ace = "ace" if event.aces == 1 else "aces"
    parts = ((event.aces, ace), (event.saved, saved), (event.broken, "broken down"))
    told = ", ".join(f"{count} {what}" for count, what in parts if count)
    more = f" ({told})" if told else ""
    return f"Counted: {len(event.pieces)} fired, {event.low} low enough{more}."


def _volley_anew(words: Words, events: Sequence[AnyEvent]) -> Iterator[str]:
    recalled = [event for event in events if isinstance(event, happened.Recalled)]
    if len(recalled) < 2:
        return
    yield "The whole volley judged again."
    if back := [piece for event in recalled for piece in event.back]:
        yield f"Back on the table: {words.counted(back)}."
    if taken := sum(len(event.chain) for event in recalled):
        yield f"Repeat shots taken back: {taken}."


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
            yield f"Breakdown draw {event.draw}: {'it breaks.' if event.broken else 'it holds.'}"
        case happened.Recalled():
            back = f" Back on the table: {words.counted(event.back)}." if event.back else ""
            stand = f" Check the {event.later} repeat shots after it." if event.later else ""
            if event.chain:
                stand = f" Repeat shots taken back: {len(event.chain)}."
            yield f"Judged again.{back}{stand}"
        case happened.Disarmed():
            yield f"{words.code(event.piece)} has lost a weapon."
        case happened.Turned():
            yield f"{words.code(event.piece)} fights on as {words.unit(event.unit).short}."


def _exits(words: Words, left: Sequence[happened.Exited]) -> str:
    """Everybody who left in one go, and what they count for together."""
    if not left:
        return ""
    value = sum(event.value for event in left)
    counts = f", counting {value}" if value else ""
    gone = [piece for event in left for piece in event.pieces]
    return f"Left the table: {words.counted(gone)}{counts}."


def _pieces(words: Words, event: AnyEvent) -> Iterator[str]:
    match event:
        case happened.Stood():
            yield f"{words.piece(event.piece)} is back."
        case happened.Added():
            why = f" {event.why}" if event.why else ""
            yield f"Added{why}: {words.counted([piece.id for piece in event.pieces])}."
        case happened.Loaded():
            yield f"Loaded into {words.piece(event.carrier)}: {words.counted(event.riders)}."
        case happened.Unloaded():
            yield f"Unloaded from {words.piece(event.carrier)}: {words.counted(event.riders)}."
        case happened.Entered():
            group = words.contingent(event.contingent)
            yield f"Reinforcements, {group}: {words.counted(event.pieces)}."
        case happened.Served():
            yield f"Served: {', '.join(map(words.code, event.pieces))}."
        case happened.Revealed():
            yield f"Revealed: {words.counted(event.pieces)}."


def _draws(words: Words, event: AnyEvent) -> Iterator[str]:
    match event:
        case happened.Checked():
            yield f"{words.of(event.side, _CHECKS[event.check])}. {event.explain}"
        case happened.PinMarked():
            unit = words.unit(row_unit(event.row)).short
            yield f"{unit}: {event.pins} pinned." if event.pins else f"{unit}: no longer pinned."
        case happened.Tabled():
            yield f"{words.of(event.side, f'draw {event.nth}')}. {event.explain}"
        case happened.Toggled():
            yield f"{event.name.capitalize()} {'begins' if event.on else 'ends'}."
        case happened.LotCast():
            drew = ", ".join(f"{words.people(side)} {draw}" for side, draw in event.draws.items())
            first = (
                "a tie, draw again" if event.first is None else f"{words.people(event.first)} first"
            )
            yield f"Draw for {event.lot}{'s' if event.lot == 'side' else ''}: {drew}; {first}."
        case happened.Reread():
            yield f"It was {_the(event.draw)}, not {_the(event.was)}."
        case happened.Shuffled():
            yield f"The {words.of(event.source, 'deck', starts=False)} is shuffled."


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
            yield f"{words.the_side(event.side)} seal a secret."
        case happened.Unsealed():
            yield f"{words.the_side(event.side)} reveal their secret: {event.text}"
        case happened.LevelSet():
            yield f"{words.people(event.side)}: {event.level} from now on."
        case happened.Commanded():
            who = event.player or "nobody named"
            yield f"{words.people(event.side)}: commanded by {who}."
        case happened.Switched():
            yield f"{WORDS[event.option]}: {'on' if event.on else 'off'}."
        case happened.QualitySet():
            quality = event.quality or "not played"
            yield f"{words.of(event.side, 'force quality')}: {quality}."


def _clock(words: Words, event: AnyEvent) -> Iterator[str]:
    match event:
        case happened.PhaseEnded():
            yield f"Phase {event.clock.phase}: {PHASES[event.clock.phase]}."
        case happened.TurnEnded():
            yield f"Turn {event.clock.turn}, {words.people(event.clock.side)} to move."
        case happened.ClockSet(clock=clock):
            moves = f"{words.people(clock.side)} to move"
            yield f"Clock set to turn {clock.turn}, {moves}, phase {clock.phase}."
        case happened.Finished():
            won = f"{words.the_side(event.winner)} win." if event.winner else "A draw."
            yield f"{won} {event.reason}"
        case happened.PlayedOn():
            yield "The players play on."
