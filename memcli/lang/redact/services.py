"""Tokens of other services a person meets: notes, tasks, maps, monitoring, storage."""

from __future__ import annotations

from memcli.lang.redact.rule import BEGIN, END, Rule
from memcli.lang.redact.values import varied

RULES = (
    Rule(
        "notion token", ("ntn_", "secret_"), BEGIN + r"(?:ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43})" + END, varied
    ),
    Rule(
        "linear key",
        ("lin_api_", "lin_oauth_"),
        BEGIN + r"lin_(?:api_[A-Za-z0-9]{40}|oauth_[0-9a-f]{64})" + END,
        varied,
    ),
    Rule("airtable token", ("pat",), BEGIN + r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}" + END, varied),
    Rule("figma token", ("figd_", "figo_"), BEGIN + r"fig[do]_[A-Za-z0-9_-]{40,60}", varied),
    Rule("postman key", ("pmak-",), BEGIN + r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}" + END, varied),
    Rule(
        "grafana token",
        ("glsa_", "glc_"),
        BEGIN + r"gl(?:sa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|c_[A-Za-z0-9+/]{32,400}={0,3})",
        varied,
    ),
    Rule(
        "newrelic key",
        ("nrak-", "nraa-", "nrii-", "nrjs-"),
        BEGIN + r"(?:NRA[AK]-[A-Z0-9]{27}|NRII-[A-Za-z0-9_-]{32}|NRJS-[0-9a-f]{19})",
        varied,
    ),
    Rule("dynatrace token", ("dt0",), BEGIN + r"dt0[a-z][0-9]{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}", varied),
    Rule("mapbox token", ("sk.eyj",), BEGIN + r"sk\.eyJ[A-Za-z0-9_-]{20,200}\.[A-Za-z0-9_-]{16,60}", varied),
    Rule("dropbox token", ("sl.",), BEGIN + r"sl\.(?:u\.)?[A-Za-z0-9_-]{60,2000}", varied),
    Rule("contentful token", ("cfpat-",), BEGIN + r"CFPAT-[A-Za-z0-9_-]{43}", varied),
    Rule("typeform token", ("tfp_",), BEGIN + r"tfp_[A-Za-z0-9_-]{40,70}", varied),
    Rule("readme key", ("rdme_",), BEGIN + r"rdme_[a-z0-9]{70}", varied),
    Rule("adafruit key", ("aio_",), BEGIN + r"aio_[A-Za-z0-9]{28}" + END, varied),
    Rule("easypost key", ("ezak", "eztk"), BEGIN + r"EZ[AT]K[A-Za-z0-9]{54}", varied),
    Rule("shippo token", ("shippo_",), BEGIN + r"shippo_(?:live|test)_[0-9a-f]{40}", varied),
    Rule("posthog key", ("phx_",), BEGIN + r"phx_[A-Za-z0-9]{43,50}" + END, varied),
    Rule("prefect key", ("pnu_", "pnb_"), BEGIN + r"pn[ub]_[A-Za-z0-9]{36}" + END, varied),
    Rule("1password token", ("ops_eyj",), BEGIN + r"ops_eyJ[A-Za-z0-9+/=_-]{100,2000}", varied),
    Rule(
        "yandex key",
        ("aqvn", "t1."),
        BEGIN + r"(?:AQVN[A-Za-z0-9_-]{35,38}|t1\.[A-Za-z0-9_-]{20,100}\.[A-Za-z0-9_-]{60,100})",
        varied,
    ),
)
