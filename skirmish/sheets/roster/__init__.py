"""The rosters: of an army (``army``), of both sides of a battle in progress (``battle``), and an
empty one (``blank``).

All of them list units with a box for each figure and model. Begin with ``units``, the table of
them; ``codes`` says what stands in the boxes, ``standing`` how the pieces of a battle are marked,
``losses`` draws the tracks of losses, and ``roomiest`` chooses the size of the boxes. Numbers
without a name are points, chosen by eye. No rule is applied here: who is lost, what is legal and
what things cost come from ``games.plastic``."""
