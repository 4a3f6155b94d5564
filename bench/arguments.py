"""The options that every benchmark on conversations has."""

from __future__ import annotations

import argparse
from pathlib import Path

from homes import CACHE


def arguments(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, required=True, help="LoCoMo's JSON")
    parser.add_argument("--out", type=Path, required=True, help="a folder for the results")
    parser.add_argument("--embedder", type=Path, help="the embedding model, GGUF; else the one that `mem init` finds")
    parser.add_argument("--cache", type=Path, default=CACHE, help="a folder for vectors, so that a text costs once")
    return parser
