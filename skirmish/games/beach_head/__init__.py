"""Beach Head: one player, a hand of cards, and seven defences to be cleared off a beach.

A turn has eighteen phases. Each is data (``data/beach_head/game.toml``, read by ``ruleset``): dice,
their effect, their modifiers. An order (``orders``) and all that follows from it emit ``events``,
which change the ``state`` and tell the journal. Begin with ``run_on`` in ``orders`` and with
``BeachTask`` and ``BeachAsk`` in ``pending``. ``phase_tasks`` does one task of the agenda after
another, ``settling`` says what a roll comes to, and both act through a ``BeachResolution``.

``rulings`` says what each ruling does; nothing else reads an answer. Every sentence is worded once:
the rule of a phase in ``phase_words``, a roll in ``roll_words``, all others in ``wording``.
``commands`` has the keys and questions, ``pages``, ``turn_steps`` and ``journal`` what is shown,
``game`` what else the shell asks for.

``policies`` play by themselves, by what a beach is expected to cost (``expected_cost``), what cards
save (``card_values``) and what a plan chooses (``plan_choices``). ``advice`` plays every choice to
the end. ``simulate`` plays thousands of games at once: it is the same game written a second time,
for arrays, and a change of a rule is a change of both, which the tests compare.

What may not be done here: no number of the rules in code; no die and no card that its event does
not record, since a journal is read back without chance; no NumPy outside ``simulate``, since the
game is played without it.
"""
