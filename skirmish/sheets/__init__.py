"""The sheets that players print. A sheet gets its numbers from the game and lays them out; it
contains no rule."""
