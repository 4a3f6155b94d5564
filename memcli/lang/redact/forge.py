"""Tokens of code forges, registries and build services."""

from __future__ import annotations

from memcli.lang.redact.rule import BEGIN, END, Rule
from memcli.lang.redact.values import varied

RULES = (
    # GitHub, "authentication token formats": ghp personal, gho OAuth, ghu user-to-server, ghs server-to-server,
    # ghr refresh; fine-grained github_pat_.
    Rule("github token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), BEGIN + r"gh[pousr]_[A-Za-z0-9]{36,255}", varied),
    Rule("github token", ("github_pat_",), BEGIN + r"github_pat_[A-Za-z0-9_]{50,255}", varied),
    # GitLab, "token overview": personal, deploy, runner, trigger, feed, CI job, SCIM, agent, OAuth secret, mail.
    Rule(
        "gitlab token",
        (
            "glpat-",
            "gldt-",
            "glrt-",
            "glrtr-",
            "glptt-",
            "glft-",
            "glcbt-",
            "glsoat-",
            "glagent-",
            "gloas-",
            "glimt-",
            "glffct-",
        ),
        BEGIN
        + r"gl(?:pat|dt|rtr?|ptt|ft|cbt|soat|agent|oas|imt|ffct)-[A-Za-z0-9_-]{20,300}(?:\.[0-9a-z]{2}\.[0-9a-z]{9})?",
        varied,
    ),
    Rule("gitlab token", ("gr1348941",), BEGIN + r"GR1348941[A-Za-z0-9_-]{20}", varied),
    # Atlassian API and app tokens; the Bitbucket ones share the prefix.
    Rule(
        "atlassian token",
        ("atatt3x", "atctt3x", "atbb"),
        BEGIN + r"(?:AT[AC]TT3x[A-Za-z0-9+/=_-]{60,400}|ATBB[A-Za-z0-9]{32})",
        varied,
    ),
    # npm: npm_ and 36 characters, the last six a checksum.
    Rule("npm token", ("npm_",), BEGIN + r"npm_[A-Za-z0-9]{36}" + END, varied),
    Rule(
        "npm token",
        (":_authtoken", ":_password", ":_auth"),
        r":_(?:authToken|password|auth)[ \t]?=[ \t]?\"?(?P<s>[A-Za-z0-9+/=_-]{16,400})",
        varied,
    ),
    # The Python index: a macaroon; "Ag" begins the base64 of its location.
    Rule("pypi token", ("pypi-ag",), BEGIN + r"pypi-Ag[A-Za-z0-9_-]{50,1000}", varied),
    Rule("rubygems key", ("rubygems_",), BEGIN + r"rubygems_[0-9a-f]{48}", varied),
    Rule("crates token", ("cio",), BEGIN + r"cio[A-Za-z0-9]{32}" + END, varied),
    Rule("nuget key", ("oy2",), BEGIN + r"oy2[a-z0-9]{43}" + END, varied),
    Rule("clojars token", ("clojars_",), BEGIN + r"CLOJARS_[A-Za-z0-9]{60}", varied),
    Rule("docker token", ("dckr_pat_", "dckr_oat_"), BEGIN + r"dckr_[po]at_[A-Za-z0-9_-]{27,60}", varied),
    Rule("artifactory key", ("akcp",), BEGIN + r"AKCp[A-Za-z0-9]{60,80}", varied),
    Rule("circleci token", ("ccipat_", "ccipra_"), BEGIN + r"CCIP(?:AT|RA)_[A-Za-z0-9]{22}_[0-9a-fA-F]{40}", varied),
    Rule("buildkite token", ("bkua_", "bkat_", "bkct_"), BEGIN + r"bk(?:ua|at|ct)_[A-Za-z0-9]{20,60}", varied),
    Rule("sourcegraph token", ("sgp_",), BEGIN + r"sgp_(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{40}", varied),
    Rule("sonar token", ("sqp_", "squ_", "sqa_"), BEGIN + r"sq[pua]_[0-9a-f]{40}", varied),
    Rule(
        "sentry token", ("sntrys_", "sntryu_"), BEGIN + r"sntry(?:s_eyJ[A-Za-z0-9+/=_]{60,400}|u_[0-9a-f]{64})", varied
    ),
)
