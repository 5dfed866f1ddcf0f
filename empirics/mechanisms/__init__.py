"""Mechanisms side by side: the table, a mechanism of one's own, and the sweeps that fill it."""
