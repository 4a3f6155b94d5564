"""The memory of the command-line tests."""

from __future__ import annotations

from cli.conftest import mem

__all__ = ["mem"]
