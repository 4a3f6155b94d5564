"""`mem`: a personal memory for the terminal. Local, offline, every answer cited."""

__version__ = "0.1.0"
