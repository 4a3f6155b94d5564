"""Does a value look like a secret? What a pattern finds is judged here.

A `fit` returns how many leading characters of the value are the secret, and 0
where it is a word, a placeholder, a reference or a number.
"""

from __future__ import annotations

import binascii
import math
from collections import Counter

from memcli.lang.redact.rule import compiled

# Names of the thing itself, types, states: `password: string`, `"password": "required"`.
_WORDS = frozenset(
    "password passwort passwords passwd passphrase passcode kennwort pass secret token key apikey string str text "
    "varchar bytes bool boolean object number optional required hidden none null nil true false undefined empty "
    "default example changeme placeholder missing invalid incorrect wrong disabled enabled unknown unset redacted "
    "medium strong weak current username email user value contraseña".split()
)
_PLACEHOLDER = (
    r"(?i)[<\[{(%=&|]|\$[({A-Za-z_]|@[{A-Za-z]+\}|\.{2,}|…|y(?:our|our)[-_ ]|my[-_]?(?:pass|secret|token|key)|x{3,}$"
    r"|[*•●x#.·_-]{3,}$|.{0,3}[*•●]{3,}|(?:insert|replace|enter|put)[-_ ]|(?:some|the)[-_](?:pass|secret|token|key)"
)
_ROOTS = (
    r"(?i)(?:self|this|os|process|settings|config|cfg|conf|args|opts|options|env|request|req|data|params|ctx|st|app)\b"
)
_CALL = r"[A-Za-z_][\w.:>-]*[(\[]"
_DOTTED = r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+$"
_NAMED = r"(?i)pass|pw|secret|token|key|cred"
_NUMERIC = r"[\d.,:/+-]+%?$"
_MEASURE = (
    r"(?i)\d{1,4}(?:[.,]\d+)?(?:st|nd|rd|th|[a-z%]{1,3})$|"
    r"\d{1,3}[-–+](?:char|digit|letter|word|stell|zeich|bit|min|day|year|hour|\d{0,2}$)"
)
# Twice a digit, the figures of the result added up.
_DOUBLED = str.maketrans("0123456789", "0246813579")
# Hosts with their port, files, addresses, identifiers of code.
_NAMES = r"(?:\w+@)?[\w.-]+\.[a-z]{2,7}(?::\d{1,5})?$|localhost:|[a-z]+(?:_[a-z0-9]+){2,}$"
_ABOUT = (
    r"(?i)\b(?:pass\w*|must|should|enter|your|forgot\w*|reset|not|too|invalid|incorrect|wrong|required|least|char\w*)\b"
)
_TAIL = ".,:;?)]}>*_~`"


def varied(value: str) -> int:
    """A drawn value, as against `ghp_xxxxxxxx`: it uses at least nine different characters."""
    return len(value) if len(set(value)) >= 9 else 0


def placeholder(value: str) -> bool:
    """`<token>`, `$TOKEN`, `{{ x }}`, `****`, `YOUR_KEY`, the word "password" itself."""
    return value.strip(_TAIL + "!'\"").casefold() in _WORDS or compiled(_PLACEHOLDER).match(value) is not None


def reference(value: str) -> bool:
    """Code or a place that leads to a value instead of being one: a call, an attribute, a path, an address."""
    if compiled(_CALL).match(value) or value.startswith(("/", "~/", "./", "../")) or "://" in value:
        return True
    if compiled(_DOTTED).match(value):
        return not any(c.isdigit() for c in value) or bool(
            compiled(_ROOTS).match(value) or compiled(_NAMED).search(value)
        )
    return False


def trimmed(value: str) -> str:
    """Without the punctuation of the sentence around it."""
    return value.rstrip(_TAIL)


def spoken(value: str) -> int:
    """A password that stands bare in a text: a word alone is never one."""
    kept = trimmed(value)
    core = kept.rstrip("!")
    if len(core) < 4 or placeholder(value) or reference(core):
        return 0
    if compiled(_NUMERIC).match(core):
        return len(kept) if core.isdigit() else 0
    if compiled(_MEASURE).match(core):
        return 0
    if any(c.isdigit() for c in core) or any(not c.isalnum() and c not in "-_.’/,:" for c in core):
        return len(kept)
    words = compiled(r"[-.]").split(core)
    return len(kept) if len(core) >= 16 and len(words) >= 3 and all(len(w) > 2 for w in words) else 0


def spoken_mixed(value: str) -> int:
    """As `spoken`, where the name is a common word ("pass", "login"): letters and something else."""
    core = trimmed(value)
    return spoken(value) if any(c.isalpha() for c in core) and not compiled(r"\d+[a-z]").match(core) else 0


def mixed(value: str) -> int:
    """As `spoken`, where little else announces a value: letters with figures, or with marks that no word has."""
    kept = spoken(value)
    core = value[:kept].rstrip("!")
    if len(core) < 7 or not any(c.isalpha() for c in core) or compiled(_NAMES).match(core):
        return 0
    return kept if any(c.isdigit() for c in core) or any(c in "!#$%&*+?^~" for c in core) else 0


def quoted(value: str) -> int:
    """A password in quotes: a single word counts too, a sentence does not."""
    if len(value) < 4 or any(c.isspace() for c in value) or placeholder(value) or reference(value):
        return 0
    if value.isalpha() and len(value) < 6:
        return 0
    return len(value)


def phrase(value: str) -> int:
    """A quoted pass phrase of three words or more that says nothing about passwords."""
    words = value.split()
    if not 3 <= len(words) <= 12 or placeholder(value):
        return 0
    return 0 if compiled(_ABOUT).search(value) else len(value)


def given(value: str) -> int:
    """A value that a command line hands over as a password: anything but a reference."""
    kept = value.rstrip(",;)")
    return 0 if len(kept) < 3 or placeholder(kept) or kept.startswith(("-", "/")) else len(kept)


def phrase_or_quoted(value: str) -> int:
    """What stands in quotes behind a name: one word, or a phrase of several."""
    return phrase(value) if " " in value else quoted(value)


def anything(value: str) -> int:
    """The pattern alone decides."""
    return len(value)


def entropy(value: str) -> float:
    """Shannon entropy in bits a character."""
    n = len(value)
    return -sum(c / n * math.log2(c / n) for c in Counter(value).values())


def random_looking(value: str) -> int:
    """A drawn key or token of any issuer: letters and digits mixed, few words in it."""
    kept = trimmed(value)
    n = len(kept)
    if n < 12 or placeholder(value) or reference(kept) or compiled(r"\d{4}-\d\d-\d\d").match(kept):
        return 0
    figures = sum(c.isdigit() for c in kept)
    letters = sum(c.isalpha() for c in kept)
    if figures < 2 or letters < 2 or (n < 16 and (figures < 3 or letters < 3 or not kept.isalnum())):
        return 0
    worded = sum(len(w) for w in compiled(r"[a-z]{5,}|[A-Z]{7,}|[A-Z][a-z]{4,}").findall(kept))
    if worded > n * 0.6 or entropy(kept) < 2.9 or compiled(r"[\w/.-]*/[\w.-]*\.[a-z]{2,4}$").match(kept):
        return 0
    return n


def random_no_uuid(value: str) -> int:
    """As `random_looking`, where the name is only "key": a UUID names things more often than it opens them."""
    return 0 if compiled(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}").match(value) else random_looking(value)


def _decoded(value: str) -> bytes:
    """What stands in base64 of either alphabet, empty where it is none."""
    plain = value.replace("-", "+").replace("_", "/")
    try:
        return binascii.a2b_base64(plain + "=" * (-len(plain) % 4))
    except (binascii.Error, ValueError):
        return b""


def pair_in_base64(value: str) -> int:
    """`Basic` credentials: base64 of user, colon, password."""
    return len(value) if b":" in _decoded(value) else 0


def bot_token(value: str) -> int:
    """A Discord bot token: its first part is the bot's numeric id in base64, or at least each part looks drawn."""
    head = value.partition(".")[0]
    if _decoded(head).isdigit():
        return len(value)
    return random_looking(value) if any(c.isdigit() for c in head) and not value.islower() else 0


def in_url(value: str) -> int:
    """The password of an address: not the word itself, not a port with something after it."""
    return 0 if placeholder(value) or compiled(r"\d{2,5}[,;]").match(value) else len(value)


def luhn(value: str) -> int:
    """A card number: the last digit checks the others (ISO/IEC 7812-1)."""
    figures = value.replace(" ", "").replace("-", "")
    total = sum(map(int, figures[::-2])) + sum(map(int, figures[-2::-2].translate(_DOUBLED)))
    return len(value) if total % 10 == 0 and len(set(figures)) > 1 else 0
