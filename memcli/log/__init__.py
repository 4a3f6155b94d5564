"""The truth: append-only JSONL files of checked records. No SQL in here."""
