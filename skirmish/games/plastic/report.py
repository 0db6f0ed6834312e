"""The report of a battle as pages, and its highlights. A sealed note stays sealed unless it was
opened in the battle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from functools import partial
from itertools import groupby
from operator import itemgetter

import msgspec

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.lines import BattleLine, lines
from skirmish.games.plastic.battle.names import piece_side, row_unit
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.setup import Piece, Setup
from skirmish.games.plastic.battle.state import PHASES, Clock, OfAShot, State
from skirmish.games.plastic.battle.victory import victory_status
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.board import clock_lines, forces
from skirmish.games.plastic.luck import luck, luck_blocks, turning_blocks, turning_point
from skirmish.games.plastic.odds.rounding import nearest
from skirmish.games.plastic.rules.catalog import UnitType, a_unit, listed, plural
from skirmish.games.plastic.summary import Kills, SideSummary, Summary, UnitLoss, summary
from skirmish.tabletop.page import (
    Banner,
    Beside,
    Block,
    Facts,
    Heading,
    Items,
    Note,
    Page,
    Pair,
    Pairs,
    Paragraph,
    Party,
    Picture,
    Table,
    table,
    without_empty_columns,
)

GAME = "WWII Plastic Skirmish"
MAP = "map"
BEST, FEW = 5, 3
MOMENTS = range(8, 50, 2)
"""How many highlights a report may have, depending on the room."""
LOSSES = {
    "Had": "total", "Lost": "lost", "By hand": "by_hand", "Off": "exited", "To come": "waiting",
    "Broke": "broken", "Left": "left", "Strength lost": "pdg", "Points lost": "points",
}  # fmt: skip
KILLS = {
    "Shots": "shots", "Hits": "hits", "Guys": "guys", "Models": "models", "Points": "points",
    "Strength": "pdg",
}  # fmt: skip
"""The columns and their fields."""
FEW_TURNS = 16
FITS_HEAD = 50

# ------------------------------------------------------------------ pages


def summary_page(play: BattlePlay) -> Page:
    found = summary(play)
    return Page(found.title, (
        banner(play, found), *_both_sides(play, found), _beside(found, _of_side),
        *losses_by_turn(found), _beside(found, partial(kills, whole=True)),
    ))  # fmt: skip


def report_page(play: BattlePlay, date: str) -> Page:
    return _report(play, date).with_blocks(_journal(play))


def printed_pages(play: BattlePlay, date: str) -> list[Page]:
    """The report with fewer highlights and with more."""
    shown = play if play.state.outcome else seen(play, None)
    page, found = _report(shown, date), all_highlights(shown)
    counts = [count for count in MOMENTS if count < len(found) + 2] or [len(found)]
    return [page.with_blocks(highlight_blocks(found, count)) for count in counts]


def _report(play: BattlePlay, date: str) -> Page:
    setup, found = play.state.setup, summary(play)
    scenario = setup.scenario
    place = scenario.unmarked(scenario.place) if scenario else "Army against army"
    badge = ("Scenario", str(scenario.number)) if scenario else ("Turns", str(found.turn))
    blocks: list[Block] = [banner(play, found)]
    if scenario is not None and scenario.map is not None:
        blocks.append(Picture(MAP))
    blocks += [*_both_sides(play, found), _beside(found, _of_side), *_course(play, found)]
    return Page(
        setup.title,
        (*blocks, *luck_blocks(play, luck(play))),
        badge=badge,
        about=(f"Fought {date}", place, f"Battle report · {GAME}"),
        foot=" · ".join(("Battle report", setup.title, date, GAME)),
    )


def state_page(play: BattlePlay) -> Page:
    state, found = play.state, summary(play)
    blocks = [banner(play, found)] if found.over else [*clock_lines(state)]
    sides = forces(state, () if found.over else victory_status(state))
    return Page(found.title, (*blocks, *sides, *losses_by_turn(found), _beside(found, kills)))


def banner(play: BattlePlay, found: Summary) -> Banner:
    aim = Paragraph(play.state.setup.victory, "Victory.", "quiet")
    if not found.over:
        lines = [Paragraph(line) for line in progress_lines(play)]
        return Banner(f"In progress, turn {found.turn}", (*lines, aim))
    winner = next((side for side in found.sides if side.side == found.winner), None)
    head = f"Winner: {winner.people}" if winner else "A draw"
    player = f"Commanded by {winner.player}. " if winner and winner.player else ""
    text = f"In turn {found.turn}. {player}{found.reason}".strip()
    return Banner(head, (Paragraph(text), aim))


def result_line(found: Summary) -> str:
    if not found.over:
        return f"Turn {found.turn}; the battle goes on."
    if found.winner is None:
        return f"A draw. {found.reason}"
    winner = next(side for side in found.sides if side.side == found.winner)
    player = f" ({winner.player})" if winner.player else ""
    return f"Winner: {winner.people}{player}. {found.reason}"


def progress_lines(play: BattlePlay) -> Iterator[str]:
    for one in victory_status(play.state) if play.state.outcome is None else ():
        people = play.state.words.people(one.side)
        yield f"{people} {one.text}."
        if not one.can_win:
            yield f"{play.state.setup.the(one.side, 'The')} can no longer win."


def _both_sides(play: BattlePlay, found: Summary) -> Iterator[Block]:
    state = play.state
    breaks = {side.id: side.breaks for side in state.setup.sides}
    rows = [
        ("Commander", [side.player for side in found.sides]),
        ("Strength lost", [f"{side.loss} of {side.strength}" for side in found.sides]),
        ("Broken at", [str(side.break_at) if breaks[side.side] else "" for side in found.sides]),
        ("Points lost", [str(side.points) for side in found.sides]),
        ("Shots, hits", [_shots(side) for side in found.sides]),
        ("Weapons broken", [str(side.broke or "") for side in found.sides]),
        ("Exited", [_exits(side) for side in found.sides]),
        ("Force quality", [getattr(state.quality_of(side.side), "name", "")
                           for side in found.sides]),
    ]  # fmt: skip
    titles = ("", *(side.people for side in found.sides))
    shown = [(name, *(cell or "–" for cell in cells)) for name, cells in rows if any(cells)]
    yield table(titles, shown)


def _shots(side: SideSummary) -> str:
    share = f" ({nearest(Fraction(100 * side.hits, side.shots))}%)" if side.shots else ""
    return f"{side.shots}, {side.hits}{share}"


def _exits(side: SideSummary) -> str:
    if not side.exited:
        return ""
    return f"{side.exited}, counting {side.exit_value}" if side.exit_value else str(side.exited)


def _beside(found: Summary, blocks: Callable[[Summary, Party], Iterable[Block]]) -> Beside:
    return Beside(tuple(blocks(found, 0)), tuple(blocks(found, 1)))


def _of_side(found: Summary, party: Party) -> Iterator[Block]:
    side = found.sides[party or 0]
    name = "" if side.name == side.people else side.name
    fits = len(side.people) + len(name) <= FITS_HEAD
    yield Heading(side.people, aside=name if fits else "", party=party)
    if not fits:
        yield Paragraph(side.name, tone="strong")
    rows = [(loss.name, *_numbers(loss, LOSSES)) for loss in side.losses]
    sums = [sum(getattr(loss, field) for loss in side.losses) for field in LOSSES.values()]
    rows.append(("All", *map(_number, sums)))
    numbers = range(1, len(LOSSES) + 1)
    whole = table(("Unit", *LOSSES), rows, numbers=numbers, totals=1, party=party)
    yield without_empty_columns(whole, ("By hand", "Off", "To come", "Broke"))
    if any(loss.broken for loss in side.losses):
        yield Note("Broke: the weapon broke down, and he fights on as a rifleman.")


def _number(number: int) -> str:
    return str(number) if number else "–"


def _numbers(row: UnitLoss | Kills, columns: Mapping[str, str]) -> Iterator[str]:
    return (_number(getattr(row, field)) for field in columns.values())


def losses_by_turn(found: Summary) -> Iterator[Block]:
    yield Heading("Strength lost, turn by turn")
    one, other = (side.side for side in found.sides)
    rows = tuple(Pair(str(turn.turn), turn.pdg[one], turn.pdg[other]) for turn in found.turns)
    if any(row.first or row.second for row in rows):
        names = found.sides[0].people, found.sides[1].people
        yield Pairs("Turn", (f"{names[0]} lost", f"{names[1]} lost"), rows)
    else:
        yield Paragraph("Nothing was lost.")


def _course(play: BattlePlay, found: Summary) -> Iterator[Block]:
    turned = tuple(turning_blocks(play.state, turning_point(play), found))
    lost = tuple(losses_by_turn(found))
    both = _beside(found, kills)
    if len(found.turns) > FEW_TURNS:
        yield from (*turned, *lost, both)
    else:
        yield Beside((*turned, *lost), (*both.left, *both.right))


def kills(found: Summary, party: Party, *, whole: bool = False) -> Iterator[Block]:
    """``whole``: also by type of shooter."""
    side = found.sides[party or 0]
    yield Heading(f"Killed by {side.people}", party=party)
    if not side.by_weapon:
        yield Paragraph("No shots fired.")
        return
    tables = {"By weapon": side.by_weapon, "Best shooters": side.by_piece[:FEW]}
    if whole:
        tables = {"With": side.by_weapon, "By": side.by_unit, "Best": side.by_piece[:BEST]}
    full = max(row.pdg for one in found.sides for row in (*one.by_weapon, *one.by_unit))
    for title, best in tables.items():
        if best:
            yield _kills(title, best, party, full)
    chain = found.chain
    if chain and chain.side == side.side:
        text = f"{chain.hits} hits in a row by {chain.name} in turn {chain.turn}."
        yield Paragraph(text, "Longest run:")


def _kills(title: str, rows: Sequence[Kills], party: Party, full: int) -> Table:
    cells = [(row.name, *_numbers(row, KILLS)) for row in rows]
    return table((title, *KILLS), cells, numbers=range(1, 7), bar=6, full=full, party=party)


def _journal(play: BattlePlay) -> Iterator[Block]:
    for heading, items in chapters(play):
        if items:
            yield Heading(heading)
        for phase, some in groupby(items, key=itemgetter(0)):
            if phase:
                yield Heading(PHASES[phase], 3)
            yield Items(tuple(text for _, text in some))


def chapters(play: BattlePlay) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """The heading of each player turn with the valid lines and their phases; 0 before the first
    phase."""
    setup = play.state.setup
    # Decks are always shuffled at the end of a turn, so that is left out.
    shuffles = [f"The {setup.of(side.id, 'deck')} is shuffled." for side in setup.sides]
    heading, now = _heading(setup, Clock(1, play.state.first, 1)), 1
    items: list[tuple[int, str]] = []
    for line in lines(play):
        if line.void:
            continue
        phase, text = now, line.text
        moved = [event.clock for event in line.events if isinstance(event, happened.OfTheClock)]
        if moved:
            phase = now = moved[-1].phase
            begun = _heading(setup, moved[-1])
            text = _without(text, f"{begun}.", f"Phase {now}: {PHASES[now]}.", *shuffles)
            if begun != heading:
                yield heading, items
                heading, items, phase = begun, [], 0
        elif line.number == 1:
            phase, text = 0, _without(text, f"{setup.title} begins.")
        if text:
            items.append((phase, text))
    yield heading, items


def _heading(setup: Setup, clock: Clock) -> str:
    return f"Turn {clock.turn}, {setup.side_by_id[clock.side].people} to move"


def _without(text: str, *parts: str) -> str:
    for part in parts:
        text = text.replace(part, "", 1)
    return " ".join(text.split())


# ------------------------------------------------------------------ highlights


class Highlight(msgspec.Struct, frozen=True):
    when: str
    text: str
    weight: int


def highlight_blocks(found: Sequence[Highlight], most: int) -> Iterator[Block]:
    if found:
        yield Heading("Highlights", aside="from the journal")
        yield Facts(tuple((one.when, one.text) for one in weightiest(found, most)))


def weightiest(found: Sequence[Highlight], most: int) -> tuple[Highlight, ...]:
    """In chronological order; of equals the first."""
    best = sorted(range(len(found)), key=lambda at: (-found[at].weight, at))[:most]
    return tuple(found[at] for at in sorted(best))


def all_highlights(play: BattlePlay) -> list[Highlight]:
    state = play.state
    clock = Clock(1, state.first, 1)
    found: list[Highlight] = []
    for line, events in _with_corrections(play):
        moved = [one.clock for one in events if isinstance(one, happened.OfTheClock)]
        if moved:
            clock = moved[-1]
            continue
        standing = as_it_stands(events, state)
        weight = sum(event.weight() for event in standing)
        if line.text and weight:
            text = retold(standing, state)
            found.append(Highlight(_heading(state.setup, clock), text, weight))
    return found


def _with_corrections(play: BattlePlay) -> Iterator[tuple[BattleLine, list[AnyEvent]]]:
    """The valid lines with their events, those of later judgments of their shots included; a line
    that only judges again is left out."""
    corrected: dict[int, list[AnyEvent]] = {}
    valid: list[BattleLine] = []
    line_of: dict[int, int] = {}
    for line in lines(play):
        if line.void or line.number == 1:
            continue
        recalled = [event.shot for event in line.events if isinstance(event, happened.Recalled)]
        fired_in = [line_of[shot] for shot in recalled if shot in line_of]
        if fired_in:
            corrected[fired_in[0]] += line.events
            continue
        valid.append(line)
        corrected[line.number] = list(line.events)
        for event in line.events:
            if isinstance(event, happened.Judged | happened.HitsCounted):
                line_of[event.shot.id] = line.number
    for line in valid:
        yield line, corrected[line.number]


def as_it_stands(events: Sequence[AnyEvent], state: State) -> list[AnyEvent]:
    """The events without what was taken back later: verdicts that were replaced, breakdowns that
    were none, and the losses of shots that killed nobody after all."""
    recalled = [event for event in events if isinstance(event, happened.Recalled)]
    last: dict[int, int] = {}
    mended: dict[int, int] = {}
    for nth, event in enumerate(events):
        if isinstance(event, happened.Judged | happened.HitsCounted):
            last[event.shot.id] = nth
        elif isinstance(event, happened.Recalled) and event.mended is not None:
            mended[event.shot] = nth
    for correction in recalled:
        for taken_back in correction.chain:
            last.pop(taken_back, None)
    found: list[AnyEvent] = []
    fallen: set[str] = set()
    for nth, event in enumerate(events):
        match event:
            case happened.Judged() | happened.HitsCounted() if last.get(event.shot.id) != nth:
                continue
            case happened.Tested() if nth < mended.get(event.shot.id, 0):
                continue
            case happened.Volleyed() if recalled:  # its shooters or its target may be others
                continue
            case happened.Recalled() | happened.Reread():
                continue
            case happened.Lost(piece=piece, credit=credit) if credit is not None:
                now = state.lost.get(piece)
                if now is None or now.shot != credit.shot or piece in fallen:
                    continue
                fallen.add(piece)
        found.append(event)
    return found


# ------------------------------------------------------------------ in sentences


_OF_A_SHOT = OfAShot | happened.Ceased | happened.Checked | happened.Held | happened.Lost
_OF_A_SHOT |= happened.Recalled | happened.Reread | happened.Turned | happened.Unread
_OF_A_SHOT |= happened.Volleyed


def retold(events: Sequence[AnyEvent], state: State) -> str:
    """The events in sentences; ``state`` knows all pieces."""
    shots = happened.Judged | happened.HitsCounted | happened.Volleyed
    fired = any(isinstance(event, shots) for event in events)
    if not fired:
        return narrate(events, state)
    others = [event for event in events if not isinstance(event, _OF_A_SHOT)]
    return " ".join(filter(None, (*_shot(events, state), narrate(others, state))))


def _shot(events: Sequence[AnyEvent], state: State) -> Iterator[str]:
    """``Germans: Tank T1 fires its Cannon at a Cannon. The Poles lose Cannon C1.``"""
    back = {p for event in events if isinstance(event, happened.Recalled) for p in event.back}
    lost = [e.piece for e in events if isinstance(e, happened.Lost) and e.piece not in back]
    who, side, several = _shooters(events, state)
    own = [piece for piece in lost if piece_side(piece) == side]
    theirs = [piece for piece in lost if piece_side(piece) != side]
    yield f"{state.words.people(side)}: {who} at {_target(events, state)}."
    if theirs:
        yield _lose(theirs, state)
    elif not own:
        yield "They miss." if several else "A miss."
    for event in events:
        if isinstance(event, happened.Tested) and event.broken:
            yield "The weapon breaks down."
    if own:
        yield _lose(own, state)


def _shooters(events: Sequence[AnyEvent], state: State) -> tuple[str, str, bool]:
    setup = state.setup
    volley = next((event for event in events if isinstance(event, happened.Volleyed)), None)
    if volley is not None:
        unit, several = setup.unit(row_unit(volley.shooter)), volley.count > 1
        who = unit.named(volley.count) if several else a_unit(unit.name, "A")
        if volley.more:
            squads = [who]
            for squad in volley.more:
                squads.append(setup.unit(row_unit(squad.shooter)).named(squad.count))
            return f"{listed(squads)} fire", volley.side, True
        return who + _fires({volley.weapon}, unit, several, setup), volley.side, several
    judged = [e for e in events if isinstance(e, happened.Judged | happened.HitsCounted)]
    judged.sort(key=lambda event: isinstance(event, happened.HitsCounted))
    pieces = [*dict.fromkeys(event.shot.piece for event in judged)]
    pieces += [p for e in judged if isinstance(e, happened.HitsCounted) for p in e.pieces[1:]]
    unit, several = setup.unit(state.piece(pieces[0]).unit), len(pieces) > 1
    fires = _fires({event.shot.weapon for event in judged}, unit, several, setup)
    return _named(pieces, state) + fires, piece_side(pieces[0]), several


def _fires(weapons: Set[str], unit: UnitType, several: bool, setup: Setup) -> str:
    """`` fires its Cannon``; without the weapon if the unit is named after it."""
    fires, its = (" fire", "their") if several else (" fires", "its")
    names = {setup.catalog.weapons[weapon].name for weapon in weapons}
    if len(names) > 1 or names <= {unit.short, plural(unit.short)}:
        return fires
    return f"{fires} {its} {names.pop()}"


def _target(events: Sequence[AnyEvent], state: State) -> str:
    rows: list[str] = []
    for event in events:
        if isinstance(event, happened.Volleyed):
            rows.append(event.target)
        elif isinstance(event, happened.Judged | happened.HitsCounted):
            rows.append(event.shot.target)
    units = dict.fromkeys(state.setup.unit(row_unit(row)) for row in rows)
    return listed([plural(u.name) if u.is_guy else a_unit(u.name) for u in units])


def _lose(pieces: Sequence[str], state: State) -> str:
    lose = state.setup.does(piece_side(pieces[0]), "lose", "loses", "The")
    return f"{lose} {_named(pieces, state)}."


def _named(pieces: Sequence[str], state: State) -> str:
    """``Truck K1 and 10 Rifle Guys``: single pieces with their codes, others by number."""
    kinds: dict[str, list[Piece]] = {}
    for piece in map(state.piece, pieces):
        kinds.setdefault(piece.unit, []).append(piece)
    return listed(
        [
            unit.named(len(some)) if len(some) > 1 else f"{unit.short} {some[0].code}"
            for unit, some in ((state.setup.unit(name), some) for name, some in kinds.items())
        ]
    )
