"""Private keys and signed tokens: blocks whose structure matters more than their name."""

from __future__ import annotations

from collections.abc import Iterator

from memcli.lang.redact.rule import BEGIN, Rule, Span, compiled
from memcli.lang.redact.values import varied

_EDGE = r"-----(BEGIN|END) ([A-Z0-9 ]{0,40}?)-----"
# Between two lines of a block: line ends, written or escaped, the marks of a quotation.
_BETWEEN = r"(?:\\{1,8}[rn]|[\s>|*+#\"',;:]){1,16}"
_LINES = rf"(?:{_BETWEEN}(?:[A-Za-z-]{{3,16}}: ?[A-Za-z0-9,-]{{1,80}}(?=[\s\\])|[A-Za-z0-9+/=]{{16,}}))*+"
_RUN = r"[A-Za-z0-9+/]{16}"


def blocks(text: str) -> Iterator[Span]:
    """PEM (RFC 7468), OpenSSH and PGP blocks of private keys.

    The whole block goes, from BEGIN to END. Without an END, because a copy
    broke off, it reaches as far as the lines still look like base64. A
    sentence that only names the two lines has no such run, and stays.
    """
    edges = list(compiled(_EDGE).finditer(text))
    for i, edge in enumerate(edges):
        if edge[1] != "BEGIN" or "PRIVATE KEY" not in edge[2]:
            continue
        after = edges[i + 1] if i + 1 < len(edges) else None
        if after is not None and after[1] == "END":
            if compiled(_RUN).search(text, edge.end(), after.start()):
                yield edge.start(), after.end()
            continue
        limit = after.start() if after else len(text)
        body = compiled(_LINES).match(text, edge.end(), limit)
        if body is not None and compiled(_RUN).search(text, body.start(), body.end()):
            yield edge.start(), body.end()


RULES = (
    Rule("private key", ("private key",), find=blocks, long=False),
    # PuTTY's own format: the lines after "Private-Lines: n".
    Rule(
        "private key", ("private-lines:",), rf"Private-Lines: [0-9]{{1,3}}(?P<s>(?:{_BETWEEN}[A-Za-z0-9+/=]{{16,}})++)"
    ),
    # age: Bech32 in upper case. The public half, age1..., may be given away.
    Rule("private key", ("age-secret-key-",), BEGIN + r"AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{50,2000}", varied),
    # WireGuard: 32 bytes in base64 after PrivateKey or PresharedKey.
    Rule(
        "private key",
        ("privatekey", "presharedkey"),
        r"(?:Private|Preshared)Key[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?(?P<s>[A-Za-z0-9+/]{43}=)",
        varied,
    ),
    # 32 bytes in hexadecimal, as wallets write them.
    Rule(
        "private key",
        ("private",),
        r"(?i:private[ _-]?key)[\"'`*\\]{0,4}(?:[ \t]{0,3}[:=]|[ \t]is)[ \t]{0,3}"
        r"[\"'`\\]{0,4}(?P<s>(?:0x)?[0-9a-fA-F]{64})(?![0-9a-fA-F])",
        varied,
    ),
    # JSON Web Key (RFC 7518): the private members of a key.
    Rule(
        "private key",
        ("kty",),
        r"\"(?:d|p|q|dp|dq|qi|k)\\{0,4}\"\s{0,4}:\s{0,4}\\{0,4}\"(?P<s>[A-Za-z0-9_-]{20,1000})",
        varied,
        anchored=False,
    ),
    # JSON Web Token (RFC 7519): header and claims are JSON objects, so both begin with eyJ;
    # the signature is what opens.
    Rule(
        "jwt",
        ("eyj",),
        r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=%[0-9A-F][0-9A-F]))eyJ[A-Za-z0-9_-]{8,2000}+\.(?:eyJ[A-Za-z0-9_-]{2,8000}+\.[A-Za-z0-9_-]{16,2000}"
        r"|[A-Za-z0-9_-]{0,1000}\.[A-Za-z0-9_-]{8,64}\.[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,64})",
        varied,
    ),
)
