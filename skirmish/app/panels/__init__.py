"""Boards drawn as pictures; the registry names them."""
