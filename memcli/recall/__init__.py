"""Reading: question → plan → candidates → ranked evidence."""
