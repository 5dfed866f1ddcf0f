"""The falsifier: every theorem's implication, attacked by search with an exact judge."""
