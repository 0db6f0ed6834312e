"""What board games at the table share. They are called companions: their owner has the printed map
and counters, the program has the tables, the sequence, the chances and the record.

Begin with ``table_game``, then read ``table_state`` and ``events``. A companion game gets from here

* the state of the table (``table_state``) with its events (``events``, ``counter_events``), its
  orders (``table_orders``) and their commands (``table_commands``); and a game class with phases,
  counters entered and corrected by hand, tracks, places that count, notes, boards and sheets
  (``table_game``, ``roster``),
* counters (``counters``) and their files (``counter_rows``, ``counter_csv``); a cup of chits or a
  deck (``cup``); random numbers from the program or typed in (``numbers``); the turn as data
  (``sequence``); flow charts (``flow``); rules that players apply on their own map
  (``explained``),
* tables of results with exact chances (``result_table``), the modifiers of a roll on them
  (``modifiers``), the score (``score``), maps of squares (``squares``),
* the questions for units and hexes (``asking``), for ratings (``rating_slots``) and for new
  counters (``new_counters``); the page that is shown before a roll (``roll_preview``),
* what its owner types in: tables (``typed_tables``), cell by cell (``typed_facts``,
  ``typed_slots``), and rolls on them (``table_rolls``); lists (``typed_lines``), with their orders
  (``lines_orders``) and questions (``lines_slots``); a deck with a hand (``hand``),
* orders that take several steps (``unfolding``), and the events that narrate them
  (``happened``).

The game itself provides data files and rulings, a state that derives from ``TableState`` and an
event that opens it, its own orders, and the commands that ask for them (``own_commands``,
``prompt``). Printed ratings and tables are the owner's and are never committed.

Nothing here may import a game, read a file or a clock, or use a random number without an event that
stores it. Events are stored for ever: a field may be added with a default, anything else needs an
upcaster in the game.
"""
