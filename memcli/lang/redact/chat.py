"""Tokens of chat, mail and telephone services."""

from __future__ import annotations

from memcli.lang.redact.rule import BEGIN, END, Rule
from memcli.lang.redact.values import bot_token, varied

RULES = (
    # Slack, "token types": bot, user, app-level, refresh, legacy workspace.
    Rule(
        "slack token",
        ("xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxr-", "xoxs-", "xoxe-", "xoxe.", "xoxc-", "xoxd-"),
        BEGIN
        + r"xox(?:[bpaorsc]|e(?:\.xox[bp])?)-(?:[0-9]{1,14}-)[A-Za-z0-9-]{10,300}|"
        + BEGIN
        + r"xoxd-[A-Za-z0-9%/+=_-]{30,400}",
        varied,
    ),
    Rule("slack token", ("xapp-",), BEGIN + r"xapp-[0-9]-[A-Z0-9]{6,20}-[0-9]{6,20}-[A-Za-z0-9]{20,100}", varied),
    Rule(
        "slack webhook",
        ("hooks.slack.com",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9]{1,20}/[A-Za-z0-9]{1,20}/(?P<s>[A-Za-z0-9/]{8,80})",
        varied,
    ),
    # Discord: bot id in base64, time, signature; a webhook's last path segment.
    Rule(
        "discord token",
        (".",),
        r"(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}(?![A-Za-z0-9_-])",
        bot_token,
        anchored=False,
    ),
    Rule(
        "discord token",
        ("discord",),
        r"discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{15,21}/(?P<s>[A-Za-z0-9_-]{50,100})",
        varied,
    ),
    Rule(
        "teams webhook",
        ("webhook.office.com",),
        r"webhook\.office\.com/webhookb2/(?P<s>[A-Za-z0-9@/-]{40,250})",
        varied,
    ),
    # Telegram, Bot API: the bot's id, a colon, 35 characters that begin with AA.
    # In an address "bot" is glued before it.
    Rule(
        "telegram token",
        (":aa",),
        r"(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])",
        varied,
        anchored=False,
    ),
    # Twilio: API key SIDs begin with SK (AC names an account, and is no secret); auth tokens have no prefix.
    Rule("twilio key", ("sk",), BEGIN + r"SK[0-9a-f]{32}" + END, varied),
    Rule(
        "twilio key",
        ("twilio",),
        r"(?i:twilio[a-z_ -]{0,20}(?:token|secret|key))[\"'`\\]{0,4}"
        r"[ \t]{0,3}[:=][ \t]{0,3}[\"'`\\]{0,4}(?P<s>[0-9a-f]{32})" + END,
        varied,
    ),
    Rule("sendgrid key", ("sg.",), BEGIN + r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}", varied),
    # Mailgun: key- and 32 hexadecimal digits; newer keys have two groups of eight behind them.
    Rule("mailgun key", ("key-",), BEGIN + r"key-[0-9a-f]{32}" + END, varied),
    Rule("mailgun key", ("mailgun",), BEGIN + r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}" + END, varied, anchored=False),
    Rule("mailchimp key", ("-us",), BEGIN + r"[0-9a-f]{32}-us[0-9]{1,2}" + END, varied, anchored=False),
    Rule(
        "brevo key", ("xkeysib-", "xsmtpsib-"), BEGIN + r"x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}" + END, varied
    ),
    Rule("resend key", ("re_",), BEGIN + r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}" + END, varied),
    Rule("facebook token", ("eaa",), BEGIN + r"EAA[MC]?[A-Za-z0-9]{60,400}" + END, varied),
)
