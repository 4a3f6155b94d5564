"""Secrets in addresses and in headers."""

from __future__ import annotations

from memcli.lang.redact.rule import Rule
from memcli.lang.redact.values import in_url, pair_in_base64, random_looking, varied

_OPEN = r"[\"'`*\\]{0,8}"
_NAME = rf"(?i:authorization){_OPEN}\s{{0,4}}[:=,]\s{{0,4}}(?:Optional\()?{_OPEN}"

RULES = (
    # RFC 3986: scheme, user, colon, password, @, host. A slash ends the authority: host:8443/a@b has no password.
    Rule(
        "url password",
        ("://",),
        r"(?<=[A-Za-z0-9+.-])://[^\s/?#@:\"'`<>\\\x00]{0,64}:(?P<s>[^\s/?#\"'`<>\\\x00\u0250-\uffff]{1,128})@(?=[A-Za-z0-9\[_$%{.])",
        in_url,
        long=False,
    ),
    # A token in the place of the user.
    Rule(
        "url password",
        ("://",),
        r"://(?P<s>[A-Za-z0-9_.~-]{20,255})(?=(?::x-oauth-basic|:)?@[A-Za-z0-9])",
        random_looking,
    ),
    # RFC 7235 and 6750.
    Rule(
        "auth header",
        ("authorization",),
        _NAME + r"(?i:bearer|token|apikey|api-key|negotiate)(?:[ \t]{1,4}|=\\{0,2}\"?|[ \t]{1,3}token=\\{0,2}\"?)"
        r"(?P<s>[A-Za-z0-9._~+/:-]{8,4000}={0,3})",
        varied,
        long=False,
    ),
    Rule(
        "auth header",
        ("authorization",),
        _NAME + r"(?i:basic)[ \t]{1,4}(?P<s>[A-Za-z0-9+/]{6,2000}={0,2})",
        pair_in_base64,
        long=False,
    ),
    Rule("auth header", ("authorization",), _NAME + r"(?P<s>[A-Za-z0-9._~+/-]{20,2000}={0,3})", random_looking),
    Rule("auth header", ("bearer",), r"(?i:bearer)[ \t]{1,4}(?P<s>[A-Za-z0-9._~+/-]{20,4000}={0,3})", random_looking),
    # .docker/config.json: base64 of user and password.
    Rule(
        "auth header",
        ('auth"', "auth\\"),
        r"auth\\{0,4}\"\s{0,4}:\s{0,4}\\{0,4}\"(?P<s>[A-Za-z0-9+/]{8,2000}={0,2})",
        pair_in_base64,
        long=False,
    ),
    Rule(
        "cookie",
        ("cookie",),
        rf"(?i:(?:set-)?cookie){_OPEN}[ \t]{{0,3}}[:=][ \t]{{0,3}}{_OPEN}"
        r"(?:[^=;\s\x00]{1,40}=[^;\s\x00]{0,80};[ \t]?){0,6}?"
        r"(?i:[a-z_.-]{0,30}(?:sess|sid|auth|token|login)[a-z_.-]{0,20})=(?P<s>[A-Za-z0-9%._~+/:-]{16,2000}={0,3})",
        random_looking,
    ),
    # Parameters of a query that open something, beside those that `generic` knows by their name.
    Rule(
        "api key",
        ("appid=", "auth=", "sig=", "signature="),
        r"(?<=[?&;])(?i:appid|auth|sig|signature)=(?P<s>[A-Za-z0-9%._~+/-]{12,2000}={0,3})",
        random_looking,
    ),
)
