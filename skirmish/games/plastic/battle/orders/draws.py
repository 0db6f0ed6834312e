"""Draws other than shots: those that players type, checks (pinned, movement, digging, wire), the
scenario's tables, and the lots for the first side.

The orders are those of players. ``draw_for_check``, ``draw_on_table`` and ``cast_lots`` are steps
of the agenda, which stops at a draw that a player has to type.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda
from skirmish.games.plastic.battle.orders.charges import charges_left, charges_owed
from skirmish.games.plastic.battle.orders.resolution import (
    Answer,
    Order,
    OrderOfRow,
    OrderOfSide,
    Resolution,
)
from skirmish.games.plastic.battle.qualities import (
    digs_as_engineer,
    quality_of_check,
    quality_of_group,
)
from skirmish.games.plastic.battle.rows import (
    existing_row,
    find_row,
    guys,
    guys_in_sight,
    newly_made,
)
from skirmish.games.plastic.battle.setup import REINFORCEMENTS
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import DECK, DIE, Catalog, Quality
from skirmish.games.plastic.rules.checks import (
    draws_for_command,
    is_dug_in,
    is_pinned,
    movement_ends,
    why_not_entrench,
)
from skirmish.games.plastic.scenarios.scenario import (
    Charges,
    DrawTable,
    Happening,
    MayReveal,
    Remind,
    Restriction,
)
from skirmish.games.plastic.scenarios.scenario import DrawTableRow as TableRow
from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

_SUITS = 4
"""So many cards of a rank are in a deck."""
MOST_TIES = 20
"""After so many ties the first side is first: two decks shuffled alike would tie for ever."""
BEFORE_PLAY: Agenda = (agenda.ToCast(lot="terrain"), agenda.ToCast(lot="side"))
"""With this a basic game begins whose sides are not settled yet."""


class Show(Answer, frozen=True, tag="show"):
    """A player's own draws, also more than are needed now. ``insist``: accept a card that is
    already gone."""

    anyway = "takes the card, and the journal says so."

    draws: tuple[Draw, ...]
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state, ask = run.state, run.state.ask
        if not self.draws:
            raise nonsense("no_draw", "Type what was drawn.")
        if not isinstance(ask, agenda.RepeatAsk | agenda.DrawAsk):
            raise nonsense("no_draw", "No card or roll is needed now.")
        # Both questions are for one side: it draws from its own deck.
        (side,) = ask.sides(state.setup)
        waiting: tuple[Draw, ...] = ()
        if isinstance(ask, agenda.DrawAsk) and ask.rank is not None:
            # Only the suit was missing, so what was typed behind it is still to be used.
            _refuse_other_card(self.draws[0], ask.rank)
            # The first in hand is the card whose suit was missing: it is laid anew.
            waiting = state.hand[1:]
        # Laid and not used: the steps of the agenda take from what is laid, one after the other,
        # and stop when nothing is left.
        lay(run, side, self.draws, waiting, insist=self.insist)
        run.go_on()


def _refuse_other_card(draw: Draw, rank: int) -> None:
    """Raises Refused unless it is a card of that rank with its suit, which alone is asked for."""
    if not draw.suit or draw.rank != rank:
        text = f"Which suit had the {Draw(rank, '').rank_words}? S, H, D or C."
        raise nonsense("suit_missing", text)


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
    source_id = run.state.source_of(side)
    source = run.state.sources[source_id]
    if not source.typed:
        raise nonsense("no_draw", "The program draws for this side.")
    draws = typed
    if source.kind == "deck":
        # A rank alone was typed without a suit, as the face of a die (None) is; here it is a card
        # of unknown suit (empty).
        draws = tuple(Draw(draw.rank, draw.suit or "") for draw in typed)
    twice = gone_before(draws, source)
    # A mistyped card is likelier than a deck with two of them; the players may still know better.
    if twice and not insist:
        raise gone_twice(twice[0])
    run.emit(events.DrawsTyped(source=source_id, draws=(*draws, *waiting), twice=twice))


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
            draws_have = f"{len(draws)} have"
            if len(draws) == 1:
                draws_have = "1 has"
            raise nonsense("no_draw", f"There is no draw {number}: {draws_have} been typed so far.")
        draws[number - 1] = draw
    return Show((*draws, *order.more), insist=order.insist)


def gone_twice(gone: Draw) -> Refused:
    """The refusal of a card that has gone already; of unknown suit, it is the last of its rank."""
    card = f"last {gone.rank_words}"
    if gone.suit:
        card = gone.words
    text = f"The {card} has gone since the last shuffle: one of the two was mistyped."
    return Refused(Refusal("card_gone", text, "Equipment Needed"))


def gone_before(draws: tuple[Draw, ...], source: Source) -> tuple[Draw, ...]:
    """Those of the ``draws``, in the order of typing, that have gone since the last shuffle and
    cannot occur again before the next; raises Refused for a card or face that does not exist."""
    if source.kind == "die":
        for draw in draws:
            _refuse_no_roll(draw)
        return ()
    twice: list[Draw] = []
    for draw in draws:
        no_such_rank = not 1 <= draw.rank <= DIE
        no_such_suit = bool(draw.suit) and draw not in DECK
        if no_such_rank or no_such_suit:
            raise nonsense("no_such_card", f"{draw} is not in the deck of 48; the Kings are out.")
        # As the game would: an empty deck is shuffled before the next draw, not after the last.
        if source.left(DECK) <= 0:
            source = source.shuffle()
        if _has_gone(draw, source):
            twice.append(draw)
        # On a copy: what is typed on one line follows one another.
        source = source.drawn(draw)
    return tuple(twice)


def _refuse_no_roll(draw: Draw) -> None:
    """Raises Refused unless it is a face of the die. A card has a suit, if only an unknown one."""
    if draw.suit is not None:
        text = f"This side plays with a die: a d{DIE} roll, 1 to {DIE}, not {draw}."
        raise nonsense("wrong_draw", text)
    if not 1 <= draw.rank <= DIE:
        raise nonsense("no_such_face", f"A d{DIE} shows 1 to {DIE}, not {draw.rank}.")


def _has_gone(draw: Draw, source: Source) -> bool:
    """Whether that card, or all of its rank if its suit is unknown, has gone or lies aside."""
    cards_seen = list(source.gone)
    if source.aside is not None:
        cards_seen.append(source.aside)
    # A card typed without its suit can still be one too many: the fifth seven.
    of_rank = sum(card.rank == draw.rank for card in cards_seen)
    if of_rank >= _SUITS:
        return True
    return bool(draw.suit) and draw in cards_seen


class GroupMoved(Order, frozen=True, kw_only=True, tag="group_moved"):
    """A group moves, for which its side draws a command card ("Troop Quality"). ``contingent``:
    whose quality counts where they differ, the worst of those that moved together; if it is not
    said, the worst of all on the table."""

    begun_by = "mover"

    contingent: str = ""
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state, side = run.state, run.state.mover
        if self.contingent:
            _refuse_other_contingent(state, side, self.contingent)
        quality = quality_of_group(state, side, self.contingent)
        if not draws_for_command(quality):
            text = _why_no_command_cards(state, side, self.contingent, quality)
            raise nonsense("no_draw", text, "Troop Quality")
        run.advise_movement(side)
        task = agenda.ToCheck(check="command", side=side, contingent=self.contingent)
        _draw_for(run, task)

    def given_by(self, state: State) -> tuple[str, ...]:
        return (state.mover,)


def _why_no_command_cards(state: State, side: str, contingent: str, quality: Quality | None) -> str:
    """The sentence for a group of this quality, which moves without a draw."""
    if quality is None:
        they_are = f"{state.setup.does(side, 'have', 'has', article='The')} no force quality"
    elif contingent:
        name = state.setup.contingent_by_id[contingent].name
        return f"{name}: {quality.name.lower()}, so they draw no command cards."
    else:
        they_are = f"{state.setup.does(side, 'are', 'is', article='The')} {quality.name.lower()}"
    draw = state.setup.verb_of(side, "draw", "draws")
    return f"{they_are} and {draw} no command cards."


def _refuse_other_contingent(state: State, side: str, contingent: str) -> None:
    """Raises Refused unless the side has a contingent of that id."""
    of_side = [part.id for part in state.setup.contingents if part.side == side]
    if contingent not in of_side:
        their_contingent = state.setup.owned_by(side, f"contingent {contingent!r}")
        raise nonsense("unknown_contingent", f"There is no {their_contingent}.")


class Dig(OrderOfSide, frozen=True, kw_only=True, tag="dig"):
    """A group digs in, which a draw decides ("Entrenching"). ``engineers``: there is one in the
    group, or it is one engineer alone."""

    begun_by = "mover"

    engineers: bool = False
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state, side = run.state, self.side
        if not state.options.entrenching:
            text = "Entrenching is off in this battle; Z turns it on."
            raise nonsense("option_off", text, "Entrenching")
        # Who stands with whom is seen on the table only, so the program can speak but for the whole
        # side.
        own_engineers = engineers_of(state, side)
        if self.engineers and not own_engineers.any_digs:
            their_engineers = state.setup.owned_by(side, "engineers")
            text = f"There are no {their_engineers} left; a group of four or more digs on a spade."
            run.advise(Refusal("no_engineers", text, "Entrenching"))
        engineers = self.engineers or own_engineers.all_dig
        men = sum(len(row.on_foot) for row in guys(state, side))
        # Without the nation: its riflemen who dig as engineers are counted among these already.
        run.advise(why_not_entrench(men, engineers, nation=None, catalog=state.setup.catalog))
        run.advise_movement(side)
        _draw_for(run, agenda.ToCheck(check="entrench", side=side, engineers=engineers))


class PinTest(OrderOfSide, frozen=True, tag="pin_test"):
    """A pin test called by hand, for what the program did not see. ``contingent``: whose quality
    counts where they differ, the worst of those that are tested together; if it is not said, the
    worst of all on the table."""

    begun_by = "who is shot at"

    contingent: str = ""

    def carry_out(self, run: Resolution) -> None:
        if self.contingent:
            _refuse_other_contingent(run.state, self.side, self.contingent)
        _draw_for(run, agenda.ToCheck(check="pin", side=self.side, contingent=self.contingent))


def _draw_for(run: Resolution, task: agenda.ToCheck) -> None:
    """Begins a check that a player has called."""
    if run.state.levels[task.side] == "ledger":
        record = run.state.setup.does(task.side, "record", "records", article="The")
        raise nonsense("ledger", f"{record} losses only: draw for it at the table.")
    run.go_on(instead=(task,))


class ClearWire(OrderOfSide, frozen=True, tag="clear_wire"):
    """An engineer clears a segment of wire, of the enemy first; no draw ("Barbed Wire")."""

    begun_by = "mover"

    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state, side = run.state, self.side
        # Nearly always it is the enemy's wire that is in the way.
        enemy = state.setup.enemy_of(side).id
        have_wire = [owner for owner in (enemy, side) if _wire(state, owner)]
        if not have_wire:
            raise nonsense("no_wire", "There is no wire left.")
        # Each of them clears one segment a turn, wherever they stand.
        able = _wire_cutters(state, side)
        if side != state.mover:
            text = (
                f"{state.setup.does(side, 'clear', 'clears', article='The')} wire only when moving."
            )
            run.advise(Refusal("not_now", text, "Barbed Wire"))
        elif not able:
            their_engineers = state.setup.owned_by(side, "engineers")
            text = f"There are no {their_engineers} left, and only engineers clear wire."
            run.advise(Refusal("no_engineers", text, "Barbed Wire"))
        elif state.cleared_now >= able:
            text = f"Each engineer clears one segment a turn, and only {able} of them are left."
            run.advise(Refusal("no_engineers", text, "Barbed Wire"))
        owner = have_wire[0]
        text = f"One segment of wire is cleared; {_wire(state, owner) - 1} left."
        run.emit(events.Checked(check="wire", side=side, result=True, explain=text, of=owner))


def _wire_cutters(state: State, side: str) -> int:
    """How many can clear wire: engineers, but no nation's riflemen who dig like them."""
    able = 0
    for row in guys(state, side):
        if digs_as_engineer(state, row, national=False):
            able += len(row.on_foot)
    return able


def _wire(state: State, side: str) -> int:
    """The segments of wire that a side still has."""
    return state.works.get(side, {}).get("barbed_wire", 0)


class MarkPinned(OrderOfRow, frozen=True, tag="mark_pinned"):
    """Marks a group of a row as pinned by hand, or takes a mark off."""

    begun_by = "both sides"

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        row = existing_row(state, self.row)
        if not state.options.pinning:
            raise nonsense("option_off", "Pinning is off in this battle; Z turns it on.", "Pinning")
        pins = state.pinned.get(row.key, 0)
        # The same key takes the mark off again.
        if pins:
            run.emit(events.PinMarked(row=row.key, pins=pins - 1))
        elif not row.unit.is_guy or not row.on_foot:
            raise nonsense("not_a_guy", "Only guys on the table can be pinned.", "Pinning")
        elif state.clock.phase != 1 or row.side != state.mover:
            lasts = "they last until phase 1 of that side's turn is over"
            text = f"Pins stop movement only, so {lasts}."
            raise nonsense("not_now", text, "Sequence of Play")
        else:
            run.emit(events.PinMarked(row=row.key, pins=1))


def draw_for_check(run: Resolution, task: agenda.ToCheck, then: Agenda) -> None:
    """Draws for a check; of several pin draws each that pins nobody is followed by the next."""
    state, is_pin_test = run.state, task.check == "pin"
    # Owed when the shot was fired; meanwhile the men may all be dead.
    the_last_fell = is_pin_test and not guys_in_sight(state, task.side)
    if the_last_fell or state.levels[task.side] == "ledger":
        run.hold(then)
        return
    # Wire has no draw; the type of ``check`` includes it, for the events.
    assert task.check != "wire"
    by_suit = _by_suit(state, task)

    def suit_matters(rank: int) -> bool:
        del rank
        return by_suit

    draw = run.draw(task.side, task.check, suit_matters)
    if draw is None:
        return
    result, text = _check_result(state, task, draw)
    # Only pin tests come several times, and end early once all who may be pinned are.
    men = task.men
    if result:
        men -= 1
    # A group has no more draws than men who are not pinned yet.
    if men > 0 and task.times > 1:
        then = (replace(task, times=task.times - 1, men=men), *then)
    row = None
    if is_pin_test:
        row = _under_fire(state, task)
    run.emit(
        events.Checked(
            check=task.check,
            side=task.side,
            row=row,
            draw=draw,
            result=result,
            explain=f"{capital(draw.words)}: {text}",
            then=then,
            shot=task.shot,
            lone=task.lone,
        )
    )


def _by_suit(state: State, task: agenda.ToCheck) -> bool:
    """Whether a check depends on the suit: digging does, pins by one answer to P29."""
    if task.check == "pin":
        return state.setup.rulings["P29"] == "suits"
    return task.check == "entrench"


def _under_fire(state: State, task: agenda.ToCheck) -> str | None:
    """The key of the row that a pin test is about. If nobody of it is left, or the test was called
    by hand, it is about the target of the last shot of this player turn. None if there is none."""
    row_keys: list[str] = []
    if task.row is not None:
        row_keys.append(task.row)
    if state.judged:
        last = state.judged[-1].shot
        # First the row that a run of repeat fire began with, then the one that it went on to: pins
        # are for op fire at the first.
        row_keys += [last.first, last.target]
    for key in row_keys:
        row = find_row(state, key)
        if row and row.side == task.side and row.unit.is_guy and row.in_sight:
            return row.key
    return None


class Engineers(NamedTuple):
    """Whether some of a side's guys dig as engineers, and whether all of them do."""

    any_digs: bool
    all_dig: bool


def engineers_of(state: State, side: str) -> Engineers:
    """Who of the side digs as an engineer; nobody if it has no guys left."""
    able = [digs_as_engineer(state, row) for row in guys(state, side)]
    # ``all`` of nobody would be true.
    return Engineers(any_digs=any(able), all_dig=bool(able) and all(able))


class _CheckResult(NamedTuple):
    """Whether a check comes to what it is drawn for (pinned, movement over, dug in), and that in
    ``words``."""

    comes_to_it: bool
    words: str


def _check_result(state: State, task: agenda.ToCheck, draw: Draw) -> _CheckResult:
    """What a draw does in a check."""
    catalog, quality = state.setup.catalog, quality_of_check(state, task)
    match task.check:
        case "pin":
            if is_pinned(quality, draw, catalog, state.setup.rulings):
                return _CheckResult(True, "pinned; no move this turn.")
            return _CheckResult(False, "not pinned.")
        case "command":
            if movement_ends(quality, draw):
                return _CheckResult(True, state.setup.moves_no_more(task.side, "the"))
            return _CheckResult(False, "movement goes on.")
        case _:  # "entrench"; wire is cleared without a draw
            # That a nation digs like engineers is in ``engineers`` already.
            if is_dug_in(task.engineers, None, draw, catalog):
                return _CheckResult(True, "dug in; place a foxhole.")
            return _CheckResult(False, "the ground is too hard.")


class CallTable(Order, frozen=True, tag="call_table"):
    """Draws on the scenario's tables, if it was not done at the beginning of the turn."""

    begun_by = "mover"

    def carry_out(self, run: Resolution) -> None:
        clock = run.state.clock
        tasks = tables_owed(run.state, clock.turn, clock.side)
        if not tasks:
            turn = run.state.setup.owned_by(clock.side, f"turn {clock.turn}")
            raise nonsense("no_table", f"There is nothing to draw for in {turn}.")
        run.go_on(instead=tasks)

    def given_by(self, state: State) -> tuple[str, ...]:
        return (state.mover,)


class ChooseResult(Answer, frozen=True, tag="choose"):
    """One of the rows of a table between which the side may choose, counted from 0."""

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


def tables_owed(state: State, turn: int, side: str) -> Agenda:
    """The draws on tables and for charges that a side owes at the beginning of that turn."""
    # Whoever keeps only the ledger draws at the table, and enters who arrives by hand.
    if state.levels[side] == "ledger":
        return ()
    tasks = []
    for index, table in draw_tables(state).items():
        if table.side == side and turn >= table.from_turn:
            tasks.append(agenda.ToTable(happening=index, side=side, nth=1))
    return (*tasks, *charges_owed(state, turn, side))


def draw_tables(state: State) -> dict[int, DrawTable]:
    """The tables of the scenario by their place among its happenings."""
    tables = {}
    for index, happening in enumerate(state.setup.happenings(Happening)):
        if isinstance(happening, DrawTable):
            tables[index] = happening
    return tables


def limits_now(state: State) -> tuple[Restriction, ...]:
    """What the scenario forbids in this turn to those who have come."""
    if state.setup.scenario is None:
        return ()
    turn = state.clock.turn
    # A limit of a whole side names no contingent (None).
    have_come: set[str | None] = {None}
    for contingent in state.setup.contingents:
        if contingent.enters <= turn:
            have_come.add(contingent.id)
    limits = state.setup.scenario.limits_at(turn)
    return tuple(limit for limit in limits if limit.contingent in have_come)


_Reminding: TypeAlias = MayReveal | Remind | DrawTable | Charges
"""What players may have to think of themselves."""


def reminders_now(state: State) -> str:
    """What the scenario reminds the players of in this phase; empty if there is nothing."""
    texts = []
    for happening in state.setup.happenings(Happening):
        if isinstance(happening, _Reminding) and _reminds_now(state, happening):
            texts.append(happening.text)
    return " ".join(texts)


def _reminds_now(state: State, happening: _Reminding) -> bool:
    """Whether the players have to think of it now."""
    clock = state.clock
    if isinstance(happening, MayReveal):
        # As long as somebody of them hides on the table.
        return any(state.is_up(piece) for piece in state.hidden)
    if isinstance(happening, Remind):
        return happening.phase == clock.phase and happening.side in (None, clock.side)
    if isinstance(happening, Charges) and happening.id not in charges_left(state):
        return False
    # The program draws at the beginning of the turn; only with a ledger players must do it.
    side = happening.side
    begins = clock.phase == 1 and clock.turn >= happening.from_turn
    return begins and side == clock.side and state.levels[side] == "ledger"


def draw_on_table(run: Resolution, task: agenda.ToTable, then: Agenda) -> None:
    """One draw on a table of the scenario, or the choice that it leaves."""
    table = draw_tables(run.state)[task.happening]
    catalog = run.state.setup.catalog
    if task.choosing:
        options = tuple(_row_words(row, catalog) for row in _choices(table, task.nth))
        question = "Which reinforcements?"
        run.ask(agenda.ChoiceAsk(side=task.side, question=question, options=options))
        return
    draw = run.draw(task.side, "table", _suit_never_matters)
    if draw is None:
        return
    row = _row_drawn(table, task.nth, draw)
    # One draw may say where those of the next draws enter.
    entry = row.entry or task.entry
    task_with_entry = replace(task, entry=entry)
    next_tasks = []
    if row.choice:
        next_tasks.append(replace(task_with_entry, choosing=True))
    if task.nth < table.draws:
        next_tasks.append(replace(task_with_entry, nth=task.nth + 1))
    result = _row_words(row, catalog)
    if entry and row.units:
        result += f" at {entry}"
    run.emit(
        events.TableDrawn(
            happening=task.happening,
            side=task.side,
            nth=task.nth,
            draw=draw,
            explain=f"{capital(draw.words)}: {result}.",
            entry=entry,
            then=(*next_tasks, *then),
        )
    )
    if row.units:
        _bring(run, task, row)


def _suit_never_matters(rank: int) -> bool:
    """Tables and lots go by the rank alone."""
    del rank
    return False


def _row_drawn(table: DrawTable, nth: int, draw: Draw) -> TableRow:
    """The row of the table for that draw; a scenario file without a gap has one."""
    for row in table.rows:
        lowest, highest = row.ranks
        if row.draw == nth and lowest <= draw.rank <= highest:
            return row
    raise LookupError(f"the table has no row for {draw}")


def _bring(run: Resolution, task: agenda.ToTable, row: TableRow) -> None:
    """Adds the units of a row of the table as reinforcements."""
    pieces = newly_made(run.state, task.side, REINFORCEMENTS, row.units or {})
    why = ""
    if task.entry:
        why = f"at {task.entry}"
    run.emit(events.Added(pieces=pieces, why=why))


def _choices(table: DrawTable, nth: int) -> list[TableRow]:
    """The rows between which a side chooses: those of that draw that bring somebody."""
    return [row for row in table.rows if row.draw == nth and row.units]


def _row_words(row: TableRow, catalog: Catalog) -> str:
    """What a row of a table brings."""
    if row.units:
        return ", ".join(catalog.units[unit].named(count) for unit, count in row.units.items())
    if row.entry:
        return f"entry point {row.entry}"
    if row.choice:
        return "a choice of these"
    return "nobody comes"


def cast_lots(run: Resolution, task: agenda.ToCast, then: Agenda) -> None:
    """Both sides draw until the draws differ; the higher one decides ("The Basic Game", P35). The
    task comes again for each draw, with those ``drawn`` so far, by side."""
    sides = run.state.setup.sides
    if "ledger" in run.state.levels.values():
        # Who keeps only a ledger settles it at the table.
        run.hold(then)
        return
    side = next(side.id for side in sides if side.id not in task.drawn)
    draw = run.draw(side, "lot", _suit_never_matters)
    if draw is None:
        return
    drawn = {**task.drawn, side: draw}
    if len(drawn) < len(sides):
        run.hold((replace(task, drawn=drawn), *then))
        return
    ranks = [drawn[side.id].rank for side in sides]
    is_tie = ranks[0] == ranks[1]
    if is_tie and task.ties < MOST_TIES:
        next_lot = agenda.ToCast(lot=task.lot, ties=task.ties + 1)
        run.emit(events.LotCast(lot=task.lot, draws=drawn, first=None, then=(next_lot, *then)))
        return
    first = sides[0].id
    if ranks[1] > ranks[0]:
        first = sides[1].id
    run.emit(events.LotCast(lot=task.lot, draws=drawn, first=first, then=then))
