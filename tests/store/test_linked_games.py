"""A campaign reads the battles that belong to it only where they have changed."""

from __future__ import annotations

from pathlib import Path

from skirmish.games.plastic.battle.orders import AddNote, Correct, Finish, PlayOn
from skirmish.games.plastic.campaign import orders
from skirmish.registry import load
from skirmish.session import Session, at_once, job_runner
from skirmish.store.database import Store
from skirmish.web.open_games import OpenGame
from tests.games.plastic.campaign.evenings import opened, the_game


def test_a_counted_battle_is_read_again_only_when_it_has_changed(tmp_path: Path) -> None:
    campaign = the_game()
    with Store.open(str(tmp_path / "club.db")) as store:
        first = opened("kursk").entries[0]
        session = at_once(Session.opened(campaign, job_runner(store), first))
        for side in session.state.setup.ids:
            at_once(session.give(orders.BringForces(side=side)))
        at_once(session.give(orders.BeginBattle(seed=3)))
        (battle,) = session.linked
        fight = at_once(Session.resumed(load("plastic"), job_runner(store), battle.number))
        rifles = next(row for row in fight.state.setup.letters if row.endswith("/rifle"))
        at_once(fight.give(Correct(row=rifles, by=-3)))
        at_once(fight.give(Finish(winner="german")))

        session = at_once(Session.resumed(campaign, job_runner(store), session.id))
        assert isinstance(session.game, type(campaign))
        at_once(session.give(orders.CountBattle(facts=session.game.ended_battles[1])))
        session = at_once(Session.resumed(campaign, job_runner(store), session.id))
        (battle,) = session.linked
        assert battle.play is None, "nothing has changed"

        at_once(fight.give(PlayOn()))
        at_once(fight.give(AddNote(text="one more")))
        at_once(fight.give(Correct(row=rifles, by=-2)))
        at_once(fight.give(Finish(winner="german")))
        session = at_once(Session.resumed(campaign, job_runner(store), session.id))
        assert isinstance(session.game, type(campaign))
        labels = [command.label for command in session.game.commands(session.state)]
        assert "Take the new end of battle 1" in labels
        assert "2 more lost" in str(session.game.due(session.play))


def test_two_programs_open_the_battle_of_a_campaign_once(tmp_path: Path) -> None:
    """Both see that the battle is to be fought and is not stored yet."""
    campaign = the_game()
    with Store.open(str(tmp_path / "club.db")) as store:
        session = at_once(Session.opened(campaign, job_runner(store), opened("kursk").entries[0]))
        for side in session.state.setup.ids:
            at_once(session.give(orders.BringForces(side=side)))
        entry = session.play.consider(orders.BeginBattle(seed=3))
        session.play.accept(entry)
        (link,) = campaign.links(session.state)
        assert link.opens is not None
        battle = load("plastic")
        numbers = []
        for _ in range(2):
            play = battle.codec.play([link.opens()])
            entries = [battle.codec.written(own) for own in play.entries]
            record = store.add_battle("plastic", "Battle 1", "", entries, mark=link.mark)
            numbers.append(record.id)
        assert numbers[0] == numbers[1]


def test_phones_of_a_campaign_learn_that_its_battle_has_ended(tmp_path: Path) -> None:
    """The journal of the campaign has no new line then, and its commands are others."""
    campaign = the_game()
    with Store.open(str(tmp_path / "club.db")) as store:
        session = at_once(Session.opened(campaign, job_runner(store), opened("kursk").entries[0]))
        for side in session.state.setup.ids:
            at_once(session.give(orders.BringForces(side=side)))
        at_once(session.give(orders.BeginBattle(seed=3)))
        open_game = OpenGame(session)
        before = open_game.seen_by(None)
        assert open_game.seen_by(None) is before
        (battle,) = session.linked
        fight = at_once(Session.resumed(load("plastic"), job_runner(store), battle.number))
        at_once(fight.give(Finish(winner="german")))
        assert at_once(session.read_linked_games())
        assert open_game.seen_by(None) is not before
        assert open_game.game is session.game
