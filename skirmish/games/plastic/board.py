"""The present state of a battle in words: its rows, riders and conditions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from skirmish.games.plastic.battle.agenda import CheckKind, DrawAsk
from skirmish.games.plastic.battle.events import (
    Added,
    Aimed,
    AnyEvent,
    Ceased,
    Checked,
    HitsCounted,
    Judged,
    LotCast,
    Recalled,
    Shuffled,
    Tabled,
    Tested,
    TurnEnded,
    Volleyed,
)
from skirmish.games.plastic.battle.lines import BattleLine, known_next, lines
from skirmish.games.plastic.battle.names import piece_code, weapon_slot
from skirmish.games.plastic.battle.opening import deployment_now
from skirmish.games.plastic.battle.orders.draws import limits_now, reveal_text
from skirmish.games.plastic.battle.orders.resolution import waiting_for
from skirmish.games.plastic.battle.orders.turn import servable, waves
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, break_at, find, row_of, rows, side_strength
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.victory import VictoryStatus
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.rules.shot import CLOSE_PHASES, without_draw
from skirmish.tabletop.chance import spell
from skirmish.tabletop.game import Verdict
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import (
    Block,
    Heading,
    Items,
    Page,
    Paragraph,
    Table,
    Tone,
    table,
    without_empty_columns,
)


def inside_words(state: State, carrier: str) -> str:
    """``10r 2m``: the known riders of a model, by the letters of their rows."""
    counts: dict[str, int] = {}
    for rider in state.riders_of(carrier):
        row = find(state, row_of(state, rider))
        letter = row.letter if row else "?"
        counts[letter] = counts.get(letter, 0) + 1
    return " ".join(f"{count}{letter}" for letter, count in counts.items())


def condition(state: State, piece: str) -> str:
    """A model's differences from others of its row: riders and damage."""
    parts = []
    if riders := inside_words(state, piece):
        parts.append(riders)
    elif state.unit(piece).seats:
        parts.append("empty" if piece in state.recorded else "load unknown")
    if piece in state.unserved:
        parts.append("not served")
    if any(weapon_slot(piece, slot) in state.disarmed for slot in range(2)):
        parts.append("disarmed")
    return ", ".join(parts) or "undamaged"


def status(state: State, row: Row, room: int = 400) -> str:
    """The important facts about a row in at most ``room`` columns, the most important first."""
    shown = ""
    for part in _parts(state, row, room):
        short = f"{len(row.aboard)} aboard" if " aboard " in part else part
        for words in (part, short):  # where they sit is shown if there is room
            longer = f"{shown}, {words}" if shown else words
            if len(longer) <= room:
                shown = longer
                break
    return shown


def _parts(state: State, row: Row, room: int) -> Iterator[str]:
    unserved = [piece for piece in row.here if piece in state.unserved]
    if unserved:
        yield f"{len(row.here) - len(unserved)} of {len(row.here)} fuelled"
        return
    if row.waiting:
        yield f"{len(row.waiting)} to arrive"
    if row.hidden:  # before all else: who is not there cannot be ready
        yield f"{len(row.hidden)} hidden"
    if row.pinned:
        yield "PINNED" if row.pinned == 1 else f"{row.pinned} PINNED"
    inside = _inside(state, row, room)
    if inside:
        yield inside
    if not row.weapons:
        yield from () if inside else ("unarmed",)
    elif row.ready_count == len(row.here):
        yield "ready"
    elif row.ready_count:
        yield f"{row.ready_count} ready"
    elif not row.aboard or len(row.aboard) < len(row.here):
        yield "fired"
    if row.aboard:
        riding = Counter(state.aboard[piece] for piece in row.aboard)
        carriers = dict.fromkeys(state.aboard.values())  # in the same order for every row
        yield ", ".join(
            f"{riding[one]} aboard {piece_code(one)}" for one in carriers if riding[one]
        )
    if row.exited:
        yield f"{row.exited} exited"


def _inside(state: State, row: Row, room: int) -> str:
    if not row.unit.seats:
        return ""
    loaded = [piece for piece in row.here if state.riders_of(piece)]
    if not loaded:
        return "empty" if all(piece in state.recorded for piece in row.here) else ""
    each = ", ".join(f"{piece_code(p)} {inside_words(state, p)}" for p in loaded)
    if len(row.here) == 1:
        each = inside_words(state, loaded[0])
    if len(each) <= room:
        return each
    return f"{sum(len(state.riders_of(piece)) for piece in loaded)} aboard"


# ------------------------------------------------------------------ the whole board


def board(state: State, statuses: Sequence[VictoryStatus]) -> Page:
    """The clock, the firing side, and both forces by block and row with their victory status.
    ``statuses`` are those the viewer may see."""
    return Page(state.setup.title, (*clock_lines(state), *both_forces(state, statuses)))


def both_forces(state: State, statuses: Sequence[VictoryStatus]) -> Iterator[Block]:
    """The board without the clock."""
    yield from forces(state, statuses)
    yield Paragraph(state.setup.victory, lead="Victory:")


def clock_lines(state: State) -> Iterator[Paragraph]:
    """Turn, phase, firing side and open question; after the end, the winner."""
    people = {side.id: side.people for side in state.setup.sides}
    if state.outcome:
        won = f"{people[state.outcome.winner]} win" if state.outcome.winner else "A draw"
        yield Paragraph(f"The battle is over. {won}. {state.outcome.reason}")
        return
    clock, phase = state.clock, PHASES[state.clock.phase]
    yield Paragraph(
        f"Turn {clock.turn}, {people[clock.side]} to move, phase {clock.phase}: {phase}."
    )
    at = f" at anyone who moves more than {inches(2)}" if clock.phase == 1 else ""
    touching = " in contact only" if clock.phase in CLOSE_PHASES else ""
    over = " Movement is over." if state.movement_over else ""
    flags = "".join(f" {name.capitalize()} covers the table." for name in sorted(state.toggled))
    yield Paragraph(f"{people[state.firing_side]} fire{at}{touching}.{over}{flags}")
    refusal = waiting_for(state)
    if refusal:
        yield Paragraph(refusal.message)


def forces(state: State, statuses: Sequence[VictoryStatus]) -> Iterator[Block]:
    known = {one.side: one for one in statuses}
    for party, side in enumerate(state.setup.sides):
        player = f" ({side.player})" if side.player else ""
        yield Heading(f"{side.people}{player}", 3, party=0 if party == 0 else 1)
        yield Items(tuple(_status_lines(state, side.id, known.get(side.id))))
        yield from _rows(state, side.id)


def _status_lines(state: State, side: str, status: VictoryStatus | None) -> Iterator[str]:
    lost, whole = state.loss.get(side, 0), side_strength(state, side)
    beaten = break_at(state, side)
    yield f"{lost} of {whole} strength lost{f', break point {beaten}' if beaten else ''}."
    if status:
        yield f"{state.setup.side_by_id[side].people} {status.text}."
        if not status.can_win:
            yield f"{state.setup.the(side, 'The')} can no longer win."
    level, source = state.levels[side], state.sources[state.source_of(side)]
    does = "the program" if level == "referee" else "the player"
    if level == "ledger":
        yield "Ledger: losses and the clock only."
    elif source.kind == "die":
        yield f"{level.capitalize()}: {does} rolls a die."
    else:
        yield f"{level.capitalize()}: {does} draws; {source.left(DECK)} cards left."
    works = state.setup.catalog.works
    if left := [
        works[work].named(count) if work in works else f"{count} {work}"
        for work, count in state.works.get(side, {}).items()
    ]:
        yield f"{', '.join(left)}."


def _rows(state: State, side: str) -> Iterator[Table]:
    found = rows(state, side)
    cells = [
        (row.letter, row.unit.name, f"{len(row.alive)} of {row.total}", note(state, row),
         row.contingent.name)
        for row in found
    ]  # fmt: skip
    spared = ["Notes"] if len({row.contingent.id for row in found}) > 1 else ["Notes", "Group"]
    if "Group" in spared:
        cells = [(*one[:4], "") for one in cells]
    if cells:
        titles = ("", "Unit", "Left", "Notes", "Group")
        yield without_empty_columns(table(titles, cells, numbers=(2,)), spared)


def note(state: State, row: Row) -> str:
    """The exceptions: who cannot fire, who is where."""
    if not row.alive:
        return f"{row.exited} exited" if row.exited else "all lost"
    if not row.here:
        return f"arrive turn {row.contingent.enters}"
    parts = [part for part in status(state, row).split(", ") if part not in ("ready", "unarmed")]
    return ", ".join(parts)


def victory(state: State, statuses: Sequence[VictoryStatus]) -> Iterator[Paragraph]:
    """Each side's goal and progress, including break points, until the battle is over."""
    if state.outcome is not None:
        return
    for one in statuses:
        if not one.can_win:  # in a line of its own, which nothing can push off the screen
            yield Paragraph(f"{state.setup.the(one.side, 'The')} can no longer win.", tone="bad")
    for one in statuses:
        if one.text:
            yield Paragraph(f"{one.text}.", lead=state.setup.side_by_id[one.side].people)


def moment(state: State) -> Iterator[Paragraph]:
    moves = state.setup.does(state.mover, "move", "moves", "The")
    other = state.setup.the(state.firing_side, "The")
    if state.outcome is not None:
        return
    if state.clock.phase == 1 and state.movement_over:
        yield Paragraph(state.setup.moves_no_more(state.mover))
    elif state.clock.phase == 1:
        text = f"{moves} now. {other} may fire at anyone who moves more than {inches(2)}."
        yield Paragraph(text)
    elif state.clock.phase in CLOSE_PHASES:
        yield Paragraph("Only units in contact with the enemy may fight now.")
    for name in sorted(state.toggled):
        yield Paragraph(f"{name.capitalize()} covers the table.")


# ------------------------------------------------------------------ what is due


def due(play: BattlePlay) -> Iterator[Paragraph]:
    """Everything due now, the most pressing first; without victory."""
    state, events = play.state, last_events(play)
    if state.outcome is not None:
        return
    yield from _seen_again(play)
    yield from _shuffle(state, events)
    yield from _tables(state, events)
    yield from _lots(state, events)
    yield from _toggled(state)
    yield from _waves(state, now=True)
    if found := servable(state):
        yield Paragraph(f"{found} can be served now: press S, then the letter", lead="S")
    yield from _waves(state, now=False)
    yield from _limits(state)
    if text := reveal_text(state):
        yield Paragraph(text, lead="R" if state.hidden else "", tone="quiet")
    yield from _set_up(play)


def coming(state: State) -> Iterator[Paragraph]:
    """Current states and reinforcements, for spectators: without the players' keys."""
    if state.outcome is None:
        yield from _toggled(state)
        yield from _waves(state, now=True, keys=False)
        yield from _waves(state, now=False)


def _toggled(state: State) -> Iterator[Paragraph]:
    for card, kind in state.setup.toggling.items():
        if kind.state in state.toggled:
            text = f"nobody sees beyond {inches(kind.sight_in)}; the next {card.words} ends it."
            yield Paragraph(text, lead=f"{kind.state.upper()}:", tone="bad")


def agreed(state: State) -> Iterator[Paragraph]:
    for key, answer in state.setup.answers.items():
        if isinstance(answer, str):
            yield Paragraph(answer, lead=f"{key.replace('_', ' ').capitalize()}:")


def _seen_again(play: BattlePlay) -> Iterator[Paragraph]:
    """Draws that were taken back come again, and both players know them."""
    for side in play.state.setup.sides:
        if known := known_next(play, side.id):
            what = "card" if known[0].is_card else "roll"
            still = f"The next {play.state.setup.of(side.id, what)} is still the {known[0].words}."
            if len(known) > 1:
                whose = play.state.setup.of(side.id, f"{what}s")
                still = f"The next {whose} are still {spell(known[:8])}."
            yield Paragraph(f"Undone. {still}", tone="strong")


def _shuffle(state: State, events: list[AnyEvent]) -> Iterator[Paragraph]:
    """Players shuffle their own decks; the program shuffles its own."""
    shuffled = {event.source for event in events if isinstance(event, Shuffled)}
    over = any(isinstance(event, TurnEnded) for event in events)
    own = []
    for side in state.setup.sides:
        source = state.sources[state.source_of(side.id)]
        by_hand = source.typed and state.source_of(side.id) in shuffled
        if source.kind == "deck" and (by_hand or (over and state.levels[side.id] == "ledger")):
            own.append(side)
    if len(own) == len(state.setup.sides):
        yield Paragraph("Both sides shuffle their decks now.", tone="strong")
    elif own:
        deck = state.setup.of(own[0].id, "deck")
        yield Paragraph(f"Shuffle the {deck} now.", tone="strong")


def _tables(state: State, events: list[AnyEvent]) -> Iterator[Paragraph]:
    texts = [event.explain for event in events if isinstance(event, Tabled)]
    for event in events:
        if isinstance(event, Tabled):
            own = state.setup.side_by_id[event.side].people
            yield Paragraph(event.explain, lead=f"{own}, draw {event.nth}:")
        elif isinstance(event, Added) and texts and not any(event.why in text for text in texts):
            units = [state.setup.unit(piece.unit).short for piece in event.pieces]
            came = ", ".join(f"{units.count(unit)} {unit}" for unit in dict.fromkeys(units))
            yield Paragraph(f"{came} {event.why}".rstrip() + ".", lead="Added:")


def _lots(state: State, events: list[AnyEvent]) -> Iterator[Paragraph]:
    """The lots drawn before play, until the first shot or phase."""
    people = {side.id: side.people for side in state.setup.sides}
    for event in events:
        if isinstance(event, LotCast):
            drew = ", ".join(f"{people[side]} {draw}" for side, draw in event.draws.items())
            words = ("place terrain first", "places terrain first")
            if event.lot == "side":
                words = ("choose their edge", "chooses an edge")
            first = "a tie, draw again"
            if event.first:
                first = state.setup.does(event.first, *words)
            yield Paragraph(f"{drew}: {first}.", lead="Drawn:")


def _waves(state: State, now: bool, *, keys: bool = True) -> Iterator[Paragraph]:
    for wave in waves(state):
        if wave.now != now:
            continue
        group = wave.contingent
        own = f"{state.setup.side_by_id[group.side].people}, {group.name}:"
        where = f", {group.by}" if group.by else ""
        named = ((count, find(state, key)) for key, count in wave.units.items())
        who = ", ".join(f"{count} {row.unit.short}" for count, row in named if row)
        if now:
            how = "Enter brings on all, A some." if keys else "They may come on now."
            yield Paragraph(f"{who}{where}. {how}", lead=own)
        else:
            turn = max(group.enters, state.clock.turn)
            yield Paragraph(f"Turn {turn}, {own} {who}{where}.", tone="quiet")


def _limits(state: State) -> Iterator[Paragraph]:
    people = state.setup.side_by_id[state.mover].people
    if state.clock.phase != 1:
        return
    for limit in limits_now(state):
        if limit.side == state.mover:
            yield Paragraph(limit.text, lead=f"{people}:")
    scenario = state.setup.scenario
    for limit in scenario.limits if scenario else ():
        if limit.before_turn == state.clock.turn and limit.side == state.mover:
            yield Paragraph(limit.text, lead=f"{people}, no longer in force:", tone="quiet")


def _set_up(play: BattlePlay) -> Iterator[Paragraph]:
    """The set-up areas, until the first shot or phase."""
    state = play.state
    if state.clock.turn > 1 or state.clock.phase > 1 or state.judged:
        return
    if state.setup.scenario is None:
        for line in deployment_now(state).splitlines():
            yield Paragraph(line)
    for group in state.setup.contingents:
        comes = group.enters == 1
        if group.note and group.enters <= 1 and (not comes or group.side == state.mover):
            people = state.setup.side_by_id[group.side].people
            yield Paragraph(group.note, lead=f"{people}, {group.name}:")


# ------------------------------------------------------------------ the verdict


def last_line(play: BattlePlay) -> BattleLine | None:
    found = [line for line in lines(play, 3) if not line.void]
    return found[-1] if found else None


def last_events(play: BattlePlay) -> list[AnyEvent]:
    line = last_line(play)
    return line.events if line else []


WORDS = {
    "hit": "HIT",
    "cover": "COVER",
    "hull_down": "HULL",
    "miss": "MISS",
    "broken": "BROKEN",
    "holds": "HOLDS",
}
CHECK_WORDS: dict[CheckKind, tuple[str, str]] = {
    "pin": ("PINNED", "NOT PINNED"),
    "command": ("HALT", "MOVE"),
    "entrench": ("DUG IN", "TOO HARD"),
    "wire": ("CUT", "WIRE"),
}
_TONES: dict[str, Tone] = {
    **dict.fromkeys(("HIT", "HITS"), "good"),
    **dict.fromkeys(("BROKEN", "PINNED"), "bad"),
    **dict.fromkeys(("MISS", "COVER", "HULL"), "quiet"),
}


_JUDGING = Aimed | Ceased | Checked | HitsCounted | Judged | Tested | Volleyed


def verdict(play: BattlePlay) -> Verdict | None:
    """The verdict in one word, and its reason, one line for each part."""
    state, line = play.state, last_line(play)
    if state.outcome is not None:
        return Verdict(text="OVER", reason=line.text if line else "")
    if not _is_of_the_last_order(play):
        return None
    shot, checked, judgment = _shot_events(play), state.checked, state.verdict
    hits, newest = _volley_hits(shot), _check_is_newest(play)
    counted = judgment is not None or any(isinstance(event, HitsCounted) for event in shot)
    word, reason = "", list[str]()
    if checked is not None and (judgment is None or newest):
        word = CHECK_WORDS[checked.check][not checked.result]
    elif counted and (hits is None or (isinstance(judgment, Tested) and state.ceased is None)):
        word = WORDS.get(judged(state), "")
    elif counted:
        broke = sum(event.broken for event in shot if isinstance(event, HitsCounted | Tested))
        word = f"{hits} HIT{'' if hits == 1 else 'S'}" + (f" {broke} BROKEN" if broke else "")
    if isinstance(state.ask, DrawAsk) and judgment is None:
        checked = None
    elif counted and not newest and hits is not None:
        reason += _volley(state, shot)
    elif judgment is not None and not newest:
        reason += (judgment.draw.words.upper(), without_draw(judgment.explain, judgment.draw))
    if checked is not None and checked.check == "pin" and checked.draw is not None:
        card, pinned = checked.draw.words, CHECK_WORDS["pin"][not checked.result]
        reason.append(card.upper() if judgment is None or newest else f"{pinned} ({card})")
    elif checked is not None:
        reason.append(checked.explain)
    counts = word[:1].isdigit()  # 2 HITS, 2 HITS 1 BROKEN
    tone = _TONES.get(word.rpartition(" ")[2] if counts else word.partition(" ")[0], "")
    return Verdict(text=word, reason="\n".join(reason), tone=tone) if word or reason else None


def _is_of_the_last_order(play: BattlePlay) -> bool:
    """Whether the last order has a verdict. Notes and counts leave it; any other order takes it off
    the screen, also one of players who only record losses. So does a void: the line before it was
    long seen, and would look as if it had just happened."""
    if play.ends_with_void:
        return False
    for line in reversed(lines(play, 12)):
        order = line.entries[0].order
        beside = order is not None and order.in_journal == "beside"
        if line.void or beside or not line.events:
            continue
        return any(isinstance(event, _JUDGING) for event in line.events)
    return False


def judged(state: State) -> str:
    """The result of the last judgment, one of ``WORDS``; empty if there is none."""
    match state.verdict:
        case Judged() as shot:
            return "hit" if shot.hit else shot.saved_by or "miss"
        case Tested(broken=broken):
            return "broken" if broken else "holds"
    return ""


def _shot_events(play: BattlePlay) -> list[AnyEvent]:
    """The events of the last line with a shot: counts and corrections may have followed."""
    for line in reversed(lines(play, 3 if _fires(last_events(play)) else 12)):
        if not line.void and _fires(line.events):
            return line.events
    return []


def _fires(events: list[AnyEvent]) -> bool:
    return any(isinstance(event, HitsCounted | Judged | Volleyed) for event in events)


def _volley_hits(shot: list[AnyEvent]) -> int | None:
    """The hits of a volley so far; None if the shot is no volley."""
    rejudged = sum(isinstance(event, Recalled) for event in shot) > 1
    if not rejudged and not any(isinstance(event, HitsCounted | Volleyed) for event in shot):
        return None
    ceased = [event for event in shot if isinstance(event, Ceased)]
    if ceased:
        return ceased[-1].hits
    counted = sum(event.hits for event in shot if isinstance(event, HitsCounted))
    return counted + sum(isinstance(event, Judged) and event.hit for event in shot)


def check_is_large(play: BattlePlay) -> bool:
    """Whether the large word is that of the last check."""
    return play.state.verdict is None or _check_is_newest(play)


def _check_is_newest(play: BattlePlay) -> bool:
    """Whether the last check is independent, not the pin test of the last shot."""
    events = last_events(play)
    checked = any(isinstance(event, Checked) for event in events)
    return checked and not any(isinstance(event, Judged) for event in events)


def _volley(state: State, events: list[AnyEvent]) -> Iterator[str]:
    judged = [event for event in events if isinstance(event, Judged)]
    counted = [event for event in events if isinstance(event, HitsCounted)]
    hits = [str(event.draw) for event in judged if event.hit]
    saved = [str(event.draw) for event in judged if event.saved_by]
    misses = [str(event.draw) for event in judged if not (event.hit or event.saved_by)]
    yield from (event.narrate(state) for event in counted)
    if hits or not counted:
        yield f"hit: {' '.join(hits) or 'none'}"
    if saved:
        yield f"saved: {' '.join(saved)}"
    if misses:
        yield f"miss: {' '.join(misses)}"
    ceased = [event for event in events if isinstance(event, Ceased)]
    if ceased and ceased[-1].unused:
        yield ceased[-1].not_fired
