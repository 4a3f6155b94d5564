"""What the records add up to, in SQLite: one schema, one reducer a record kind.

Everything here can be deleted and made again from the log (A5).
"""
