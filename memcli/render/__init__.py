"""Hits, answers and changes as plain text, with colour for a terminal, or as JSON."""
