"""Pictures of a board that are worth more than a page of gauges; the registry names them."""
