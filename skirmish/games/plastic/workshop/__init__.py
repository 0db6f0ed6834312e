"""The workshop: a player's own scenario being made. Pure: it changes scenarios and reads no file.

* ``draft`` reads such a scenario and says what is wrong with it. ``keyed_values`` changes one
  value, ``forces`` a whole side; ``examples`` has what a new part of a scenario begins with.
* ``sentences`` shows it as pages of sentences with blanks (``sentence_templates``). ``blanks`` says
  what stands in each blank, and changes the scenario by an answer. ``draft_fields`` says what may
  stand there, ``blank_slots`` how it is asked for, ``typed_values`` how it is typed.
  ``victory_sentence`` writes the printed sentence of victory anew when the terms change.
* ``typed_changes`` changes it by lines that are typed (``typed_line``): ``feature_commands`` and
  ``laid_features`` change the map, whose features ``feature_text`` describes.

Changes to the map itself are in ``tabletop/map_edits.py``."""
