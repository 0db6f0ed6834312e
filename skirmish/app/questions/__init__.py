"""One question at a time, for children and newcomers, on the same battle."""
