"""What the extractor knows of English: word classes, verbs, relations. Another language is another such package."""
