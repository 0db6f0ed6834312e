"""What is due and how it stands: victory, waves, service, limits, shuffles, where to set up."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from skirmish.app.battle.mode import Said, Tone, people
from skirmish.app.battle.verdict_words import last_events
from skirmish.app.battle.victory_words import standing_lines
from skirmish.app.battle.words import painted
from skirmish.app.fitting import Told, as_told
from skirmish.games.plastic.battle.events import Added, LotCast, Shuffled, Tabled, TurnEnded
from skirmish.games.plastic.battle.lines import known_next
from skirmish.games.plastic.battle.opening import deployment_now
from skirmish.games.plastic.battle.orders.movement import (
    Wave,
    limits_now,
    reveal_text,
    servable,
    waves,
)
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import find
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.chance import spell
from skirmish.tabletop.measure import inches
from skirmish.tabletop.typed import plain


def news(play: BattlePlay) -> list[Said]:
    """Everything worth saying now, what is most pressing first; victory has a line of its own."""
    state = play.state
    if state.outcome is not None:
        return []
    return [
        *_seen(play),
        *_shuffle(play),
        *_tables(play),
        *_lots(play),
        *_toggled(state),
        *_waves(state, now=True),
        *_service(state),
        *_waves(state, now=False),
        *_limits(state),
        *_hidden(state),
        *_set_up(play),
    ]


def _seen(play: BattlePlay) -> Iterator[Said]:
    """Draws that were taken back come again, and both players have seen them."""
    for side in play.state.setup.sides:
        if known := known_next(play, side.id):
            what = "card" if known[0].is_card else "roll"
            still = f"The next {play.state.setup.of(side.id, what)} is still the {known[0].words}."
            if len(known) > 1:
                whose = play.state.setup.of(side.id, f"{what}s")
                still = f"The next {whose} are still {spell(known[:8])}."
            yield [(f"Undone. {still}", "key")]


def _shuffle(play: BattlePlay) -> Iterator[Said]:
    """Own decks are shuffled by their players; the program's it shuffles itself."""
    state, events = play.state, last_events(play)
    shuffled = {event.source for event in events if isinstance(event, Shuffled)}
    over = any(isinstance(event, TurnEnded) for event in events)
    own = [
        side
        for side in state.setup.sides
        if state.sources[state.source_of(side.id)].kind == "deck"
        and (
            (state.sources[state.source_of(side.id)].typed and state.source_of(side.id) in shuffled)
            or (over and state.levels[side.id] == "ledger")
        )
    ]
    if len(own) == len(state.setup.sides):
        yield [("Both sides shuffle their decks now.", "key")]
    elif own:
        yield [(f"{state.setup.the(own[0].id, 'The')} shuffle their deck now.", "key")]


def _tables(play: BattlePlay) -> Iterator[Said]:
    events = last_events(play)
    told = [event.explain for event in events if isinstance(event, Tabled)]
    for event in events:
        if isinstance(event, Tabled):
            own = people(play.state, event.side)
            yield [(f"{own}, draw {event.nth}: ", "key"), (event.explain, "strong")]
        elif isinstance(event, Added) and told and not any(event.why in says for says in told):
            units = [play.state.setup.unit(piece.unit).short for piece in event.pieces]
            came = ", ".join(f"{units.count(unit)} {unit}" for unit in dict.fromkeys(units))
            yield [("Added: ", "key"), (f"{came} {event.why}".rstrip() + ".", "strong")]


def _lots(play: BattlePlay) -> Iterator[Said]:
    """Who drew what before play, until the first shot or phase."""
    for event in last_events(play):
        if isinstance(event, LotCast):
            drew = ", ".join(f"{people(play.state, s)} {d}" for s, d in event.draws.items())
            does = "place terrain first" if event.lot == "terrain" else "choose their edge"
            first = (
                "a tie, draw again"
                if event.first is None
                else f"{people(play.state, event.first)} {does}"
            )
            yield [("Drawn: ", "key"), (f"{drew}: {first}.", "")]


def _toggled(state: State) -> Iterator[Said]:
    """What a card has started, and what it does to sight."""
    for card, kind in state.setup.toggling.items():
        if kind.state in state.toggled:
            says = f"nobody sees beyond {inches(kind.sight_in)}; the next {card.words} ends it."
            yield [(f"{kind.state.upper()}: ", "alarm"), (says, "")]


def _waves(state: State, now: bool) -> Iterator[Said]:
    for wave in waves(state):
        if wave.now != now:
            continue
        group = wave.contingent
        own = people(state, group.side)
        where = f", {group.by}" if group.by else ""
        turn = group.enters if group.enters > state.clock.turn else state.clock.turn
        if now:
            yield [
                (f"{own}, {group.name}: ", "key"),
                (f"{_who(state, wave)}{where}. ", ""),
                ("Enter", "key"),
                (" brings on all, ", ""),
                ("A", "key"),
                (" some", ""),
            ]
        else:
            says = f"Turn {turn}, {own}, {group.name}: {_who(state, wave)}{where}"
            yield [(says, "dim")]


def _who(state: State, wave: Wave) -> str:
    parts = []
    for key, count in wave.units.items():
        row = find(state, key)
        if row is not None:
            parts.append(f"{count} {row.unit.short}")
    return ", ".join(parts)


def _service(state: State) -> Iterator[Said]:
    if found := servable(state):
        yield [("S ", "key"), (f"{found} can be served now: press S, then the letter", "")]


def _limits(state: State) -> Iterator[Said]:
    for limit in limits_now(state):
        if limit.side == state.mover and state.clock.phase == 1:
            yield [(f"{people(state, limit.side)}: ", "strong"), (limit.text, "")]
    scenario = state.setup.scenario
    for limit in scenario.limits if scenario else ():
        ends = limit.before_turn == state.clock.turn and state.clock.phase == 1
        if ends and limit.side == state.mover:
            yield [
                (f"{people(state, limit.side)}, no longer in force: ", "strong"),
                (limit.text, "dim"),
            ]


def _hidden(state: State) -> Iterator[Said]:
    if text := reveal_text(state):
        yield [("R ", "key"), (text, "dim")] if state.hidden else [(text, "dim")]


def _set_up(play: BattlePlay) -> Iterator[Said]:
    """Where everybody begins, until the first shot or phase."""
    state = play.state
    if state.clock.turn > 1 or state.clock.phase > 1 or state.judged:
        return
    if state.setup.scenario is None:
        for line in deployment_now(state).splitlines():
            yield [(line, "")]
    for group in state.setup.contingents:
        comes = group.enters == 1
        if group.note and group.enters <= 1 and (not comes or group.side == state.mover):
            yield [(f"{people(state, group.side)}, {group.name}: ", "strong"), (group.note, "")]


def everything(play: BattlePlay, told: Told = plain) -> Content:
    """All of it, and how the battle is won, on a page of its own."""
    won: Said = [("Victory: ", "strong"), (play.state.setup.victory, "")]
    agreed = [line] if (line := list(_agreed(play.state))) else []
    lines = [*standing_lines(play.state), won, *news(play), *agreed]
    return Content("\n\n").join(painted([line]) for line in as_told(lines, told))


def _agreed(state: State) -> Iterator[tuple[str, Tone]]:
    """What the players said before play where the scenario leaves it to them."""
    said = {key: answer for key, answer in state.setup.answers.items() if isinstance(answer, str)}
    for key, answer in said.items():
        yield (f"{key.replace('_', ' ').capitalize()}: ", "strong")
        yield (f"{answer}  ", "")
