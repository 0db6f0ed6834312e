"""What lies on the table in words: the roll with its sum, the question that is open, the hand."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from skirmish.app.beach.prompt import KEY_OF, Draft, die_key, typed_cards
from skirmish.app.beach.shore import offered
from skirmish.games.beach_head.agenda import (
    CardsAsk,
    DiceAsk,
    ExchangeAsk,
    LotAsk,
    Roll,
    TankAsk,
    TargetAsk,
    TrimAsk,
)
from skirmish.games.beach_head.decide import wanted
from skirmish.games.beach_head.hand import any_playable, doubt, playable
from skirmish.games.beach_head.manual import Remove, signs
from skirmish.games.beach_head.rolls import counted, modifiers
from skirmish.games.beach_head.rules_told import card_use
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.telling import (
    REASONS,
    about,
    comes_to,
    draw_on,
    parts,
    phase_step,
)
from skirmish.tabletop.chance import Draw

KEY, DIM, STRONG, ALARM = "$accent bold", "$foreground 60%", "bold", "$error bold"
OUT = "$error strike"


def table(state: State, draft: Draft) -> list[Content]:
    """Two or three lines: what it is about, the sum, what it comes to or how to answer."""
    if state.over:
        return _over(state)
    if state.phase is None:
        return [
            Content.styled("THE LANDING", STRONG),
            Content("The landing craft approach. Clear all bunkers and trenches."),
        ]
    if state.ask is not None:
        return _question(state, draft)
    if state.roll is not None:
        return _roll(state, state.roll, draft)
    return [Content.styled(state.now.name.upper(), STRONG)]


def hint(state: State, draft: Draft) -> Content:
    """What the next key may be."""
    if state.over:
        return _keys(("S", "high scores"), ("N", "another game"), ("Esc", "leaves"))
    if draft.card is not None:
        return _keys(("Esc", "takes the card back"))
    if draft.sure is not None:
        return _keys(("Space", "plays it all the same"), ("Esc", "takes it back"))
    match state.ask:
        case ExchangeAsk(most=0):
            return _keys(("k", "plays it"), ("Space", "goes on"))
        case ExchangeAsk():
            if draft.marked:
                return _keys(("Space", "exchanges them"), ("Backspace", "unmarks"))
            more = (("k", "plays the General"),) if _holds(state, 13) else ()
            return _keys(("Space", "goes on"), ("rank", "marks a card"), *more)
        case TrimAsk(count=count):
            if len(draft.marked) == count:
                return _keys(("Space", "discards them"), ("Backspace", "unmarks"))
            more = () if draft.marked else (("Space", "proposes"),)
            return _keys(("rank", "marks a card"), *more)
        case DiceAsk() | LotAsk() | CardsAsk():
            return _keys(("Backspace", "takes back what was typed last"))
        case TargetAsk() | TankAsk():
            return _keys(("digit", "chooses"))
    if state.phase is None:
        return _keys(("Space", "begins"))
    cards = state.roll is not None and any_playable(state)
    says = "lets it count" if state.roll and state.roll.faces else "rolls"
    return _keys(("Space", says), *([("rank", "plays a card")] if cards else []))


def _keys(*keys: tuple[str, str]) -> Content:
    pairs = [Content.assemble((key, KEY), f" {does}") for key, does in keys]
    return Content("   ").join(pairs)


# ------------------------------------------------------------------ the roll


def _heading(state: State, words: str) -> Content:
    side = Content.styled("GERMAN  ", ALARM) if state.now.side == "german" else Content("")
    again = Content.styled("  once more after this", KEY) if state.repeats else Content("")
    return Content.assemble(side, (state.now.name.upper(), STRONG), f"  {words}", again)


def _roll(state: State, roll: Roll, draft: Draft) -> list[Content]:
    words = about(state, roll.task).partition(": ")[2]
    head = _heading(state, words)
    lines = [head, sum_of(state, roll)]
    if draft.card is not None:
        name = state.setup.manual.card_of(draft.card.rank).name
        dice = {die_key(state, die): _lies(state, roll, die) for die in range(roll.dice)}
        which = (Content.assemble((key, KEY), f" {lies}  ") for key, lies in dice.items())
        return [*lines, Content.assemble((f"{name} on which die?  ", STRONG), *which)]
    if draft.sure is not None:
        return [*lines, Content(doubt(state, draft.sure.card, draft.sure.die))]
    if not roll.faces:
        lies = f"{signs(one.card for one in roll.cards)} played. " if roll.cards else ""
        return [*lines, Content(f"{lies}Cards are played before the dice are rolled.")]
    return [*lines, _result(state, roll)]


def _lies(state: State, roll: Roll, die: int) -> str:
    """The cards on a die that is not yet rolled (B19)."""
    if roll.faces:
        return ""
    return f"with {signs(one.card for one in roll.cards if one.die == die) or 'no card'}"


def _result(state: State, roll: Roll) -> Content:
    return Content.assemble(("→ ", KEY), (comes_to(state, roll), STRONG))


def sum_of(state: State, roll: Roll) -> Content:
    """``[4] +1 dozens of squads -2 cards = 3``."""
    now = counted(state, roll)
    first, *others = parts(state, roll)
    if now.fixed:
        dice = Content.assemble((f"[{first.value}]", KEY), f" {first.reason}")
    elif now.faces:
        dice = Content(" ").join(Content.styled(f"[{face}]", KEY) for face in now.faces)
    else:
        dice = Content.styled(" ".join(["[ ]"] * roll.dice), KEY)
    terms = [Content.assemble((f"  {one.value} ", STRONG), (one.reason, DIM)) for one in others]
    total = (
        [Content.assemble("  = ", (str(now.total), STRONG))]
        if roll.faces and (others or roll.dice > 1 or now.fixed)
        else []
    )
    return Content.assemble(dice, *terms, *total)


# ------------------------------------------------------------------ questions


def _question(state: State, draft: Draft) -> list[Content]:
    ask = state.ask
    assert ask is not None
    lines = [_heading(state, ""), Content.styled(draw_on(state) or wanted(ask), STRONG)]
    match ask:
        case DiceAsk():
            words = about(state, state.roll.task).partition(": ")[2] if state.roll else ""
            lines[0] = _heading(state, words)
            lines.append(_typed_dice(draft, ask.count))
            if state.roll and state.roll.modifiers:
                lines[1] = Content.assemble(lines[1], "  ", sum_of(state, state.roll))
        case CardsAsk(count=count):
            typed = signs(typed_cards(state, draft.typed)).split()
            blanks = ["_"] * (count - len(typed))
            example = "" if draft.typed else "   a 2-9 j q k, 0 is a ten"
            lines.append(Content.assemble((" ".join([*typed, *blanks]), KEY), (example, DIM)))
        case LotAsk(tanks=tanks):
            names = [state.setup.manual.tank_of(one).noun for one in tanks]
            which = ", ".join(f"{number} {name}" for number, name in enumerate(names, 1))
            lines.append(Content.assemble((draft.typed or "_", KEY), f"   {which}"))
        case TargetAsk(points=points):
            if points is not None:
                lines[1] = Content.assemble((f"{points} rolled. ", KEY), lines[1])
            lines[0] = _heading(state, _to_come(state))
            lines.append(offered(state, ask))
        case ExchangeAsk(most=0):
            pass
        case ExchangeAsk() | TrimAsk():
            marked = signs(draft.marked)
            lines.append(Content(f"Marked: {marked}" if marked else ""))
    return lines


def _to_come(state: State) -> str:
    """What will be rolled once the target is named: ``1d6 -1 tank traps``."""
    step = phase_step(state, state.agenda[0])
    if not isinstance(step, Remove):
        return ""
    terms = [f"{one.value:+d} {REASONS[one.code]}" for one in modifiers(state, step.modifiers)]
    return " ".join([f"{step.dice} points", *terms])


def _typed_dice(draft: Draft, count: int) -> Content:
    faces = [*draft.typed, *" " * (count - len(draft.typed))]
    return Content.styled(" ".join(f"[{face}]" for face in faces), KEY)


def _over(state: State) -> list[Content]:
    squads = "squad" if state.casualties == 1 else "squads"
    return [
        Content.styled("THE BEACH IS TAKEN", KEY),
        Content.assemble(
            (f"{state.casualties} {squads} lost", STRONG),
            f" in {state.turn} turns; {state.squads} still stand.",
        ),
    ]


# ------------------------------------------------------------------ the hand


def hand(state: State, draft: Draft, width: int, most: int) -> list[Content]:
    """The cards with their keys and uses, in as many lines as they need; where that would be more
    than ``most``, without the uses."""
    if state.deck is None or state.over:
        return []
    asked = isinstance(state.ask, ExchangeAsk | TrimAsk)
    if not state.hand:
        return [Content.styled("No cards in your hand.", DIM)]
    for brief in (False, True):
        cards = [_card(state, card, draft, lit=asked, brief=brief) for card in sorted(state.hand)]
        lines = list(_flowing([Content.styled("HAND ", STRONG), *cards], width))
        if len(lines) <= most:
            break
    return lines


def _card(state: State, card: Draw, draft: Draft, *, lit: bool, brief: bool) -> Content:
    """A card with the key that plays or marks it; by its rank alone where no key does."""
    printed = state.setup.manual.card_of(card.rank)
    use = "" if brief else f" {printed.name} {card_use(state.setup.manual, printed)}"
    if not (lit or _may_play(state, card)):
        return Content.styled(f"{signs([card])}{use}", DIM)
    sign = Content.styled(KEY_OF[card.rank], KEY)
    if card in draft.marked:
        said = Content.assemble(sign, (f" ✗{signs([card])}{use}", OUT))
    else:
        said = Content.assemble(sign, use)
    return said.stylize(f"@click=screen.press('{KEY_OF[card.rank]}')")


def _may_play(state: State, card: Draw) -> bool:
    """Whether its key would play it now: a digit that answers a question is no card."""
    if state.ask is not None or state.roll is None:
        return False
    return any(playable(state, card, die) for die in range(state.roll.dice))


def _flowing(pieces: list[Content], width: int) -> Iterator[Content]:
    line: list[Content] = []
    used = 0
    for piece in pieces:
        need = piece.cell_length + (2 if line else 0)
        if line and used + need > width:
            yield Content("  ").join(line)
            line, used, need = [], 0, piece.cell_length
        line.append(piece)
        used += need
    yield Content("  ").join(line)


def _holds(state: State, rank: int) -> bool:
    return any(card.rank == rank for card in state.hand)
