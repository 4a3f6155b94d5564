"""Keys of payment services and shops."""

from __future__ import annotations

from memcli.lang.redact.rule import BEGIN, END, Rule
from memcli.lang.redact.values import varied

RULES = (
    # Stripe, "API keys": secret (sk) and restricted (rk) keys; pk is made to be public. Webhook secrets: whsec_.
    Rule(
        "stripe key",
        ("sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_org_"),
        BEGIN + r"[sr]k_(?:live|test|org)_[A-Za-z0-9_]{16,250}",
        varied,
    ),
    Rule("stripe key", ("whsec_",), BEGIN + r"whsec_[A-Za-z0-9+/]{24,100}={0,2}", varied),
    # Shopify, "access tokens": app, custom app, private app, shared secret.
    Rule(
        "shopify token",
        ("shpat_", "shpca_", "shppa_", "shpss_"),
        BEGIN + r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}" + END,
        varied,
    ),
    # Square: access token and OAuth secret.
    Rule(
        "square token",
        ("eaaa", "sq0atp-", "sq0csp-"),
        BEGIN + r"(?:EAAA[A-Za-z0-9_-]{60}|sq0[ac][ts]p-[A-Za-z0-9_-]{22,43})",
        varied,
    ),
    Rule(
        "paypal token",
        ("access_token$",),
        BEGIN + r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
        varied,
    ),
    Rule("razorpay key", ("rzp_",), BEGIN + r"rzp_live_[A-Za-z0-9]{14}" + END, varied),
    Rule("flutterwave key", ("flwseck",), BEGIN + r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,40}-X", varied),
    Rule(
        "plaid token",
        ("access-sandbox-", "access-production-", "access-development-"),
        BEGIN + r"access-(?:sandbox|production|development)-[0-9a-f-]{36}",
        varied,
    ),
    Rule("lob key", ("live_", "test_"), BEGIN + r"(?:live|test)_[0-9a-f]{35}" + END, varied),
)
