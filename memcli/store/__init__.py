"""The store: locks, append and apply, catch-up, rebuild, undo, verify."""
