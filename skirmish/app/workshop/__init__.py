"""The workshop: one of the player's own scenarios is changed on the screen.

Begin with ``screen``, which has the pages and lists what is wrong; every change goes through
``edited_scenario``, which stores it and can undo it. The page of the map is ``map_page``:
``map_board`` shows the map, on which ``map_tool`` lays and moves features. The other pages are
sentences with blanks on a ``sentence_board``. ``map_questions`` and ``sentence_questions`` ask in
windows what a page needs to know for a change. The sheet is drawn by ``sheet_picture`` and shown by
``picture_widgets``. What a scenario may hold is decided in ``games/plastic/workshop``."""
