"""The workshop: a player's own scenario being made. Pure: it changes scenarios and reads no file.

``draft`` changes a scenario value by value and says what is wrong with it; ``blanks`` knows what
may stand in each place; ``sentences`` makes pages of sentences with blanks of it, which screens
show; ``lines`` reads changes that are typed a line at a time. Changes to the map itself are in
``tabletop/map_edits.py``."""
