"""Card numbers: the ranges of the schemes (ISO/IEC 7812), their grouping, and Luhn's check."""

from __future__ import annotations

from memcli.lang.redact.rule import DIGITS, Rule
from memcli.lang.redact.values import luhn

# Not inside a longer number, a word, a path or a decimal. A line end that JSON wrote as \n may stand before it.
# Groups are not part of a longer row of groups (an IBAN); what is hidden already counts as one.
_BEFORE = r"(?:(?<![A-Za-z0-9./_+-])(?<![A-Za-z0-9_][(\[])|(?<=\\[nrt]))"
_AFTER = r"(?![A-Za-z_0-9]|[./-][0-9])"
_SINGLE = r"(?:(?<![0-9\x00][ -])|(?<=\\[nrt]))"
_NO_MORE = r"(?![ -](?:[0-9]{4}(?![0-9/])|\x00))"
_REST = r"[0-9]{12}" + _AFTER
_GROUPS = r"(?P<sep>[ -])[0-9]{4}(?P=sep)[0-9]{4}(?P=sep)[0-9]{4}" + _AFTER + _NO_MORE

# Visa 4; Mastercard 51-55 and 2221-2720; Discover 6011, 644-649, 65; UnionPay 62; JCB 3528-3589;
# Maestro 5018 and others; Mir 2200-2204.
_SIXTEEN = (
    r"(?:4[0-9]{3}|5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720|6011|64[4-9][0-9]|65[0-9]{2}|"
    r"62[0-9]{2}|35(?:2[89]|[3-8][0-9])|5018|5020|5038|6304|6759|676[1-3]|220[0-4])"
)

# American Express 34, 37 (4-6-5) and Diners 300-305, 36, 38, 39 (4-6-4).
_SIX = (
    r"(?:3[47][0-9]{2}(?P<a>[ -]?)[0-9]{6}(?P=a)[0-9]{5}|3(?:0[0-5]|[689][0-9])[0-9](?P<d>[ -]?)[0-9]{6}(?P=d)[0-9]{4})"
)
# Numbers of 19 digits: UnionPay, and Visa in groups (ungrouped they are like any 64-bit number).
_NINETEEN = r"(?:62[0-9]{17}|(?:62|4[0-9])[0-9]{2}(?P<n>[ -])[0-9]{4}(?P=n)[0-9]{4}(?P=n)[0-9]{4}(?P=n)[0-9]{3})"


def _card(pattern: str) -> Rule:
    return Rule("card number", DIGITS, pattern, luhn, long=False, anchored=False)


RULES = (
    _card(_BEFORE + _SIXTEEN + _REST),
    _card(_BEFORE + _SINGLE + _SIXTEEN + _GROUPS),
    _card(_BEFORE + _SINGLE + _SIX + _AFTER + _NO_MORE),
    _card(_BEFORE + _SINGLE + _NINETEEN + _AFTER + _NO_MORE),
)
