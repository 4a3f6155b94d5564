"""A second opinion: detect-secrets' detectors of issuers, if the library is installed.

It is no part of `redact`. Measured on this project's labels, detect-secrets
found half of what our rules find, nothing that they miss, and flagged one
harmless text in ten, nearly all through its entropy and keyword detectors.
Those and two that take an account's number or the mere name of a key for the
key are left out; what remains knows a few issuers that our tables do not (IBM,
Cloudant, SoftLayer). Importing it costs more than a whole `mem add`: for
documents and tool outputs, where a caller asks.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from memcli.lang.redact import Redaction
from memcli.lang.redact.values import placeholder, varied

_LEFT_OUT = frozenset(
    (
        "Base64HighEntropyString",
        "HexHighEntropyString",
        "KeywordDetector",
        "BasicAuthDetector",
        "IPPublicDetector",
        "TwilioKeyDetector",
        "PrivateKeyDetector",
    )
)


def second_opinion(text: str) -> tuple[Redaction, ...]:
    """What detect-secrets would hide in `text`, with our filter of placeholders; empty where it is not installed."""
    try:
        detectors: dict[str, Any] = import_module(
            "detect_secrets.core.plugins.util"
        ).get_mapping_from_secret_type_to_class()
    except ImportError:
        return ()
    found: list[Redaction] = []
    for kind, detector in detectors.items():
        if detector.__name__ in _LEFT_OUT:
            continue
        for value in set(detector().analyze_string(text)):
            if not value or placeholder(value) or not varied(value):
                continue
            start = text.find(value)
            while start >= 0:
                found.append(Redaction(kind.casefold(), start, start + len(value)))
                start = text.find(value, start + len(value))
    return tuple(sorted(found, key=lambda one: (one.start, one.end)))
