"""Where a secret stands must not matter; what no text does to the reader; what loading costs."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.lang.redact import redact
from memcli.lang.redact.scan import _tables
from memcli.lang.redact.second import second_opinion
from memcli.lang.redact.values import luhn, random_looking, spoken

ROOT = Path(__file__).parent.parent.parent
CASES = json.loads((ROOT / "tests" / "cases" / "secrets.json").read_text(encoding="utf-8"))

# Kinds whose values need no name before them.
BARE = (
    "aws-access-key github-token gitlab-token slack-token stripe-key openai-key anthropic-key huggingface-token "
    "npm-token pypi-token sendgrid-key digitalocean-token shopify-token gcp-key telegram-token card-number"
).split()
VALUES = sorted({(case["kind"], "".join(case["secret_parts"])) for case in CASES if case["kind"] in BARE})

PLACES = {
    "alone": "{}",
    "in a sentence": "look, {} is what I got.",
    "after a colon": "value:{}",
    "at the end of a line": "first\n{}\nlast",
    "in Markdown code": "use `{}` here",
    "in a code fence": "```\n{}\n```",
    "emphasised": "it is **{}** now",
    "in brackets": "({}), [{}], <{}>",
    "in a link": "[here](https://example.com/?t={}&page=2)",
    "in quotes": "'{}' and \"{}\"",
    "in JSON": '{{"value": "{}", "next": 1}}',
    "in JSON in JSON": '{{"body": "{{\\"value\\": \\"{}\\"}}"}}',
    "after an escaped line end": '{{"out": "done\\n{}\\nbye"}}',
    "between Chinese": "这是{}不要外传",
    "between Japanese": "キーは{}です。",
    "full-width punctuation": "值：{}。",
    "in a table": "| name | value |\n|---|---|\n| x | {} |",
    "assigned": "X={}",
    "in XML": "<v>{}</v>",
    "after a tab": "a\t{}\tb",
    "carriage return": "a\r\n{}\r\nb",
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_secret_is_found_wherever_it_stands(place):
    left = [
        kind
        for kind, value in VALUES
        if value in redact(place.replace("{}", value).replace("{{", "{").replace("}}", "}")).text
    ]
    assert not left


@pytest.mark.parametrize("place", ["left {} right", "链接{}之后", "«{}»", '{{"a": "{}", "b": "kept"}}'])
def test_the_neighbours_survive(place):
    place = place.replace("{{", "{").replace("}}", "}")
    before, after = place.split("{}")
    for _, value in VALUES:
        text = redact(before + value + after).text
        assert text.startswith(before)
        assert text.endswith(after)


def test_two_secrets_in_one_text_are_two():
    first, second = [value for kind, value in VALUES if kind == "github-token"][:2]
    assert len(redact(f"{first} and {second}").found) == 2


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("the wifi password is lantern42!", "lantern42"),
        ("wifi password: lantern42, it is on the fridge", "lantern42"),
        ("I reset the password to lantern*42 today", "lantern*42"),
        ("password=lantern42&user=ada", "lantern42"),
        ("Password: “lantern42”", "lantern42"),
        ("user,password\nada,lantern42\nbo,Kettle-77", "Kettle-77"),
        ('{"name": "DB_PASSWORD", "value": "lantern42"}', "lantern42"),
        ("WIFI:T:WPA;S:cabin;P:lantern42;;", "lantern42"),
        ("https://ada:lan%40tern@example.com/x", "lan%40tern"),
        ("smbclient //nas/x -U ada%lantern42", "lantern42"),
        ("openssl rsa -passin pass:lantern42", "lantern42"),
        ("email ada@example.com password lantern*42", "lantern*42"),
        ("netflix login: ada@example.com / lantern*42", "lantern*42"),
        ("credentials: ada/lantern42", "lantern42"),
        ("WLAN-Passwort Gäste = lantern42", "lantern42"),
        ("password (wifi): lantern42", "lantern42"),
        ("password - lantern42", "lantern42"),
        ("Passwort → lantern42", "lantern42"),
        ("пароль — lantern42", "lantern42"),
        ("Heslo: lantern42", "lantern42"),
        ("the password's lantern42", "lantern42"),
        ("the new password will be lantern42", "lantern42"),
        ("Password:\nlantern42", "lantern42"),
        ("<password>lantern42</password>", "lantern42"),
        ("use lantern42 as the password", "lantern42"),
        ("lantern42 is our new wifi password", "lantern42"),
        ("DB_PASSWORD=lantern", "lantern"),
        ("?user=a&password=lantern&x=1", "lantern"),
        ('form.append("password", "lantern42")', "lantern42"),
        ('<add key="DbPassword" value="lantern42"/>', "lantern42"),
        ("비밀번호는 lantern42입니다", "lantern42"),
    ],
)
def test_passwords_that_a_name_gives_away(text, hidden):
    result = redact(text)
    assert hidden not in result.text
    assert next(one.rule for one in result.found) in ("password", "url password")


@pytest.mark.parametrize(
    "text",
    [
        "the password is 12 characters long",
        "the password is wrong!",
        "password is not/never shown",
        "password: n/a",
        "our mountain pass is 2400m high",
        "pass: 14, fail: 2",
        "the password for 2FA is optional",
        "password = self.password1",
        "password: /run/secrets/db_password_1",
        '"password": "required"',
        '"password_error": "the password is \'too short for us\'"',
        "pin: 13 is the LED",
        "pinned 2024",
        "key: 3590a00c-e6a0-46ec-a0a9-858bdb8c94da",
        "next_page_token: a1b2c3d4e5f6a7b8c9d0",
        "user, password\nI like, tea",
        "| test | pass |\n|---|---|\n| a | 30 of 32 |",
        '"pw",\n"quad2d",',
        "('http', 'joe', 'password', 'proxy.example.com:3128')",
        "rng = default_rng(2435908729190400)",
        'publicKeyToken="1fc8b3b9a1e18e3b"',
        "the password manager 1Password2024",
        "login: see docs/index2.html",
        "util._assertion_pass = call_assertion_pass_hook",
    ],
)
def test_talk_about_passwords_stays(text):
    assert redact(text).text is text


def test_placeholders_are_known_only_by_the_names_of_the_rules():
    """Nobody gets a value past the reader by writing it like a placeholder."""
    assert redact("[secret: password]").found == ()
    assert "lantern42" not in redact("[secret: lantern42] password: lantern42").text.replace("[secret: lantern42]", "")


def test_a_placeholder_contains_nothing_of_a_value():
    assert all(rule.name.replace(" ", "").isalnum() and len(rule.name) < 24 for rule in _tables())


def test_keywords_are_lower_case_or_they_would_never_be_met():
    assert all(word == word.lower() for rule in _tables() for word in rule.keywords)


@pytest.mark.parametrize(
    ("fit", "value", "kept"),
    [
        (luhn, "4539 3704 6733 8025", 19),
        (luhn, "4539 3704 6733 8026", 0),
        (spoken, "lantern42.", 9),
        (spoken, "patience", 0),
        (spoken, "2026-05-20", 0),
        (random_looking, "V1StGXR8_Z5jdHi6B-myT", 21),
        (random_looking, "getPasswordResetTokenExpirationDate2", 0),
    ],
)
def test_the_judges_of_values(fit, value, kept):
    assert fit(value) == kept


HOSTILE = [
    "a", "1", "=", " ", "\n", "\\", '"', "é", "İ", "-----BEGIN", "-----BEGIN RSA PRIVATE KEY-----\n", "://", "http://a:b",
    "eyJ", "eyJ.", "password", "password: ", "password for a ", "key=", "token: ", "ghp_", "sk-ant-api03-", "4111 ",
    "4111111111111111 ", "curl -u ", "mysql -p", "cookie: a=b;", "Authorization: Bearer ", "value: ",
    "password,a\n", "1-2-", "\x00", "密码是",
    "[secret: ", "[secret: jwt]", 'password="\'', "-p ", "otpauth://a?", "AKIA", "x" * 15 + " ",
]  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE, ids=[repr(unit)[:30] for unit in HOSTILE])
def test_time_grows_with_length_alone(unit):
    """Twice the text, about twice the time: 300 KB stay far below what a quadratic pattern would take."""
    text = (unit * (300_000 // len(unit) + 1))[:300_000]
    redact(text[:1000])
    start = time.process_time()
    redact(text)
    assert time.process_time() - start < (0.5 if unit in ("a", "1", "=", "-----BEGIN") else 2.0)


PIECES = st.sampled_from(
    [*HOSTILE, "secret", "is", "to", " ", ":", "=", "'", "&a=", "|", ",", "{", "}", "@host", "\\n",
     "Aa1Bb2Cc3Dd4Ee5Ff6Gg7", "x9!"]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.one_of(PIECES, st.sampled_from([value for _, value in VALUES])), max_size=25).map("".join),
)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_any_text_is_read_and_reading_it_again_finds_nothing(text):
    once = redact(text)
    twice = redact(once.text)
    assert twice.text == once.text
    assert not twice.found
    if not once.found:
        assert once.text is text


def test_loading_compiles_nothing_and_takes_no_library_along():
    code = (
        "import dataclasses, re, sys\n"
        "seen = set(sys.modules); made = []\n"
        "plain = re.compile\n"
        "re.compile = lambda *a, **k: made.append(a) or plain(*a, **k)\n"
        "import memcli.lang.redact as r\n"
        "assert not made, made\n"
        "text = 'see you at ten, and bring the kettle'\n"
        "assert r.redact(text).text is text\n"
        "assert len(made) <= 2, made\n"
        "new = {m.split('.')[0] for m in set(sys.modules) - seen}\n"
        "assert new <= {'memcli', '__future__', 'bisect', '_bisect', 'binascii', 'math'}, new\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


@pytest.mark.slow
def test_speed_without_and_with_hits():
    """Bounds far below what is measured on an idle machine: a slower reader is a change of kind."""
    lines = [line for line in (ROOT / "examples" / "demo-chat.txt").read_text(encoding="utf-8").splitlines() if line]
    hits = ["".join(case["parts"]) for case in CASES if case["kind"]]
    for texts, least in ((lines, 20_000), (hits, 1_500)):
        for text in texts:
            redact(text)
        start = time.process_time()
        for text in texts:
            redact(text)
        assert len(texts) / (time.process_time() - start) > least


def test_the_second_opinion_flags_nothing_harmless():
    pytest.importorskip("detect_secrets")
    assert [text for case in CASES if not case["kind"] and second_opinion(text := "".join(case["parts"]))] == []


def test_the_second_opinion_is_empty_without_the_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "detect_secrets.core.plugins.util", None)
    assert second_opinion("anything") == ()
