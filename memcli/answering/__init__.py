"""From evidence to a short answer that cites it, or to "I don't have that"."""
