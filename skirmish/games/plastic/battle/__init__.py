"""A battle in progress: order -> events -> state, with the complete history.

Begin reading at ``state``: what a battle remembers, and the events on which that depends. An order
(``orders``) is decided into events (``events``), which change the state; what still has to be done
or asked stands in its ``agenda``. ``setup`` is what the battle began with. ``scenario_opening`` and
``army_opening`` make it from the ``setup_choices`` of the players, ``deployment`` says where the
sides set up, and ``rulings_that_matter`` which rulings to settle first.

``pieces`` are men and models, and ``rows`` are these as players see and name them, by their
``row_letters``. ``strength`` says what they count, ``qualities`` how well they stand fire;
``names`` are their ids, ``words`` what they are called in sentences.

``victory`` has the terms of victory, with what every kind of them is asked in
``victory_questions``; ``ending`` says when it is over, ``progress`` how near the sides are to
victory, and ``known_draws`` which draws were seen and undone. ``odds`` are the chances of a shot,
reckoned from the ``known_pack``, and ``what_if`` compares the shot with others.

``lines`` and ``narrative`` are its journal, ``voiding`` and ``hindsight`` what depends on a line of
it. ``view`` and ``shown`` are what others may see of the battle, and ``record`` what is stored.
Where the program commands a side, ``commanders`` is what the battle remembers of that commander,
``command_events`` what happens to him, and ``headquarters`` where he decides.

Only orders may refuse, judge or draw; events only change the state, so that it is always the fold
of them. Journals are stored for ever: no tag or field of an event, order, task or question may
change its name, and a new field needs a default.
"""
