"""The screens that every game has: set-up, play, pages to read."""
