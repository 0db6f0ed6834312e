"""A shot in questions: who shoots, at whom, what can be seen, and the draw.

The shot is the same draft as on the battle screen. Of what eyes see, only that is asked which the
game says would change this shot.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from skirmish.app.battle.draft import TOGGLE_WORDS, Draft, firer
from skirmish.app.battle.mode import Mode, people
from skirmish.app.battle.verdict_words import last_line, word
from skirmish.app.guard import extra
from skirmish.app.questions.answers import AMEND, FULL, UNDO, Answer, Question, of_whom
from skirmish.app.questions.asks import asked
from skirmish.app.questions.seen import advised, chance_of, draw, no_way, otherwise, seen, telling
from skirmish.app.questions.words import because, chance
from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.names import row_side
from skirmish.games.plastic.battle.odds import Knowledge, odds, pack_of
from skirmish.games.plastic.battle.orders import Again, Fire
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, find, rows
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.rules.shot import CLOSE_PHASES
from skirmish.tabletop.measure import inches
from skirmish.tabletop.refusal import Refused

LAST_PHASE = max(PHASES)


def next_question(
    play: BattlePlay, mode: Mode, settled: tuple[str, ...], knowledge: Knowledge = "full"
) -> Question:
    """What is asked now; ``settled`` are the things seen that are answered of the shot in hand."""
    if isinstance(mode, Draft):
        return shot_question(play, mode, settled, knowledge)
    return asked(play, mode)


def still_settled(mode: Mode, settled: tuple[str, ...]) -> tuple[str, ...]:
    """What remains answered: nothing, unless shooter and target are chosen."""
    if not isinstance(mode, Draft) or mode.order is None:
        return ()
    return settled if mode.named or not mode.again else ()


def shot_question(
    play: BattlePlay, draft: Draft, settled: tuple[str, ...], knowledge: Knowledge = "full"
) -> Question:
    """The next question of a shot."""
    state = play.state
    if draft.again and not draft.named and isinstance(state.ask, RepeatAsk):
        return _again(play, draft, state.ask, knowledge)
    if draft.shooter is None and not draft.again:
        return _who(play)
    if draft.order is None:
        return _at_whom(state, draft, knowledge)
    weapons = [] if "weapon" in settled else _weapons(state, draft, knowledge)
    if len(weapons) > 1:
        asks = "Which weapon does he use?" if _is_guy(state, draft) else "Which weapon?"
        return Question(name="weapon", large="WHICH WEAPON?", asks=asks, answers=tuple(weapons))
    try:
        shot = prepared(state, draft.order)
    except Refused as refused:
        return no_way(refused.refusal.says)
    open_ = [name for name in telling(state, draft.order) if name not in settled]
    if shot.advice and "advice" not in settled:
        for name in open_:
            if prepared(state, otherwise(draft.order, name)).advice != shot.advice:
                return seen(state, draft, name)  # it may be right after all
        return advised(shot.advice.says, Answer(words="Yes", key="y", settles="advice"))
    return seen(state, draft, open_[0]) if open_ else draw(state, draft.order, shot, knowledge)


def trail(state: State, draft: Draft, settled: tuple[str, ...]) -> list[str]:
    """What is answered so far, in a word or two each."""
    said = []
    shot = state.ask.shot if isinstance(state.ask, RepeatAsk) and draft.again else None
    if shot is not None:
        said.append(state.setup.unit(state.unit_of(shot.piece)).short)
    for key in (draft.shooter, draft.target if draft.named or not draft.again else None):
        row = find(state, key) if key else None
        if row is not None:
            said.append(row.unit.short)
    for name in settled:
        if name == "weapon" and draft.weapon:
            said.append(state.setup.catalog.weapons[draft.weapon].name)
        elif name == "advice":
            said.append("anyway")
        elif name in TOGGLE_WORDS:
            said.append(TOGGLE_WORDS[name][name in draft.changed].lower())
    return said


# ------------------------------------------------------------------ who, and at whom


def _who(play: BattlePlay) -> Question:
    state = play.state
    side = state.firing_side
    own = people(state, side)
    foe = state.setup.enemy_of(side)
    shooters: list[Answer] = []
    large = word(play)
    asks = f"{own.upper()} FIRE. Who fires?" if large else "Who fires?"
    if state.levels[side] == "ledger":
        asks = f"{own.upper()} FIRE. They draw at the table and record only losses here."
    elif not any(row.on_foot for row in rows(state, foe.id)):
        asks = f"{own.upper()} have no target: no {state.setup.of(foe.id, 'unit')} is in sight."
    else:
        shooters = list(_shooters(state, side))
    return Question(
        name="who",
        large=large or f"{own} fire",
        because=because(play) if large else (),
        asks=asks,
        says=tuple(_moment(state)),
        answers=(*shooters, *onward(play)),
    )


def _moment(state: State) -> Iterator[str]:
    """What this part of the turn is."""
    mover, other = (state.setup.the(side, "The") for side in (state.mover, state.firing_side))
    if state.clock.phase == 1 and state.movement_over:
        yield f"{mover} may move no more groups this turn."
    elif state.clock.phase == 1:
        yield f"{mover} move now. {other} may fire at anyone who moves more than {inches(2)}."
    elif state.clock.phase in CLOSE_PHASES:
        yield "Only units in contact with the enemy may fight now."
    for name in sorted(state.toggled):
        yield f"{name.capitalize()} covers the table."


def _shooters(state: State, side: str) -> Iterator[Answer]:
    armed = [row for row in rows(state, side) if row.alive and row.weapons and row.here]
    for row in sorted(armed, key=lambda row: not row.ready_count):
        count = row.ready_count
        yield Answer(
            key=row.letter,
            words=row.unit.short,
            says=(f"{count} can fire" if count else "cannot fire now") + of_whom(state, row),
            presses=(row.letter,),
            doubtful=not count,
        )


def onward(play: BattlePlay) -> Iterator[Answer]:
    """What there is besides a shot: the next phase, the end of the turn, undo, the full screen."""
    state = play.state
    phase = state.clock.phase
    if phase < LAST_PHASE:
        done = "Movement is done" if phase == 1 else "No more shots"
        says = f"go on to phase {phase + 1}, {PHASES[phase + 1].lower()}"
        yield Answer(key=">", words=done, says=says, action="end_phase", aside=True)
    done = f"End the {state.setup.of(state.mover, 'turn')}"
    ends = "all four phases" if phase < LAST_PHASE else "nobody else fights"
    yield Answer(key="E", words=done, says=ends, action="end_turn", aside=True)
    if state.judged or state.counts:
        yield AMEND
    line = last_line(play)
    if line is not None and line.entries[0].kind != "open":
        yield msgspec.structs.replace(UNDO, says=line.says)
    yield msgspec.structs.replace(FULL, says="reinforcements, loading, leaving")


def _at_whom(state: State, draft: Draft, knowledge: Knowledge) -> Question:
    side = row_side(draft.shooter or "")
    row = find(state, draft.shooter or "")
    name = row.unit.name if row else ""
    answers = tuple(_targets(state, draft, state.setup.enemy_of(side).id, knowledge))
    if not answers:
        return no_way("No enemy is in sight on the table.")
    return Question(
        name="target",
        large="TARGET?",
        asks=f"Who does the {name} fire at?",
        says=_noted(state, side, knowledge),
        answers=answers,
        usual=next((n for n, a in enumerate(answers) if not (a.doubtful or a.why_not)), 0),
    )


def _noted(state: State, side: str, knowledge: Knowledge) -> tuple[str, ...]:
    """Out of what the chances are, if that is not the deck as it stands."""
    note = pack_of(state, side, knowledge).note
    return (f"The chances: {note}.",) if note else ()


def _targets(state: State, draft: Draft, side: str, knowledge: Knowledge) -> Iterator[Answer]:
    for row in rows(state, side):
        if row.on_foot:
            order = msgspec.structs.replace(draft, target=row.key).order
            if order is not None:
                yield _target(state, row, order, knowledge)


def _target(state: State, row: Row, order: Fire | Again, knowledge: Knowledge) -> Answer:
    answer = Answer(key=row.letter, words=row.unit.short, presses=(row.letter,))
    try:
        shot = prepared(state, order)
    except Refused as refused:
        return msgspec.structs.replace(
            answer, says="this cannot hurt it", why_not=refused.refusal.says, doubtful=True
        )
    if shot.advice:
        return msgspec.structs.replace(answer, says="the rules say no", doubtful=True)
    likely = extra(
        "The odds are",
        lambda: f", {chance(odds(state, shot.aim, shot.side, knowledge))}",
        lambda _: "",
    )
    return msgspec.structs.replace(
        answer, says=f"{len(row.on_foot)} there{likely}{of_whom(state, row)}"
    )


def _weapons(state: State, draft: Draft, knowledge: Knowledge) -> list[Answer]:
    """The weapons that could do something here. The key w goes through them, round and round."""
    answers: list[Answer] = []
    for weapon in draft.weapons(state):
        order = msgspec.structs.replace(draft, weapon=weapon).order
        try:
            shot = prepared(state, order) if order else None
        except Refused:
            continue
        if shot is not None:
            answers.append(
                Answer(
                    key=str(len(answers) + 1),
                    words=state.setup.catalog.weapons[weapon].name,
                    says="the rules say no" if shot.advice else chance_of(state, shot, knowledge),
                    presses=("w",) * draft.turns_to(weapon, state),
                    settles="weapon",
                    doubtful=shot.advice is not None,
                )
            )
    return answers


def _again(play: BattlePlay, draft: Draft, ask: RepeatAsk, knowledge: Knowledge) -> Question:
    """A hit may be repeated: at once at the same row, at another, or not."""
    state = play.state
    unit = state.setup.unit(state.unit_of(ask.shot.piece))
    before = "man just hit" if ask.of == "last" else "first man hit"
    foe = state.setup.enemy_of(firer(state)).id
    answers: list[Answer] = []
    for row in rows(state, foe):
        if row.on_foot and row.unit.is_guy:
            answers.append(_target(state, row, Again(target=row.key), knowledge))
    return Question(
        name="again",
        large=word(play),
        because=because(play),
        asks=f"The {unit.name} may fire again. At whom?",
        says=(
            f"At someone within {inches(ask.within)} of the {before}.",
            *_noted(state, firer(state), knowledge),
        ),
        answers=(
            *answers,
            Answer(
                key="escape",
                shown="Esc",
                words="Stop firing",
                presses=("escape",),
                aside=True,
            ),
            AMEND,
            UNDO,
        ),
        usual=next((n for n, a in enumerate(answers) if a.key == _letter(state, draft)), 0),
    )


def _letter(state: State, draft: Draft) -> str:
    row = find(state, draft.target or "")
    return row.letter if row else ""


def _is_guy(state: State, draft: Draft) -> bool:
    row = find(state, draft.shooter or "")
    return row is not None and row.unit.is_guy
