"""The workshop: one of the player's own scenarios is changed on the screen.

``screen`` has the pages, stores every change and lists what is wrong; ``map_board`` shows the map,
on which ``map_tool`` lays and moves features; ``sentence_board`` shows the pages of sentences with
blanks. What a scenario may hold is known to ``games/plastic/workshop``."""
