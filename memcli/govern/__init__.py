"""The one writer of memories: rank, trust and evidence decide what becomes a change (C3, C8)."""
