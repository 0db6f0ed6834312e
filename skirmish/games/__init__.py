"""The rules of each game. Games never import one another."""
