"""Values that only their name gives away: passwords, keys and tokens of any issuer.

The name, a joint (`:`, `=`, "is", "lautet", "是"), and a value that looks drawn.
Names are read in the languages people write them in; what is a value is
decided by `values`, since a word alone ("the password is wrong") never is one.
"""

from __future__ import annotations

from memcli.lang.redact.rule import BEGIN, Rule
from memcli.lang.redact.values import (
    digits,
    in_url,
    phrase,
    quoted,
    random_looking,
    random_no_uuid,
    spoken,
    spoken_mixed,
)

_BLANK = "[ \t\u00a0\u3000]"
# What may close a name: quotes, emphasis, brackets, backslashes of JSON in JSON.
_CLOSE = r"[\"'`*_\\\]]{0,8}"
_IS = (
    rf"{_BLANK}{{1,4}}(?:is|was|are|=|ist|war|lautet|lautete|heißt|est|es|era|è|é|jest|är|er|on)"
    rf"(?:{_BLANK}{{1,3}}(?:now|still|currently|just|jetzt|noch|ahora|maintenant))?{_BLANK}{{0,3}}:?{_BLANK}{{1,4}}"
)
_ASIAN_IS = rf"{_BLANK}{{0,2}}(?:是|为|為|改成了?|换成了?|は|が|는|은)[：:]?{_BLANK}{{0,2}}"
_ASSIGN = rf"{_BLANK}{{0,4}}(?::=|=>|[:=：＝])[*_]{{0,3}}{_BLANK}{{0,4}}"
# Kubernetes, Postman, forms: the name is one field, the value the next one.
_BESIDE = r"\"?[ \t]*,?\s{0,12}\\{0,4}[\"']?value[\"'\\]{0,4}[ \t]{0,3}:[ \t]{0,3}"
_WHOSE = (
    rf"(?:{_BLANK}{{1,3}}(?:for|of|to|on|at|from|in|für|vom|von|zum|zur|beim|im|am|der|des|del|de|della|du|pour|para|"
    rf"per|van|voor|till|do|для|от)\b[^\n.:;=?!\"'\x00]{{1,40}}?)?"
)
_JOINT = rf"(?:{_CLOSE}(?:{_ASSIGN}|{_BESIDE})|{_WHOSE}{_CLOSE}(?:{_IS}|{_ASSIGN})|{_CLOSE}{_ASIAN_IS})"
_PLAIN_JOINT = rf"{_CLOSE}(?:{_ASSIGN}|{_BESIDE})"

_PASSWORD = (
    r"(?:(?i:pass[-_ ]?(?:word|wort|wd|wrd|phrase|code)|kennwort|wachtwoord|contrase(?:ñ|n|\\u00f1)a|mot[ _]de[ _]passe|senha|"
    r"has[łl]o|l[öo]senord|adgangskode|passord|salasana|пароль|şifre|parola)|密码|密碼|口令|パスワード|비밀번호|암호|"
    r"(?<![A-Za-z])(?:pwd?|PWD?|Pwd?)|(?<=[a-z])(?:Pwd?|PW))(?:[0-9]{1,2})?(?![A-Za-z])"
)
_PASS = r"(?:(?<![A-Za-z])(?:[Pp]ass|PASS)|(?<=[a-z])Pass)(?![A-Za-z])"
_NOT = r"(?<!public)(?<!public[ _-])(?<!primary[ _-])(?<!foreign[ _-])(?<!cache[ _-])(?<!object[ _-])(?<!partition[ _-])(?<!sort[ _-])(?<!idempotency[ _-])(?<!page)(?<!page[ _-])(?<!host[ _-])(?<!ssh[ _-])(?<!next[ _-])"
_TOKEN = (
    rf"(?:(?i:{_NOT}(?:(?:api|access|auth|account|secret|private|app|client|license|service|master)[ _-]?key|token|secret|"
    r"credential|passkey|(?:zugangs|api-?)schl(?:ü|ue)ssel))|密钥|密鑰|令牌|トークン)(?i:[_-](?:base|value|prod|dev|test|live|[0-9]{1,2}))?(?![A-Za-z])"
)
_KEY = rf"(?i:{_NOT}(?:(?<![a-z])key|schl(?:ü|ue)ssel|(?<![a-z])clave)|密匙|キー)(?![A-Za-z])|(?<=[a-z])Key(?![A-Za-z])"

# A bare value ends at a blank, a quote, a bracket, text in a script without blanks, or `&name=`.
_CHAR = r"[^\s\"'`\\<>;|\x00\u2000-\u206f\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\uffef«»]"
_BARE = rf"(?P<s>(?:(?!&[A-Za-z_]{{1,30}}=)(?:{_CHAR}|\\u[0-9a-f]{{4}})){{4,128}})"
_QUOTED = r"\\{0,4}(?P<q>[\"'`])(?P<s>(?:(?!(?P=q))(?:[^\\\n\x00]|\\u[0-9a-f]{4})){3,256})\\{0,4}(?P=q)"
_CURLY = r"[“„«‘「『](?P<s>[^“”„«»’」』\n\x00]{4,128})[”“»’」』]"
_DRAWN = r"[\"'`]?(?P<s>[A-Za-z0-9_.~+/=%:-]{12,600})"

_PASSWORD_KEYS = (
    "passw", "pass-w", "pass w", "pass_w", "passph", "passco", "pwd", "pw", "kennwort", "wachtwoord", "contrase", "mot de passe",
    "mot_de_passe", "senha", "haslo", "hasło", "lösenord", "losenord", "adgangskode", "passord", "salasana", "пароль",
    "şifre", "parola", "密码", "密碼", "口令", "パスワード", "비밀번호", "암호",
)  # fmt: skip
_TOKEN_KEYS = ("key", "token", "secret", "credential", "schlüssel", "schluessel", "密钥", "密鑰", "令牌", "トークン")
_CHANGED = r"(?i:(?:chang|set|reset|updat|switch|rotat|geänder)[a-z]{0,4})[^\n.\x00]{0,60}?"

RULES = (
    Rule("password", _PASSWORD_KEYS, _PASSWORD + _JOINT + _QUOTED, quoted, long=False),
    Rule("password", _PASSWORD_KEYS, _PASSWORD + _JOINT + _CURLY, quoted, long=False),
    Rule("password", _PASSWORD_KEYS, _PASSWORD + _JOINT + r"[*_]{0,3}" + _BARE, spoken, long=False),
    Rule("password", _PASSWORD_KEYS, _PASSWORD + _WHOSE + _IS + r"(?:" + _QUOTED + ")", phrase, long=False),
    Rule("password", _PASSWORD_KEYS, _CHANGED + _PASSWORD + rf"{_WHOSE}{_BLANK}{{1,3}}(?:to|auf|zu|a|en|à){_BLANK}{{1,3}}[\"'`]?" + _BARE, spoken, long=False),
    Rule("password", ("pass",), _PASS + _PLAIN_JOINT + _QUOTED, quoted, long=False),
    Rule("password", ("pass",), _PASS + _PLAIN_JOINT + r"[*_]{0,3}" + _BARE, spoken_mixed, long=False),
    # A PIN is four to eight digits, and "pin" a common word: only when it is said to be.
    Rule("password", ("pin",), r"(?<![A-Za-z])(?:PIN|Pin|pin)(?:[ -](?:code|Code|number))?" + rf"(?:{_WHOSE}{_IS}|{_BLANK}?:{_BLANK}?)(?P<s>[0-9]{{4,8}})(?![\w.-])", digits, long=False),
    # .netrc: machine, login, password, in one line or three.
    Rule("password", ("login",), r"\blogin\s{1,8}\S{1,64}\s{1,8}password\s{1,8}(?P<s>[^\s\x00]{3,128})", in_url, long=False),
    # The text of a Wi-Fi QR code (ZXing): WIFI:T:WPA;S:name;P:password;;
    Rule("password", ("wifi:",), r"(?i:WIFI):(?:[A-Z]:[^;\n\x00]{0,64};){0,4}P:(?P<s>[^;\n\x00]{3,64})", in_url, long=False),
    Rule("api key", _TOKEN_KEYS, rf"(?:{_TOKEN})" + rf"(?:{_JOINT}|{_WHOSE}{_BLANK}{{1,3}}to{_BLANK}{{1,3}})" + _DRAWN, random_looking, long=False),
    Rule("api key", _TOKEN_KEYS, rf"(?:{_TOKEN})" + _PLAIN_JOINT + _QUOTED, random_looking, long=False),
    Rule("api key", ("key", "schl", "clave", "密匙", "キー"), rf"(?:{_KEY})" + _JOINT + _DRAWN, random_no_uuid, long=False),
    # Shells that write no equals sign, and options: `set HOMEBREW_TOKEN value`, `--token value`.
    Rule("api key", ("_token", "_key", "_secret"), rf"(?<=[A-Z0-9]_)(?:TOKEN|KEY|SECRET)[ \t]{{1,4}}" + _DRAWN, random_looking),
    Rule("api key", ("--",), r"(?<!\S)--[a-z-]{0,30}(?:token|key|secret|auth)[ \t]{1,4}" + _DRAWN, random_looking),
    # One-time passwords: otpauth://totp/label?secret=BASE32 (Key Uri Format).
    Rule("otp secret", ("otpauth:",), r"(?i:otpauth://[^\s\x00]{1,200}?[?&]secret=)(?P<s>[A-Za-z2-7]{16,128})", long=False),
    Rule("api key", ("django-insecure-",), BEGIN + r"django-insecure-(?P<s>[^\s\"'\\\x00]{30,80})"),
)
