"""The falsifier."""
