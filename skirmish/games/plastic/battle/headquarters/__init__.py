"""Where the program's commander works: from a battle to his situation, and back to orders.

Before play ``appointing`` forms the groups of both sides and puts each where it probably stands
(``placing``); ``squares`` puts a group where players say that it is. ``command_post`` has all that
he works with: the ``table``, what victory and each loss are worth (``war_aims``), and the groups,
from which ``muster`` takes the losses and to which it adds arrivals; ``service`` keeps account of
models that wait for fuel or the like.

In his own turn ``own_turn`` gives the orders. ``ways`` lists what else a group could do, and
replaces an order that cannot be carried out; ``stored_order`` is an order as the battle stores it.
``enemy_turn`` is for the turn of the enemy: at which moves he waits to fire (phase 1), what he
fires after them (phase 2), and where the enemy probably went.

All of it is pure. It loads NumPy, so orders and commands import it only when a battle with a
commander needs it.
"""
