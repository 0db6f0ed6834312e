"""A battle read along, from another terminal or a browser."""
