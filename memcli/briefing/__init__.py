"""Working memory: what a task needs to know, built when it is asked for and never stored (A4)."""
