"""Pure parsers: what a person pipes in or points at becomes drafts of entries.

A format is one module with a frozen `FORMAT`; `registry` finds the right one
by content. Nothing here reads a clock, writes, prints or asks a model.
"""
