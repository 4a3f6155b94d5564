"""Keys of clouds and hosts. The shapes are the issuers' own, as their documentation gives them."""

from __future__ import annotations

from memcli.lang.redact.rule import BEGIN, END, Rule
from memcli.lang.redact.values import random_looking, varied

_NAMED = r"[\"'`*\\\]]{0,8}[ \t]{0,4}(?:[:=：]|=>|is|to)[ \t]{0,4}[\"'`\\]{0,8}"
_BESIDE = r"(?:\"?,?\s{0,8}[\"']?value[\"']?\s{0,4}:\s{0,4}\\{0,4}[\"']?)"

RULES = (
    # AWS IAM, unique identifiers: AKIA is a long-term, ASIA a temporary access key; ABIA and ACCA
    # are bearer tokens of services. AROA, AIDA and the others name things and open nothing.
    Rule(
        "aws access key",
        ("akia", "asia", "abia", "acca"),
        BEGIN + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}" + END,
        varied,
    ),
    # 40 characters of base64, without a prefix: the name decides, or the access key id beside it.
    Rule(
        "aws secret key",
        ("secret", "aws"),
        r"(?i:secret[ _-]?access[ _-]?key|aws[ _-]?secret(?:[ _-]?key)?)(?:" + _NAMED + "|" + _BESIDE + ")"
        r"(?P<s>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        varied,
    ),
    Rule(
        "aws secret key",
        ("akia", "asia"),
        r"(?:AKIA|ASIA)[A-Z0-9]{16}[\"'\s,;:|/]{1,12}(?P<s>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        varied,
    ),
    Rule(
        "aws session token",
        ("session_token", "sessiontoken", "session token", "security-token"),
        r"(?i:session[ _-]?token|x-amz-security-token)" + _NAMED + r"(?P<s>[A-Za-z0-9/+=%]{80,2000})",
        varied,
    ),
    Rule("aws signature", ("x-amz-signature",), r"(?i:X-Amz-Signature)=(?P<s>[0-9a-f]{64})", varied),
    # Amazon Bedrock API keys, long-term and short-term.
    Rule(
        "aws bedrock key",
        ("absk", "bedrock-api-key-"),
        BEGIN + r"(?:ABSK[A-Za-z0-9+/]{100,270}={0,2}|bedrock-api-key-[A-Za-z0-9+/=]{60,2000})",
        varied,
    ),
    # Google Cloud: API keys are AIza and 35 more; OAuth client secrets GOCSPX-; access tokens ya29.;
    # refresh tokens 1//0.
    Rule("gcp key", ("aiza",), BEGIN + r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])", varied),
    Rule("gcp key", ("gocspx-",), BEGIN + r"GOCSPX-[A-Za-z0-9_-]{28}", varied),
    Rule("gcp key", ("ya29.",), BEGIN + r"ya29\.[A-Za-z0-9_-]{20,2048}", varied),
    Rule("gcp key", ("1//0",), BEGIN + r"1//0[A-Za-z0-9_-]{40,200}", varied),
    # Azure: storage and service bus keys in connection strings, SAS signatures, client secrets (their 4th to 6th
    # characters are a digit and Q~).
    Rule(
        "azure key",
        ("accountkey", "sharedaccesskey", "azure", "cosmos"),
        r"(?i:accountkey|sharedaccesskey|(?:azure|cosmos)[a-z_]{0,30}key)"
        + _NAMED
        + r"(?P<s>[A-Za-z0-9+/]{42,88}={0,2})(?![A-Za-z0-9+/=])",
        varied,
    ),
    Rule("azure key", ("sig=",), r"(?<=[?&])sig=(?P<s>[A-Za-z0-9%+/_-]{40,120}={0,2})", varied),
    Rule(
        "azure key",
        ("q~",),
        r"(?<![A-Za-z0-9_~.])(?P<s>[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34})(?![A-Za-z0-9_~-])",
        varied,
        anchored=False,
    ),
    # DigitalOcean: personal (dop), OAuth (doo) and refresh (dor) tokens.
    Rule("digitalocean token", ("dop_v1_", "doo_v1_", "dor_v1_"), BEGIN + r"do[opr]_v1_[0-9a-f]{64}", varied),
    Rule("alibaba key", ("ltai",), BEGIN + r"LTAI[A-Za-z0-9]{12,24}" + END, random_looking),
    Rule("tencent key", ("akid",), BEGIN + r"AKID[A-Za-z0-9]{32}" + END, random_looking),
    Rule("heroku key", ("hrku-",), BEGIN + r"HRKU-[A-Za-z0-9_-]{36,80}", varied),
    Rule(
        "fly token",
        ("flyv1", "fo1_"),
        BEGIN + r"(?:fo1_[A-Za-z0-9_-]{43}|FlyV1 fm[12][ar]?_[A-Za-z0-9+/=,_]{60,2000})",
        varied,
    ),
    Rule("netlify token", ("nfp_",), BEGIN + r"nfp_[A-Za-z0-9]{36}" + END, varied),
    Rule(
        "vercel token", ("vcp_", "vci_", "vca_", "vcr_", "vck_"), BEGIN + r"vc[piark]_[A-Za-z0-9]{24,60}" + END, varied
    ),
    Rule("cloudflare key", ("v1.0-",), BEGIN + r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}", varied),
    Rule(
        "supabase key", ("sbp_", "sb_secret_"), BEGIN + r"(?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,60})", varied
    ),
    Rule("planetscale token", ("pscale_",), BEGIN + r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.-]{32,64}", varied),
    Rule("databricks token", ("dapi",), BEGIN + r"dapi[0-9a-f]{32}(?:-[0-9])?" + END, varied),
    Rule("vault token", ("hvs.", "hvb.", "hvr."), BEGIN + r"hv[sbr]\.[A-Za-z0-9_-]{24,300}", varied),
    Rule(
        "terraform token",
        (".atlasv1.",),
        BEGIN + r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}",
        varied,
        anchored=False,
    ),
    Rule("pulumi token", ("pul-",), BEGIN + r"pul-[0-9a-f]{40}" + END, varied),
    Rule(
        "doppler token",
        ("dp.",),
        BEGIN + r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}" + END,
        varied,
    ),
    Rule("openshift token", ("sha256~",), BEGIN + r"sha256~[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])", varied),
    Rule("tailscale key", ("tskey-",), BEGIN + r"tskey-[a-z]{2,10}-[A-Za-z0-9_-]{16,80}", varied),
)
