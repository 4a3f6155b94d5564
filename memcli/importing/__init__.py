"""Drafts to entries: sessions, source keys, who is `me`, what is new; typed notes and imports."""
