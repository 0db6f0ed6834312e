"""The player's settings and key map.

Begin with ``screen`` (the settings, a line each) and its base ``choice_lines``; ``rulings_list``
has the rulings. ``key_map`` collects the bindings of all screens, and ``keys_screen`` gives them
other keys. What is stored, and where, is in ``store.settings``: a setting is added there, with a
default, and here as a line of ``SETTINGS``. The id of a binding is stored in settings files: it
never changes.
"""
