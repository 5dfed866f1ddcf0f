"""Explicit networks, exact, one idea a file."""
