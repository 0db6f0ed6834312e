"""What the battle screen says: each part of it as content, worked out from the state alone."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from skirmish.app.draft import Draft
from skirmish.games.plastic.battle.events import (
    AnyAsk,
    CasualtyAsk,
    DrawAsk,
    Judged,
    OutcomeAsk,
    RepeatAsk,
    Tested,
)
from skirmish.games.plastic.battle.firing import prepared
from skirmish.games.plastic.battle.known import known_next
from skirmish.games.plastic.battle.names import row_side
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, find
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.telling import PHASES
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.games.plastic.rules.explain import before
from skirmish.games.plastic.rules.firing_table import short
from skirmish.games.plastic.rules.shot import run
from skirmish.tabletop.chance import spell
from skirmish.tabletop.refusal import Refused

DIM = "$foreground 60%"
STRONG = "bold"
KEY = "$accent bold"


def clock_line(state: State, wide: bool) -> Content:
    """Title, turn, the four phases with the present one marked."""
    setup, clock = state.setup, state.clock
    last = f"/{setup.ends_after.turn}" if setup.ends_after else ""
    title = setup.title if len(setup.title) <= 28 else setup.title[:27] + "…"
    parts: list[Content | tuple[str, str]] = [
        (title.upper(), STRONG),
        (f"  TURN {clock.turn}{last}  ", KEY),
    ]
    for phase, name in PHASES.items():
        now = phase == clock.phase
        text = f"[{phase} {name.upper()}]" if now else f" {phase} {name.lower() if wide else ''}"
        parts.append((text, KEY if now else DIM))
    return Content.assemble(*parts)


def sources_line(play: BattlePlay) -> Content:
    """What each side draws from, how many cards are left, what is known to come after an undo."""
    state = play.state
    parts: list[tuple[str, str]] = []
    for side in state.setup.sides:
        source = state.sources[state.setup.source_of(side.id)]
        own = "own " if source.typed else ""
        what = f"{own}d{DIE}" if source.kind == "die" else f"{own}deck, {source.left(DECK)} left"
        parts.append((f"{side.people}: {what}", DIM))
        if known := known_next(play, side.id):
            parts.append((f" (seen, comes next: {spell(known[:4])})", "$warning"))
        parts.append(("   ", ""))
    return Content.assemble(*parts)


def who_line(state: State) -> Content:
    """Who moves and, in the strongest words of the screen, who fires."""
    setup = state.setup
    if state.outcome:
        winner = state.outcome.winner
        over = f"WON BY: {setup.side_by_id[winner].people}" if winner else "A DRAW"
        return Content.assemble(
            ("  THE BATTLE IS OVER   ", STRONG), (f"  {over.upper()}  ", f"{KEY} reverse")
        )
    mover, firer = (
        setup.side_by_id[side].people.upper() for side in (state.mover, state.firing_side)
    )
    fires = (f"  FIRE: {firer}  ", f"{KEY} reverse")
    if state.clock.phase == 1:
        return Content.assemble(
            (f"  MOVE: {mover}  ", f"{STRONG} reverse"),
            "  ",
            fires,
            (" at who moves over 2 in", DIM),
        )
    contact = " in contact only" if state.clock.phase in (3, 4) else ""
    return Content.assemble(
        (f"  Turn of: {setup.side_by_id[state.mover].people}  ", DIM), fires, (contact, DIM)
    )


def side_title(state: State, side_id: str) -> Content:
    """A side's name with its losses."""
    side = state.setup.side_by_id[side_id]
    lost = state.loss.get(side_id, 0)
    breaks = f", breaks at {side.break_at}" if side.break_at is not None else ""
    return Content.assemble(
        (side.people.upper(), "bold $primary"), (f"  lost {lost} of {side.pdg}{breaks}", DIM)
    )


def row_line(row: Row, draft: Draft, letters_on: bool, wide: bool) -> Content:
    """One pool: letter, name, alive of total, who can still fire."""
    chosen = row.key in (draft.shooter, draft.target)
    mark = ">" if chosen else " "
    name = f"{row.unit.short:<13}"
    count = f"{len(row.alive):>3}/{row.total:<3}"
    if not row.alive:
        return Content(f"{mark}{row.letter} {name}{count} all lost").stylize("$foreground 40%")
    if not row.here:
        late = f"{mark}{row.letter} {name}{count} turn {row.contingent.enters}"
        return Content(late).stylize(DIM)
    if not row.weapons:
        ready = "unarmed"
    elif row.ready_count == len(row.alive):
        ready = "ready"
    else:
        ready = f"{row.ready_count} ready" if row.ready_count else "fired"
    stats = f"  {armament(row)}" if wide else ""
    style = "bold reverse" if chosen else ""
    return Content.assemble(
        (mark, KEY),
        (row.letter, KEY if letters_on else DIM),
        (f" {name}", style),
        count,
        (f" {ready:<9}", "" if row.ready_count else DIM),
        (stats, DIM),
    )


def armament(row: Row) -> str:
    """The row's weapons as the firing table writes them in one line, each once."""
    weapons = {weapon.id: weapon for weapon in row.weapons}
    return "  ".join(short(weapon) for weapon in weapons.values())


def shot_lines(state: State, draft: Draft, note: str = "") -> Content:
    """The question that is open, or the shot as drafted with all that can change it; below it a
    ``note`` to the player."""
    ask = state.ask
    if state.outcome:
        return Content.assemble((state.outcome.reason, STRONG), "\nBackspace undoes, H goes home.")
    if ask is not None and not isinstance(ask, RepeatAsk):
        lines = list(_asked(state, ask))
    else:
        lines = list(_drafted(state, draft))
    if note:
        lines = [*lines[:2], Content.styled(note, "$warning")]
    return Content("\n").join(lines)


def _asked(state: State, ask: AnyAsk) -> Iterator[Content]:
    setup = state.setup
    match ask:
        case CasualtyAsk():
            people = setup.side_by_id[ask.side].people
            yield Content.assemble(
                ("WHO DIES?  ", KEY),
                f"{people} may give any man of the group that can be seen.",
            )
            choices = []
            for key in ask.rows:
                row = find(state, key)
                if row is not None:
                    chosen = key == ask.default
                    words = f"{row.letter} {row.unit.short}" + (" (Enter)" if chosen else "")
                    choices.append(Content.styled(words, f"{KEY} reverse" if chosen else ""))
            yield Content("   ").join(choices)
        case DrawAsk():
            people = setup.side_by_id[ask.side].people
            why = "the breakdown test" if ask.why == "breakdown" else "the shot"
            how = "roll, 1 to 12" if ask.die else "card, as in 7h or qs"
            yield Content.assemble(("DRAW  ", KEY), f"{people}, for {why}. Type the {how}:")
        case OutcomeAsk():
            yield Content.assemble(("TIME IS UP  ", KEY), "F says who won; Backspace goes back.")
            yield Content(setup.victory)


def _drafted(state: State, draft: Draft) -> Iterator[Content]:
    order = draft.order
    if isinstance(state.ask, RepeatAsk):
        yield Content.assemble(
            ("REPEAT? ", KEY),
            f"Next guy within {state.ask.within} in of the {state.ask.of}: ",
            ("Space", KEY),
            " fires, ",
            ("letter", KEY),
            " other, ",
            ("Esc", KEY),
            " no",
        )
    if order is None:
        yield _first_question(state, draft)
        return
    try:
        shot = prepared(state, order)
    except Refused as refused:
        yield Content.assemble(("NO  ", KEY), refused.refusal.says)
        return
    parts: list[Content | str | tuple[str, str]] = [
        (f"{shot.shot.shooter.short} > {shot.shot.target.short}", STRONG),
        (f"   {run(shot.aim.needs)}  ", KEY),
    ]
    weapons = draft.weapons(state)
    if weapons and shot.shot.weapon:
        parts += [("  w ", KEY), shot.shot.weapon.name]
    for key, words, unusual in draft.toggles(state):
        shown = f"  {key} " if draft.choosing(state) is None else "  "
        parts += [(shown, KEY), (words, STRONG if unusual else "")]
    if draft.again and not draft.named and (row := find(state, shot.shooting.target)):
        parts += [("   ", ""), (row.letter, KEY), (" to change this", DIM)]
    yield Content.assemble(*parts)
    if shot.advice:
        yield Content.assemble((shot.advice.says, "$warning"), ("  ! fires anyway", KEY))
    elif not isinstance(state.ask, RepeatAsk):
        yield Content.assemble((before(shot.aim), DIM), ("  Space draws", KEY))


def _first_question(state: State, draft: Draft) -> Content:
    if draft.shooter is None:
        people = state.setup.side_by_id[state.firing_side].people
        return Content.assemble(("WHO FIRES?  ", KEY), f"Press a letter of {people}.")
    row = find(state, draft.shooter)
    name = row.unit.short if row else ""
    enemy = state.setup.enemy_of(row_side(draft.shooter)).people
    return Content.assemble(
        (f"{name} > ", STRONG), ("AT WHOM?  ", KEY), f"Press a letter of {enemy}."
    )


def verdict_word(state: State) -> str:
    """The one word that everybody waits for."""
    if state.outcome:
        return "OVER"
    match state.verdict:
        case Judged(hit=True):
            return "HIT"
        case Judged(saved_by="cover"):
            return "COVER"
        case Judged(saved_by="hull_down"):
            return "HULL"
        case Judged():
            return "MISS"
        case Tested(broken=True):
            return "BROKEN"
        case Tested():
            return "HOLDS"
    return ""


def verdict_reason(state: State, last: str) -> Content:
    """The draw and the reason beside the word; ``last`` is the last line of the journal."""
    if isinstance(state.ask, DrawAsk):
        return Content("")
    if state.outcome or state.verdict is None:
        return Content(last)
    return Content.assemble((f"{state.verdict.draw.words.upper()}\n", KEY), state.verdict.explain)
