"""From an entry to what it states, without a database and without a model (B2)."""
