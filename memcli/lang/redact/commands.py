"""Passwords on command lines: each program's own option, from its manual."""

from __future__ import annotations

from memcli.lang.redact.rule import Rule
from memcli.lang.redact.values import given, spoken

_WORD = r"[^\s\"'`\\\x00|;&<>]{3,128}"
# The rest of a command up to the option: one line, no further command.
_ARGS = r"[^\n\x00|;&]{0,120}?[ \t]"


def _rules(keywords: tuple[str, ...], before: str) -> tuple[Rule, Rule]:
    """The value of an option, in quotes and bare."""
    inside = rf"{before}\\{{0,4}}(?P<q>[\"'])(?P<s>(?:(?!(?P=q))[^\\\n\x00]){{3,128}})"
    return (
        Rule("password", keywords, inside, given, long=False),
        Rule("password", keywords, rf"{before}(?P<s>{_WORD})", given, long=False),
    )


RULES = (
    # mysql(1): -p takes its value without a blank; with one it asks, and the next word is the database.
    *_rules(("mysql", "mariadb"), rf"(?:mysql|mariadb)[a-z-]{{0,10}}{_ARGS}-p"),
    *_rules(("sshpass",), rf"sshpass{_ARGS}?-p[ \t]?"),
    *_rules(("login",), rf"(?:docker|podman|helm registry|skopeo|oras|az|oc|nerdctl) login{_ARGS}-p[ \t]{{1,3}}"),
    # curl(1), wget, httpie: -u user:password.
    *_rules(("curl", "http"), rf"(?:curl|https?){_ARGS}(?:-u|--user|-a|--auth|-U|--proxy-user)[ \t=]{{0,3}}[\"']?[^\s:\"'\x00]{{1,64}}:"),
    *_rules(("redis-cli",), rf"redis-cli{_ARGS}(?:-a|--pass)[ \t]{{1,3}}"),
    *_rules(("smbclient", "mount", "rpcclient"), rf"(?:smbclient|rpcclient){_ARGS}-U[ \t]{{0,3}}[^\s%\x00]{{1,64}}%"),
    *_rules(("-pass",), r"-pass(?:in|out)?[ \t]{1,3}[\"']?pass:"),
    # net use: the password follows the user or the share.
    Rule("password", ("net use",), rf"net use{_ARGS}/user:[^\s\x00]{{1,64}}[ \t]{{1,3}}(?P<s>[^\s\x00/][^\s\x00]{{2,127}})", given, long=False),
    Rule("password", ("--pass", "--pwd"), rf"(?<!\S)--(?:[a-z]{{1,20}}-)?(?:password|passwd|pass|passphrase|pwd)[ \t]{{1,3}}(?P<s>{_WORD})", spoken, long=False),
    Rule("password", ("psexec", "runas", "wmic", "plink", "pscp"), rf"(?:psexec|wmic|plink|pscp)[a-z.0-9]{{0,6}}{_ARGS}(?:-pw?|/password:)[ \t]{{0,3}}(?P<s>{_WORD})", given, long=False),
)
