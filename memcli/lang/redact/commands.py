"""Passwords on command lines: each program's own option, from its manual."""

from __future__ import annotations

from memcli.lang.redact.rule import Rule
from memcli.lang.redact.values import given, spoken

# The rest of a command up to the option: one line, no further command.
_ARGS = r"[^\n\x00|;&]{0,120}?"
_WORD = r"[^\s\"'`\\\x00|;&<>]{3,128}"
_VALUE = rf"(?:\\{{0,4}}(?P<mark>[\"'])(?P<q>(?:(?!(?P=mark))[^\\\n\x00]){{3,128}})|(?P<s>{_WORD}))"


def _option(keywords: tuple[str, ...], before: str) -> Rule:
    return Rule("password", keywords, rf"(?i:{before}){_VALUE}", given, given, long=False)


RULES = (
    # mysql(1): -p takes its value without a blank; with one it asks, and the next word is the database.
    Rule(
        "password",
        ("mysql", "mariadb"),
        rf"(?:mysql|mariadb)[a-z-]{{0,10}}{_ARGS} -p{_VALUE}",
        given,
        given,
        long=False,
    ),
    _option(("sshpass ",), rf"sshpass{_ARGS} -p[ \t]{{0,3}}"),
    _option(
        (
            "docker login",
            "podman login",
            "nerdctl login",
            "registry login",
            "skopeo login",
            "oras login",
            "az login",
            "oc login",
        ),
        rf"[a-z]{{2,8}} login{_ARGS} -p[ \t]{{1,3}}",
    ),
    # curl(1), httpie: -u user:password.
    _option(
        ("curl ", "http ", "https "),
        rf"(?:curl|https?){_ARGS} (?:-u|--user|-a|--auth|--proxy-user)[ \t=]{{0,3}}[\"']?[^\s:\"'\x00]{{1,64}}:",
    ),
    _option(("redis-cli ",), rf"redis-cli{_ARGS} (?:-a|--pass)[ \t]{{1,3}}"),
    _option(("smbclient ", "rpcclient "), rf"(?:smb|rpc)client{_ARGS} -U[ \t]{{0,3}}[^\s%\x00]{{1,64}}%"),
    # openssl(1): -passin, -passout pass:value.
    _option(("-pass",), r"-pass(?:in|out)?[ \t]{1,3}[\"']?pass:"),
    # net use: the password follows the user or the share.
    Rule(
        "password",
        ("net use",),
        rf"(?i:net use){_ARGS} /user:[^\s\x00]{{1,64}}[ \t]{{1,3}}(?P<s>[^\s\x00/][^\s\x00]{{2,127}})",
        given,
        long=False,
    ),
    Rule(
        "password",
        ("-pass", "-pwd"),
        rf"-(?:password|passwd|pass|passphrase|pwd)[ \t]{{1,3}}(?P<s>{_WORD})",
        spoken,
        long=False,
    ),
    _option(
        ("psexec", "wmic", "plink", "pscp"),
        rf"(?:psexec|wmic|plink|pscp)[a-z.0-9]{{0,6}}{_ARGS} (?:-pw?|/password:)[ \t]{{0,3}}",
    ),
)
