"""Beach Head: one player, a hand of cards, and seven defences to be cleared off a beach.

A turn has eighteen phases. Each is data (``data/beach_head/game.toml``, read by ``ruleset``): its
dice, their effect and their modifiers. An order (``orders``) and everything that follows from it
emit ``events``, which change the ``state`` and are stored in the journal. Begin with ``run_on`` in
``orders`` and with ``BeachTask`` and ``BeachAsk`` in ``pending``. ``phase_tasks`` carries out one
task of the agenda after another, ``settling`` applies the result of a roll, and both act through a
``BeachResolution``.

``rulings`` says what each ruling does; nothing else reads an answer. Every sentence is worded once:
the rule of a phase in ``phase_words``, a roll in ``roll_words``, all others in ``wording``.
``commands`` has the keys and questions; ``pages``, ``turn_steps`` and ``journal`` have what is
shown; ``game`` has whatever else the shell needs.

``policies`` are the automatic players. They choose by what a beach is expected to cost
(``expected_cost``), what cards save (``card_values``) and what a plan chooses (``plan_choices``).
``advice`` plays every choice to the end. ``simulate`` plays thousands of games at once. It is the
same game written a second time, for arrays: whoever changes a rule changes both, and the tests
compare them.

Three things are forbidden here: a number of the rules in code; a die or a card that its event does
not record, since a journal is replayed without chance; and NumPy outside ``simulate``, since the
game must run without it.
"""
