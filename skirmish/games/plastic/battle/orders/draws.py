"""Draws other than shots: typed draws, checks (pinned, movement, digging), the scenario's tables,
and the lots for the first side."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda
from skirmish.games.plastic.battle.orders.resolution import (
    Answer,
    Order,
    OrderOfRow,
    OrderOfSide,
    Resolution,
)
from skirmish.games.plastic.battle.rows import (
    Row,
    find,
    guys,
    guys_in_sight,
    named,
    newly_made,
)
from skirmish.games.plastic.battle.setup import REINFORCEMENTS
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import DECK, DIE, Catalog
from skirmish.games.plastic.rules.checks import (
    draws_for_command,
    is_pinned,
    movement_ends,
    why_not_entrench,
)
from skirmish.games.plastic.scenarios.scenario import (
    DrawTable,
    Happening,
    MayReveal,
    Remind,
    Restriction,
    Trait,
)
from skirmish.games.plastic.scenarios.scenario import DrawTableRow as TableRow
from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

_SUITS = 4
MOST_TIES = 20
"""Two decks shuffled alike would tie for ever; then the first side is first."""
BEFORE_PLAY: Agenda = (agenda.ToCast(lot="terrain"), agenda.ToCast(lot="side"))
"""With this a basic game begins whose sides are not settled yet."""


class Show(Answer, frozen=True, tag="show"):
    """``insist``: accept a card that is already gone."""

    anyway = "takes the card, and the journal says so."

    draws: tuple[Draw, ...]
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        if not self.draws:
            raise nonsense("no_draw", "Type what was drawn.")
        if not isinstance(state.ask, agenda.RepeatAsk | agenda.DrawAsk):
            raise nonsense("no_draw", "No card or roll is needed now.")
        (side,), rank = state.ask.sides(state.setup), getattr(state.ask, "rank", None)
        waiting: tuple[Draw, ...] = ()
        if rank is not None:
            # Only the suit was missing, so what was typed behind it is still to be used.
            if not self.draws[0].suit or self.draws[0].rank != rank:
                text = f"Which suit had the {Draw(rank, '').rank_words}? S, H, D or C."
                raise nonsense("suit_missing", text)
            waiting = state.hand[1:]
        lay(run, side, self.draws, waiting, insist=self.insist)
        run.go_on()


def lay(
    run: Resolution,
    side: str,
    typed: tuple[Draw, ...],
    waiting: tuple[Draw, ...] = (),
    *,
    insist: bool,
) -> None:
    """Lays a player's own draws ready to be used, in front of those that are ``waiting``. Raises
    Refused; with ``insist`` a card that is already gone is accepted."""
    key = run.state.source_of(side)
    source = run.state.sources[key]
    if not source.typed:
        raise nonsense("no_draw", "The program draws for this side.")
    draws = typed
    if source.kind == "deck":  # a rank alone is a card of unknown suit
        draws = tuple(Draw(draw.rank, draw.suit or "") for draw in typed)
    twice = gone_before(draws, source)
    if twice and not insist:
        raise gone_twice(twice[0])
    run.emit(events.Laid(source=key, draws=(*draws, *waiting), twice=twice))


class Retype(Answer, frozen=True, kw_only=True, tag="retype"):
    """Puts draws right that were typed for the present volley, by their numbers; ``more`` follow.
    The game goes back to the volley and shows all its draws again, so this is never stored."""

    numbers: dict[int, Draw]
    more: tuple[Draw, ...] = ()
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        raise nonsense("no_draw", "No draw of a volley can be put right now.")


def retyped(order: Retype, typed: Sequence[Draw]) -> Show:
    """All draws of a volley as they really were; raises Refused."""
    draws = list(typed)
    for number, draw in order.numbers.items():
        if not 1 <= number <= len(draws):
            many = f"{len(draws)} have" if len(draws) != 1 else "1 has"
            raise nonsense("no_draw", f"There is no draw {number}: {many} been typed so far.")
        draws[number - 1] = draw
    return Show((*draws, *order.more), insist=order.insist)


def gone_twice(gone: Draw) -> Refused:
    card = gone.words if gone.suit else f"last {gone.rank_words}"
    text = f"The {card} has gone since the last shuffle: one of the two was mistyped."
    return Refused(Refusal("card_gone", text, "Equipment Needed"))


def gone_before(draws: tuple[Draw, ...], source: Source) -> tuple[Draw, ...]:
    """The draws that cannot occur again before a shuffle; raises Refused for a card or face that
    does not exist."""
    if source.kind == "die":
        for draw in draws:
            if draw.suit is not None:
                text = f"This side plays with a die: a d{DIE} roll, 1 to {DIE}, not {draw}."
                raise nonsense("wrong_draw", text)
            if not 1 <= draw.rank <= DIE:
                raise nonsense("no_such_face", f"A d{DIE} shows 1 to {DIE}, not {draw.rank}.")
        return ()
    twice: list[Draw] = []
    for draw in draws:
        if not 1 <= draw.rank <= DIE or (draw.suit and draw not in DECK):
            raise nonsense("no_such_card", f"{draw} is not in the deck of 48; the Kings are out.")
        if source.left(DECK) <= 0:
            source = source.shuffle()
        seen = [*source.gone, *((source.aside,) if source.aside else ())]
        of_rank = sum(card.rank == draw.rank for card in seen)
        if (draw.suit and draw in seen) or of_rank >= _SUITS:
            twice.append(draw)
        source = source.drawn(draw)
    return tuple(twice)


class GroupMoved(Order, frozen=True, kw_only=True, tag="group_moved"):
    """The command draw of a group ("Troop Quality")."""

    begun_by = "mover"

    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state, side = run.state, run.state.mover
        quality = state.quality_of(side)
        if not draws_for_command(quality):
            if quality is None:
                why = f"{state.setup.does(side, 'have', 'has', 'The')} no force quality"
            else:
                why = f"{state.setup.does(side, 'are', 'is', 'The')} {quality.name.lower()}"
            draw = state.setup.does(side, "draw", "draws", "").split()[-1]
            text = f"{why} and {draw} no command cards."
            raise nonsense("no_draw", text, "Troop Quality")
        if state.movement_over:
            text = state.setup.moves_no_more(side)
            run.advise(Refusal("movement_over", text, "Troop Quality"))
        if state.clock.phase != 1:
            run.advise_movement(side)
        _draw_for(run, agenda.ToCheck(check="command", side=side))

    def given_by(self, state: State) -> tuple[str, ...]:
        return (state.mover,)


class Dig(OrderOfSide, frozen=True, kw_only=True, tag="dig"):
    """``engineers``: one is in the group, or alone."""

    begun_by = "mover"

    engineers: bool = False
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state, side = run.state, self.side
        if not state.options.entrenching:
            text = "Entrenching is off in this battle; Z turns it on."
            raise nonsense("option_off", text, "Entrenching")
        some, all_of_them = engineers_of(state, side)
        if self.engineers and not some:
            own = state.setup.of(side, "engineers")
            text = f"There are no {own} left; a group of four or more digs on a spade."
            run.advise(Refusal("no_engineers", text, "Entrenching"))
        engineers = self.engineers or all_of_them
        men = sum(len(row.on_foot) for row in guys(state, side))
        run.advise(why_not_entrench(men, engineers, None, state.setup.catalog))
        run.advise_movement(side)
        _draw_for(run, agenda.ToCheck(check="entrench", side=side, engineers=engineers))


class PinTest(OrderOfSide, frozen=True, tag="pin_test"):
    begun_by = "who is shot at"

    def carry_out(self, run: Resolution) -> None:
        _draw_for(run, agenda.ToCheck(check="pin", side=self.side))


def _draw_for(run: Resolution, task: agenda.ToCheck) -> None:
    if run.state.levels[task.side] == "ledger":
        record = run.state.setup.does(task.side, "record", "records", "The")
        raise nonsense("ledger", f"{record} losses only: draw for it at the table.")
    run.go_on((task,))


class ClearWire(OrderOfSide, frozen=True, tag="clear_wire"):
    begun_by = "mover"

    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        """Clears a segment of the enemy's wire, or else of its own; no draw ("Barbed Wire")."""
        state, side = run.state, self.side
        whose = [name for name in (state.setup.enemy_of(side).id, side) if _wire(state, name)]
        if not whose:
            raise nonsense("no_wire", "There is no wire left.")
        able = sum(
            len(row.on_foot) for row in guys(state, side) if digs_as_engineer(state, row, False)
        )
        if side != state.mover:
            text = f"{state.setup.does(side, 'clear', 'clears', 'The')} wire only when moving."
            run.advise(Refusal("not_now", text, "Barbed Wire"))
        elif not able:
            own = state.setup.of(side, "engineers")
            text = f"There are no {own} left, and only engineers clear wire."
            run.advise(Refusal("no_engineers", text, "Barbed Wire"))
        elif state.cleared_now >= able:
            text = f"Each engineer clears one segment a turn, and only {able} of them are left."
            run.advise(Refusal("no_engineers", text, "Barbed Wire"))
        text = f"One segment of wire is cleared; {_wire(state, whose[0]) - 1} left."
        run.emit(events.Checked(check="wire", side=side, result=True, explain=text, of=whose[0]))


def _wire(state: State, side: str) -> int:
    return state.works.get(side, {}).get("barbed_wire", 0)


class MarkPinned(OrderOfRow, frozen=True, tag="mark_pinned"):
    begun_by = "both sides"

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        row = named(state, self.row)
        if not state.options.pinning:
            raise nonsense("option_off", "Pinning is off in this battle; Z turns it on.", "Pinning")
        if pins := state.pinned.get(row.key, 0):
            run.emit(events.PinMarked(row=row.key, pins=pins - 1))
        elif not row.unit.is_guy or not row.on_foot:
            raise nonsense("not_a_guy", "Only guys on the table can be pinned.", "Pinning")
        elif state.clock.phase != 1 or row.side != state.mover:
            lasts = "they last until phase 1 of that side's turn is over"
            text = f"Pins stop movement only, so {lasts}."
            raise nonsense("not_now", text, "Sequence of Play")
        else:
            run.emit(events.PinMarked(row=row.key, pins=1))


def check(run: Resolution, task: agenda.ToCheck, then: Agenda) -> None:
    state, pin = run.state, task.check == "pin"
    the_last_fell = pin and not guys_in_sight(state, task.side)
    if the_last_fell or state.levels[task.side] == "ledger":
        run.hold(then)
        return
    assert task.check != "wire"
    by_suit = task.check == "entrench" or (pin and state.setup.rulings["P29"] == "suits")
    draw = run.draw(task.side, task.check, lambda _: by_suit)
    if draw is None:
        return
    result, text = _read(state, task, draw)
    men = task.men - 1 if result else task.men
    if men > 0 and task.times > 1:
        then = (replace(task, times=task.times - 1, men=men), *then)
    run.emit(
        events.Checked(
            check=task.check,
            side=task.side,
            row=_under_fire(state, task) if pin else None,
            draw=draw,
            result=result,
            explain=f"{capital(draw.words)}: {text}",
            then=then,
            shot=task.shot,
            lone=task.lone,
        )
    )


def _under_fire(state: State, task: agenda.ToCheck) -> str | None:
    """Whom the pin test is about or, if nobody of that row is left or the test was called by hand,
    the target row of the last shot of this player turn, as of its start or after repeat shots."""
    names = [task.row] if task.row is not None else []
    if state.judged:
        last = state.judged[-1].shot
        names += [last.first, last.target]
    for name in names:
        row = find(state, name)
        if row and row.side == task.side and row.unit.is_guy and row.in_sight:
            return row.key
    return None


def engineers_of(state: State, side: str) -> tuple[bool, bool]:
    """Whether any unit of the side digs as an engineer, and whether all of its guys do."""
    able = [digs_as_engineer(state, row) for row in guys(state, side)]
    return any(able), bool(able) and all(able)


def digs_as_engineer(state: State, row: Row, national: bool = True) -> bool:
    """``national``: includes a nation's riflemen, who cannot clear wire."""
    nation = state.nation_of(row.side) if national else None
    if row.unit.digs == "engineer" or (nation and row.unit.id in nation.digs_as_engineers):
        return True
    traits = filter(row.concerned_by, state.setup.happenings(Trait))
    return any(trait.effect == "counts_as_engineer" for trait in traits)


def _read(state: State, task: agenda.ToCheck, draw: Draw) -> tuple[bool, str]:
    catalog, quality = state.setup.catalog, state.quality_of(task.side)
    match task.check:
        case "pin":
            pinned = is_pinned(quality, draw, catalog, state.setup.rulings)
            return pinned, "pinned; no move this turn." if pinned else "not pinned."
        case "command":
            over = movement_ends(quality, draw)
            no_more = state.setup.moves_no_more(task.side, "the")
            text = no_more if over else "movement goes on."
            return over, text
        case _:
            digging = catalog.entrench.engineers if task.engineers else catalog.entrench.group
            dug = digging.succeeds(draw)
            return dug, "dug in; place a foxhole." if dug else "the ground is too hard."


class CallTable(Order, frozen=True, tag="call_table"):
    begun_by = "mover"

    def carry_out(self, run: Resolution) -> None:
        clock = run.state.clock
        tasks = owed(run.state, clock.turn, clock.side)
        if not tasks:
            turn = run.state.setup.of(clock.side, f"turn {clock.turn}")
            raise nonsense("no_table", f"There is nothing to draw for in {turn}.")
        run.go_on(tasks)

    def given_by(self, state: State) -> tuple[str, ...]:
        return (state.mover,)


class ChooseResult(Answer, frozen=True, tag="choose"):
    option: int

    def carry_out(self, run: Resolution) -> None:
        nothing = nonsense("no_choice", "There is nothing to choose.")
        _, task, then = run.answered(agenda.ChoiceAsk, agenda.ToTable, nothing)
        choices = _choices(draw_tables(run.state)[task.happening], task.nth)
        if not 0 <= self.option < len(choices):
            raise nonsense("not_one_of_these", f"Choose 1 to {len(choices)}.")
        run.hold(then)
        _bring(run, task, choices[self.option])
        run.go_on()


def owed(state: State, turn: int, side: str) -> Agenda:
    return tuple(
        agenda.ToTable(happening=index, side=side, nth=1)
        for index, table in draw_tables(state).items()
        if table.side == side and turn >= table.from_turn and state.levels[side] != "ledger"
    )


def draw_tables(state: State) -> dict[int, DrawTable]:
    every = enumerate(state.setup.happenings(Happening))
    return {at: kind for at, kind in every if isinstance(kind, DrawTable)}


def limits_now(state: State) -> tuple[Restriction, ...]:
    if state.setup.scenario is None:
        return ()
    turn = state.clock.turn
    here = {group.id for group in state.setup.contingents if group.enters <= turn}
    limits = state.setup.scenario.limits_at(turn)
    return tuple(limit for limit in limits if limit.contingent is None or limit.contingent in here)


def reveal_text(state: State) -> str:
    """The scenario's reminders for this phase."""
    clock = state.clock
    texts = []
    for kind in state.setup.happenings(Happening):
        match kind:
            case MayReveal(text=text) if any(map(state.is_up, state.hidden)):
                texts.append(text)
            case Remind(side=side, phase=clock.phase, text=text) if side in (None, clock.side):
                texts.append(text)
            case DrawTable(side=clock.side, text=text) if clock.turn >= kind.from_turn:
                if clock.phase == 1 and state.levels[kind.side] == "ledger":
                    texts.append(text)
    return " ".join(texts)


def draw_on_table(run: Resolution, task: agenda.ToTable, then: Agenda) -> None:
    table = draw_tables(run.state)[task.happening]
    catalog = run.state.setup.catalog
    if task.choosing:
        words = tuple(_words(row, catalog) for row in _choices(table, task.nth))
        question = "Which reinforcements?"
        run.ask(agenda.ChoiceAsk(side=task.side, question=question, options=words))
        return
    draw = run.draw(task.side, "table", lambda _: False)
    if draw is None:
        return
    drawn = (row for row in table.rows if row.draw == task.nth)
    row = next(row for row in drawn if row.ranks[0] <= draw.rank <= row.ranks[1])
    entry = row.entry or task.entry
    task_now = replace(task, entry=entry)
    more = [replace(task_now, choosing=True)] if row.choice else []
    if task.nth < table.draws:
        more.append(replace(task_now, nth=task.nth + 1))
    where = f" at {entry}" if entry and row.units else ""
    run.emit(
        events.Tabled(
            happening=task.happening,
            side=task.side,
            nth=task.nth,
            draw=draw,
            explain=f"{capital(draw.words)}: {_words(row, catalog)}{where}.",
            entry=entry,
            then=(*more, *then),
        )
    )
    if row.units:
        _bring(run, task, row)


def _bring(run: Resolution, task: agenda.ToTable, row: TableRow) -> None:
    pieces = newly_made(run.state, task.side, REINFORCEMENTS, row.units or {})
    run.emit(events.Added(pieces=pieces, why=f"at {task.entry}" if task.entry else ""))


def _choices(table: DrawTable, nth: int) -> list[TableRow]:
    return [row for row in table.rows if row.draw == nth and row.units]


def _words(row: TableRow, catalog: Catalog) -> str:
    if row.units:
        return ", ".join(catalog.units[unit].named(count) for unit, count in row.units.items())
    if row.entry:
        return f"entry point {row.entry}"
    return "a choice of these" if row.choice else "nobody comes"


def cast(run: Resolution, task: agenda.ToCast, then: Agenda) -> None:
    """Both sides draw until the draws differ; the higher one decides ("The Basic Game", P35)."""
    sides = run.state.setup.sides
    if "ledger" in run.state.levels.values():  # they settle it at the table
        run.hold(then)
        return
    missing = [side.id for side in sides if side.id not in task.drawn]
    draw = run.draw(missing[0], "lot", lambda _: False)
    if draw is None:
        return
    drawn = {**task.drawn, missing[0]: draw}
    if len(drawn) < len(sides):
        run.hold((replace(task, drawn=drawn), *then))
        return
    one, other = (drawn[side.id].rank for side in sides)
    tie = one == other
    first = sides[0].id if one >= other else sides[1].id
    redraw = tie and task.ties < MOST_TIES
    again: Agenda = (agenda.ToCast(lot=task.lot, ties=task.ties + 1),) if redraw else ()
    won = None if again else first
    run.emit(events.LotCast(lot=task.lot, draws=drawn, first=won, then=(*again, *then)))
