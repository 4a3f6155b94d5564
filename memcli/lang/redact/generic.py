"""Values that only their name gives away: passwords, keys and tokens of any issuer.

The name, a joint (`:`, `=`, "is", "lautet", "是"), and a value that looks drawn.
Names are read in the languages people write them in; what is a value is
decided by `values`, since a word alone ("the password is wrong") never is one.
"""

from __future__ import annotations

from collections.abc import Iterator

from memcli.lang.redact.rule import BEGIN, Rule, Span, compiled
from memcli.lang.redact.values import (
    anything,
    in_url,
    mixed,
    phrase_or_quoted,
    quoted,
    random_looking,
    random_no_uuid,
    spoken,
    spoken_mixed,
)

_BLANK = "[ \t\u00a0\u202f\u3000]"
# What may close a name: quotes, emphasis, brackets, backslashes of JSON in JSON.
_CLOSE = r"[\"'`*_\\\])]{0,8}+"
_IS = (
    rf"{_BLANK}{{1,4}}+(?:is|was|ist|war|will be|lautet|lautete|heißt|est|es|era|è|é|jest|är|er|on)"
    rf"(?:{_BLANK}{{1,3}}+(?:now|still|currently|just|jetzt|noch|ahora|maintenant))?{_BLANK}{{0,3}}+(?:[:：]|(?<={_BLANK})){_BLANK}{{0,4}}+"
)
_ASIAN_IS = rf"{_BLANK}{{0,2}}+(?:是|为|為|改成了?|换成了?|は|が|는|은)[：:]?{_BLANK}{{0,2}}+"
_ASSIGN = rf"{_BLANK}{{0,4}}+(?::=|=>|[:=：＝])[*_]{{0,3}}+{_BLANK}{{0,4}}+"
# Kubernetes, Postman, forms: the name is one field, the value the next one.
_BESIDE = r"[ \t]{0,4}+,?\s{0,12}+\\{0,4}[\"']?value[\"'\\]{0,4}+[ \t]{0,3}+[:=][ \t]{0,3}+"
_WHOSE = (
    rf"{_BLANK}{{1,3}}+(?:for|of|to|on|at|from|in|für|vom|von|zum|zur|beim|im|am|der|des|del|de|della|du|pour|para|"
    rf"per|van|voor|till|do|для|от)\b[^\n.:;=?!\"'\x00]{{1,40}}?"
)
_PLAIN_JOINT = rf"{_CLOSE}(?:{_ASSIGN}|{_BESIDE})"
_JOINT = rf"(?>{_CLOSE}(?:{_ASSIGN}|{_BESIDE}|{_ASIAN_IS}|{_IS})|{_WHOSE}{_CLOSE}(?:{_IS}|{_ASSIGN}))"
# "I changed the password of the cabin to ...": the verb stands before.
_TO = rf"(?:{_WHOSE})?{_BLANK}{{1,3}}+(?:to|auf|zu|a|en|à){_BLANK}{{1,3}}+"
_CHANGED = r"(?i)chang|\bset|reset|updat|switch|rotat|geänder|ändert|cambi"

_NAMES = (
    r"(?i:pass[-_ ]?(?:word|wort|wd|wrd|phrase|code)|kennwort|wachtwoord|"
    r"contrase(?:ñ|n|\\u00f1)a|mot[ _]de[ _]passe|senha|heslo|jelszó|"
    r"has[łl]o|l[öo]senord|adgangskode|passord|salasana|пароль|şifre|parola|密码|密碼|口令|パスワード|비밀번호|암호)"
)
_PASSWORD = rf"(?:{_NAMES}|(?:(?<![A-Za-z])(?:pwd?|PWD?|Pwd?)|(?<=[a-z])(?:Pwd?|PW)))(?:[0-9]{{1,2}})?(?![A-Za-z])"
_PASS = r"(?:(?<![A-Za-z])(?:[Pp]ass|PASS)|(?<=[a-z])Pass)(?![A-Za-z])"
_NOT = "".join(
    rf"(?<!{word})(?<!{word}[ _-])"
    for word in (
        "public",
        "publickey",
        "public[ _-]key",
        "primary",
        "foreign",
        "cache",
        "object",
        "partition",
        "sort",
        "idempotency",
        "page",
        "host",
        "ssh",
    )
)
_KIND = r"(?i:[_-](?:base|value|prod|dev|test|live|[0-9]{1,2}))?(?![A-Za-z])"
# What stands before "key" says whether it opens something; glued to another word it is no name (monkey).
_OWNERS = ("api", "access", "auth", "account", "secret", "private", "app", "client", "license", "service", "master")
_OWNED = "(?:" + "|".join(rf"(?<={word})|(?<={word}[ _-])" for word in _OWNERS) + ")"
_TOKEN = (
    rf"(?:(?i:{_NOT}(?:token|secret|credential|passkey|{_OWNED}(?:key|schl(?:ü|ue)ssel)))"
    rf"|密钥|密鑰|令牌|トークン){_KIND}"
)
_KEY = rf"(?:(?i:{_NOT}(?<![a-z])(?:key|schl(?:ü|ue)ssel|clave))|(?<=[a-z])Key|密匙|キー){_KIND}"

# A bare value ends at a blank, a quote, a bracket, text in a script without blanks, or `&name=`.
_CHAR = r"[^\s\"'`\\<>;|\x00\u2000-\u206f\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\uffef«»]"
_BARE = rf"(?P<s>(?:(?!&[A-Za-z_]{{1,30}}=)(?:{_CHAR}|\\u[0-9a-f]{{4}})){{4,128}}+)"
_QUOTED = (
    r"(?:\\{0,4}(?P<mark>[\"'`“„«‘「『])(?P<q>(?:[^\"'`“”„«»‘’」』\\\n\x00]"
    r"|(?!(?P=mark))[\"'`]|\\u[0-9a-f]{4}){3,256}+)\\{0,4}[\"'`“”»’」』]|"
)
_VALUE = _QUOTED + r"[*_]{0,3}" + _BARE + ")"
_DRAWN = r"[\"'`]?(?P<s>[A-Za-z0-9_.~+/=%:-]{12,600}+)"
_DRAWN_OR_QUOTED = _QUOTED + r"[\"'`]?(?P<s>[A-Za-z0-9_.~+/=%:-]{12,600}+))"

_PASSWORDS = (
    "passw", "pass-w", "pass w", "pass_w", "passph", "pass ph", "passco", "pass-co", "pass co", "pw", "kennwort",
    "wachtwoord", "contrase", "mot de passe", "mot_de_passe", "senha", "heslo", "jelszó", "haslo", "hasło",
    "lösenord", "losenord",
    "adgangskode", "passord", "salasana", "пароль", "şifre", "parola", "密码", "密碼", "口令",
    "パスワード", "비밀번호", "암호",
)  # fmt: skip
_TOKENS = (
    "key",
    "token",
    "secret",
    "credential",
    "passkey",
    "schlüssel",
    "schluessel",
    "密钥",
    "密鑰",
    "令牌",
    "トークン",
)
_KEYS = ("key", "schlüssel", "schluessel", "clave", "密匙", "キー")

# Looser joints: a dash, an arrow, the next line, a few words before the colon, nothing at all. The value must be mixed.
_LOOSE = (
    rf"(?>['’]s{_BLANK}{{1,2}}+|{_CLOSE}(?:{_BLANK}{{1,3}}+(?:-{{1,2}}>?|[–—→]){_BLANK}{{1,3}}+"
    rf"|[:：=]?{_BLANK}{{0,3}}+\r?\n{_BLANK}{{0,8}}+|{_BLANK}{{1,2}}+as{_BLANK}{{1,2}}+"
    rf"|(?:{_BLANK}{{1,2}}+\(?[^\s:=.,;!?()\"'\x00]{{1,20}}\)?){{1,3}}?{_BLANK}{{0,2}}[:=]{_BLANK}{{0,3}}+"
    rf"|,{_BLANK}{{0,2}}+(?=[\"'])|>(?=[^<\s]{{4,128}}</)|{_BLANK}{{1,2}}+))"
)
# Names in capitals, options and parameters: what follows the sign is the value, even a word.
_SET = r"(?:(?<![a-z])(?:PASSWORD|PASSWD|PASS|PWD)|(?<=[?&;])(?i:password|passwd|pass|pwd)|(?<=--)(?:password|pass))="

# "use ... as the password", "... is our new wifi password".
_ANNOUNCED = (
    rf"[\"'`*]{{0,3}}(?:{_BLANK}(?:is|as|ist|als|es)){_BLANK}(?i:the|my|our|your|his|her|their|a|das|dein|mein|unser|la|el)"
    rf"(?:{_BLANK}[\w-]{{1,20}}){{0,3}}?{_BLANK}(?:[\w-]{{0,20}}-)?(?:{_PASSWORD}|(?i:login))(?![\w])"
)


def announced(text: str) -> Iterator[Span]:
    """The word before "is the password", where it is mixed as passwords are."""
    for match in compiled(_ANNOUNCED).finditer(text):
        before = text[max(0, match.start() - 80) : match.start()]
        word = compiled(_CHAR + r"{0,80}$").search(before)
        if word is not None:
            value = word.group().rpartition(":")[2] if compiled(r"\w+:\w").match(word.group()) else word.group()
            kept = mixed(value)
            if kept:
                start = match.start() - len(value)
                yield start, start + kept


RULES = (
    Rule("password", _PASSWORDS, _PASSWORD + _JOINT + _VALUE, spoken, phrase_or_quoted, long=False),
    Rule("password", _PASSWORDS, _PASSWORD + _TO + _VALUE, spoken, quoted, before=_CHANGED, long=False),
    Rule("password", ("pass",), _PASS + _PLAIN_JOINT + _VALUE, spoken_mixed, spoken_mixed, long=False),
    Rule("password", _PASSWORDS, _PASSWORD + _LOOSE + _VALUE, mixed, mixed, long=False),
    Rule("password", ("pass", "pwd"), _SET + _BARE, quoted, long=False),
    Rule("password", ("secret",), r"(?<=[A-Z0-9]_)SECRET" + _PLAIN_JOINT + _VALUE, mixed, mixed, long=False),
    Rule("password", (*_PASSWORDS, "login"), find=announced, long=False),
    # "credentials: ada / value".
    Rule(
        "password",
        ("credential", "login", "zugang", "user"),
        r"(?i:credentials|log-?in|zugangsdaten|user(?:name)?/pass(?:word)?)"
        rf"{_CLOSE}{_BLANK}?[:=]{_BLANK}{{0,3}}[^\s/:\x00]{{2,64}}{_BLANK}?[/:]{_BLANK}?" + _BARE,
        mixed,
        long=False,
    ),
    Rule(
        "recovery code",
        ("recovery", "backup"),
        r"(?i:(?:recovery|backup)[ _-](?:code|key))s?" + _JOINT + r"[\"'`]?(?P<s>[A-Za-z0-9-]{8,64})",
        mixed,
        long=False,
    ),
    Rule(
        "card code",
        ("cvv", "cvc"),
        rf"(?i:cv[vc]2?){_CLOSE}(?:{_BLANK}{{0,2}}[:=]|{_BLANK}is)?{_BLANK}{{0,2}}[\"']?(?P<s>[0-9]{{3,4}})(?![\w.-])",
        anything,
        long=False,
    ),
    # A PIN is four to eight digits, and "pin" a common word: only where it is said to be.
    Rule(
        "password",
        ("pin",),
        rf"(?<![A-Za-z])(?:PIN|Pin|pin)(?:[ -](?:code|Code|number))?"
        rf"(?:(?:{_WHOSE})?{_IS}|{_BLANK}?:{_BLANK}?)(?P<s>[0-9]{{4,8}})(?![\w.-])",
        anything,
        long=False,
    ),
    # .netrc: machine, login, password, in one line or three.
    Rule(
        "password", ("login",), r"login\s{1,8}\S{1,64}\s{1,8}password\s{1,8}(?P<s>[^\s\x00]{3,128})", in_url, long=False
    ),
    # The text of a Wi-Fi QR code (ZXing): WIFI:T:WPA;S:name;P:password;;
    Rule(
        "password",
        ("wifi:",),
        r"(?i:WIFI):(?:[A-Z]:[^;\n\x00]{0,64};){0,4}P:(?P<s>[^;\n\x00]{3,64})",
        in_url,
        mixed,
        long=False,
    ),
    Rule(
        "api key",
        _TOKENS,
        _TOKEN + rf"(?:{_JOINT}|{_TO}|{_CLOSE},{_BLANK}{{0,2}}+(?=[\"']))" + _DRAWN_OR_QUOTED,
        random_looking,
        random_looking,
        long=False,
    ),
    Rule("api key", _KEYS, _KEY + _JOINT + _DRAWN, random_no_uuid, long=False),
    # Shells that write no equals sign, and options: `set HOMEBREW_TOKEN value`, `--token value`.
    Rule(
        "api key",
        ("_token", "_key", "_secret"),
        r"(?<=[A-Z0-9])_(?:TOKEN|KEY|SECRET)[ \t]{1,4}" + _DRAWN,
        random_looking,
    ),
    Rule("api key", ("--",), r"(?<!\S)--[a-z-]{0,30}(?:token|key|secret|auth)[ \t]{1,4}" + _DRAWN, random_looking),
    # One-time passwords: otpauth://totp/label?secret=BASE32 (Key Uri Format).
    Rule(
        "otp secret",
        ("otpauth:",),
        r"(?i:otpauth://[^\s\x00]{1,200}?[?&]secret=)(?P<s>[A-Za-z2-7]{16,128})",
        long=False,
    ),
    Rule("api key", ("django-insecure-",), BEGIN + r"django-insecure-(?P<s>[^\s\"'\\\x00]{30,80})"),
)
