"""The command line: a module a command, thin over what it calls."""
