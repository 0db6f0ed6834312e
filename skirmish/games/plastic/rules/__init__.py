"""What the book says; no battle is needed to ask it."""
