"""What a player likes, and the keys he wants."""
