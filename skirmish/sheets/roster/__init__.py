"""The rosters: of an army (``army``), of both sides of a battle in progress (``battle``), and an
empty one (``blank``).

All of them list units with a box for each figure and model; begin with ``units``, which assigns
the codes in the boxes as a battle does and sets the table. No rule is applied here: who is lost,
what is legal and what things cost come from ``games.plastic``."""
