"""What players print. A sheet asks the game and sets type; it holds no rule."""
