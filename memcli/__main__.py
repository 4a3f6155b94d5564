"""`python -m memcli` and the console script `mem`."""

from __future__ import annotations

import sys


def run() -> None:
    """Run the command line on the real world and leave with its exit code."""
    from memcli.cli.main import main

    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()
