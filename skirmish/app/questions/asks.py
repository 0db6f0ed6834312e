"""What the program asks, each as one question: whose card, who dies, which model, who was inside.

Every answer is a key that the mode of that question understands; see ``prompt_answers``.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from skirmish.app.battle.mode import Mode, Picked, listed, people
from skirmish.app.battle.prompt_again import Judging, Tallying
from skirmish.app.battle.prompt_answers import Dying, Pointing, condition
from skirmish.app.battle.prompt_forms import Counting
from skirmish.app.battle.prompt_lists import Sunk
from skirmish.app.battle.prompt_waiting import (
    Choosing,
    Ending,
    Over,
    Suiting,
    Typing,
    drawn_for,
)
from skirmish.app.battle.typed_draws import typed_draws
from skirmish.app.battle.verdict_words import word
from skirmish.app.questions.answers import AMEND, FULL, UNDO, Answer, Question, of_whom
from skirmish.app.questions.words import because
from skirmish.games.plastic.battle.agenda import (
    CasualtyAsk,
    ChoiceAsk,
    DrawAsk,
    InsideAsk,
    PieceAsk,
)
from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.battle.orders import Show
from skirmish.games.plastic.battle.orders.rejudge import volley_to_count
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import find, riders_possible
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import question as counted
from skirmish.games.plastic.rules.catalog import DECK, DIE, a_unit
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.typed import plain

HOME = Answer(key="H", words="Home; the battle is saved", action="home")


def asked(play: BattlePlay, mode: Mode) -> Question:
    """The question that is open; it always has an answer, if only on the full screen."""
    state = play.state
    ask = state.ask
    found: Question | None = None
    match mode:
        case Over():
            found = _over(play)
        case Ending():
            found = _ending(state)
        case Tallying():
            found = _tallying(play, mode)
        case Judging():
            found = _judging(play, mode)
        case Counting():
            found = _counting(state, mode)
        case Dying() if isinstance(ask, CasualtyAsk):
            found = _dying(play, ask, mode)
        case Pointing() if isinstance(ask, PieceAsk):
            found = _pointing(play, ask, mode)
        case Sunk() if isinstance(ask, InsideAsk):
            found = _inside(play, ask, mode)
        case Choosing() if isinstance(ask, ChoiceAsk):
            found = _choosing(state, ask)
        case Suiting() | Typing() if isinstance(ask, DrawAsk):
            found = _suit(state, ask) if ask.rank is not None else _draw(play, ask)
    return found or Question(
        name="elsewhere", asks="This is answered on the full screen.", answers=(FULL,)
    )


# ------------------------------------------------------------------ who dies, which one


def _dying(play: BattlePlay, ask: CasualtyAsk, mode: Dying) -> Question:
    state = play.state
    the = state.setup.the(ask.side)
    answers = []
    if ask.count > 1:
        rest = ask.proposed[: ask.count - len(mode.named)]
        dying = (*mode.named, *rest)
        all_of_them = listed(state, [Picked(key, dying.count(key)) for key in dict.fromkeys(dying)])
        answers.append(Answer(words=f"These die: {all_of_them}", presses=("enter",)))
    for key in ask.rows:
        row = find(state, key)
        if row is not None:
            named = mode.named.count(key)
            says = f"{len(row.on_foot)} there" if not named else f"{named} named"
            says += of_whom(state, row)
            answers.append(
                Answer(key=row.letter, words=row.unit.short, says=says, presses=(row.letter,))
            )
    many = f"{ask.count} men die" if ask.count > 1 else "One man dies"
    return Question(
        name="dying",
        large=word(play),
        because=because(play),
        asks=f"WHO DIES? {many}; {the} choose.",
        says=("Any man of the group that the shooter can see.",),
        answers=(*answers, AMEND, UNDO),
        usual=_proposed(state, ask) if ask.count == 1 else 0,
    )


def _proposed(state: State, ask: CasualtyAsk) -> int:
    shown = [key for key in ask.rows if find(state, key) is not None]
    return shown.index(ask.proposed[0]) if ask.proposed[0] in shown else 0


def _pointing(play: BattlePlay, ask: PieceAsk, mode: Pointing) -> Question:
    state = play.state
    row = find(state, ask.row)
    name = state.setup.of(ask.side, row.unit.name if row else "model")
    codes = {piece: piece_code(piece) for piece in ask.pieces}
    short = {code: code[1:] for code in codes.values()}
    alone = all(len(number) == 1 for number in short.values())
    return Question(
        name="which",
        large=word(play),
        because=because(play),
        asks=f"WHICH {name} was hit?",
        says=(f"Its number, as on the roster: {mode.typed}_" if mode.typed else _ROSTER,),
        answers=(
            *(
                Answer(
                    key=short[code] if alone else "",
                    shown=short[code],
                    words=code,
                    says=condition(state, piece),
                    presses=(*short[code], "enter"),
                )
                for piece, code in codes.items()
            ),
            UNDO,
        ),
    )


_ROSTER = "Its number is on the roster."


def _inside(play: BattlePlay, ask: InsideAsk, mode: Sunk) -> Question:
    state = play.state
    unit = state.setup.unit(state.unit_of(ask.carrier))
    so_far = mode.so_far(state)
    done = f"Done: {so_far} were inside and die" if so_far else "Nobody was inside"
    return Question(
        name="inside",
        large=word(play),
        because=because(play),
        asks=f"WHO WAS INSIDE? {a_unit(state.setup.of(ask.side, unit.name), 'A')} is lost.",
        says=(f"It holds {unit.seats} guys. Each choice below adds one more.",),
        answers=(
            Answer(words=done, presses=("enter",)),
            *(
                Answer(
                    key=row.letter,
                    words=row.unit.short,
                    says=f"{len(row.on_foot)} there{of_whom(state, row)}",
                    presses=(row.letter,),
                )
                for row in riders_possible(state, ask.side)
            ),
            UNDO,
        ),
    )


def _choosing(state: State, ask: ChoiceAsk) -> Question:
    return Question(
        name="choice",
        large="CHOOSE",
        asks=f"{state.setup.the(ask.side, 'The')} choose: {ask.question}",
        answers=(
            *(
                Answer(key=str(n), words=words, presses=(str(n),))
                for n, words in enumerate(ask.options, 1)
            ),
            UNDO,
        ),
    )


# ------------------------------------------------------------------ own cards and dice


def _draw(play: BattlePlay, ask: DrawAsk) -> Question:
    """The field takes what is typed; the list does for the mouse and the arrows."""
    state = play.state
    own = people(state, ask.side)
    why = drawn_for(state, ask)
    what = "ROLL" if ask.die else "DRAW"
    shown = "What did the die show?" if ask.die else "What is the card? Its rank is enough."
    if volley_to_count(state) is not None:
        shown = shown.replace("Its rank is enough.", "").rstrip() + " = counts them all."
    return Question(
        name="own draw",
        large=f"{own} {what}".upper(),
        asks=f"{what.capitalize()} for {why}. {shown}",
        answers=tuple(_draws(ask.die)),
        typed=True,
    )


def _tallying(play: BattlePlay, mode: Tallying) -> Question:
    """The numbers of a counted volley; digits are typed into the one that is marked."""
    head, numbers, *_ = ["".join(text for text, _ in line) for line in mode.lines(play)]
    asks, esc = (
        head.removeprefix("HOW MANY HIT?").strip(),
        "Leave it" if mode.anew else "Card by card",
    )
    back = Answer(key="escape", shown="Esc", words=esc, presses=("escape",))
    if mode.suiting:
        return Question(
            name="tally suit",
            large="HOW MANY HIT?",
            asks=f"{asks} {mode.which_suit(play.state)}",
            answers=(*_SUITS, back),
        )
    return Question(
        name=f"tally {mode.at}",
        large="HOW MANY HIT?",
        asks=asks,
        says=(numbers,),
        answers=(
            Answer(words="Count them so", presses=("enter",)),
            Answer(key="tab", shown="Tab", words="The next number", presses=("tab",)),
            *(
                Answer(key=key, words=words[:1].upper() + words[1:], presses=(key,))
                for key, words in mode.otherwise(play.state)
            ),
            back,
        ),
    )


def _judging(play: BattlePlay, mode: Judging) -> Question:
    """What was wrong with a shot: its card, or what was seen."""
    shot, what, own = mode.told(play), "What was wrong?", mode.misread(play.state)
    back = Answer(key="escape", shown="Esc", words="Nothing was wrong", presses=("escape",))
    answers = [
        Answer(key=key, words=words[:1].upper() + words[1:], presses=(key,))
        for key, words in mode.seen_otherwise(play.state)
    ]
    says = f"Another {own}? Just type what it really was." if own else ""
    if mode.broken is not None:
        what = "Now it is a miss. He fired on after it: do those shots count?"
        answers = [
            Answer(key="n", words="No, take them back", presses=("enter",)),
            Answer(key="y", words="Yes, leave them", presses=("k",)),
        ]
    elif mode.suiting is not None:
        what, answers = mode.which_suit(play.state), list(_SUITS)
    elif mode.typed:
        what, says = f"It was {mode.typed.upper()}.", ""
        answers = [Answer(words="Judge by it", presses=("enter",))]
        if own == "card" and mode.typed[-1] not in "shdc":
            what += " Add the suit, if it matters: s, h, d or c."
    answers.append(back)
    return Question(
        name=f"judging {mode.shot} {bool(mode.typed)}",
        large="WRONG?",
        asks=f"{shot} {what}",
        says=(says,) if says and not (mode.broken or mode.suiting) else (),
        answers=(
            *answers,
            Answer(key="tab", shown="Tab", words="Another shot", action="judge_again", aside=True),
        ),
        usual=0 if mode.typed else len(answers) - 1,
    )


def _draws(die: bool) -> Iterator[Answer]:
    ranks = range(1, DIE + 1) if die else sorted({card.rank for card in DECK})
    for rank in ranks:
        sign = str(Draw(rank)) if die else str(Draw(rank, "S"))[:-1]
        words = sign if die else Draw(rank, "S").words.partition(" of ")[0].capitalize()
        yield Answer(shown=sign, words=words, order=Show(typed_draws(sign, die)))


def _suit(state: State, ask: DrawAsk) -> Question:
    rank = Draw(ask.rank or 1, "S").words.partition(" ")[0]
    return Question(
        name="suit",
        large="WHICH SUIT?",
        asks=f"Which suit is the {state.setup.of(ask.side, rank)}?",
        says=("The suit matters here.",),
        answers=(*_SUITS, UNDO),
    )


_SUITS = (
    Answer(key="s", words="Spades", says="♠ black", presses=("s",)),
    Answer(key="h", words="Hearts", says="♥ red", presses=("h",)),
    Answer(key="d", words="Diamonds", says="♦ red", presses=("d",)),
    Answer(key="c", words="Clubs", says="♣ black", presses=("c",)),
)


# ------------------------------------------------------------------ the end


def _counting(state: State, mode: Counting) -> Question:
    """A number, one more, one less, done."""
    side = state.setup.the(mode.sides[mode.at])
    typed = mode.typed[mode.at]
    now = int(typed or 0)
    wiped = ("backspace",) * len(typed)
    told = ", ".join(
        f"{people(state, other)} {number}"
        for other, number in zip(mode.sides, mode.typed, strict=True)
        if number
    )
    return Question(
        name=f"count {mode.at}",
        large=f"{now}" if typed else "HOW MANY?",
        asks=f"{counted(state)}: how many for {side}?",
        says=("Type the number, or choose below." + (f" So far: {told}." if told else ""),),
        answers=(
            Answer(words=f"Done: {now}", presses=("enter",) if typed else ("0", "enter")),
            Answer(words="One more", presses=(*wiped, *str(now + 1))),
            Answer(words="One less", presses=(*wiped, *str(max(now - 1, 0)))),
            UNDO,
        ),
    )


def _ending(state: State) -> Question:
    return Question(
        name="ending",
        large="TIME IS UP",
        asks="Who won?",
        says=(state.setup.victory,),
        answers=(Answer(key="F", words="Say who won", action="finish"), UNDO, HOME),
    )


def _over(play: BattlePlay) -> Question:
    state = play.state
    outcome = state.outcome
    winner = people(state, outcome.winner) if outcome and outcome.winner else ""
    return Question(
        name="over",
        large=f"{winner} win" if winner else "A DRAW",
        asks="The battle is over.",
        says=(plain(outcome.reason),) if outcome else (),
        answers=(
            Answer(key="Y", words="Summary of the battle", action="summary"),
            msgspec.structs.replace(UNDO, says="the battle goes on"),
            HOME,
        ),
    )
