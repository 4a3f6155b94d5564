"""Keys of model providers and their tools."""

from __future__ import annotations

from memcli.lang.redact.rule import BEGIN, END, Rule
from memcli.lang.redact.values import random_looking, varied

RULES = (
    # Anthropic: sk-ant-, the kind with its version (api03, admin01, oat01, sid01), the key.
    Rule("anthropic key", ("sk-ant-",), BEGIN + r"sk-ant-[a-z]{3,6}[0-9]{2}-[A-Za-z0-9_-]{40,200}", varied),
    # OpenAI: keys of projects, service accounts and administrators; older ones have OpenAI's name in base64 inside.
    Rule(
        "openai key",
        ("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-none-"),
        BEGIN + r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,250}",
        varied,
    ),
    Rule(
        "openai key",
        ("t3blbkfj",),
        BEGIN + r"sk-[A-Za-z0-9_-]{15,100}T3BlbkFJ[A-Za-z0-9_-]{15,100}",
        varied,
        anchored=False,
    ),
    Rule("openrouter key", ("sk-or-",), BEGIN + r"sk-or-v1-[0-9a-f]{64}", varied),
    # Others follow OpenAI's form: sk- and 32 or more letters and digits.
    Rule("api key", ("sk-",), BEGIN + r"sk-[A-Za-z0-9]{32,64}" + END, random_looking),
    # Hugging Face: hf_ for people, api_org_ for organisations.
    Rule("huggingface token", ("hf_", "api_org_"), BEGIN + r"(?:hf|api_org)_[A-Za-z0-9]{34,40}" + END, varied),
    Rule("replicate token", ("r8_",), BEGIN + r"r8_[A-Za-z0-9]{37}" + END, varied),
    Rule("groq key", ("gsk_",), BEGIN + r"gsk_[A-Za-z0-9]{40,60}" + END, varied),
    Rule("xai key", ("xai-",), BEGIN + r"xai-[A-Za-z0-9]{60,100}" + END, varied),
    Rule("perplexity key", ("pplx-",), BEGIN + r"pplx-[A-Za-z0-9]{40,60}" + END, varied),
    Rule("nvidia key", ("nvapi-",), BEGIN + r"nvapi-[A-Za-z0-9_-]{50,90}", varied),
    Rule("langsmith key", ("lsv2_",), BEGIN + r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}", varied),
    Rule("tavily key", ("tvly-",), BEGIN + r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,60}" + END, varied),
    Rule("fireworks key", ("fw_",), BEGIN + r"fw_[A-Za-z0-9]{22,40}" + END, random_looking),
    Rule("cerebras key", ("csk-",), BEGIN + r"csk-[a-z0-9]{40,60}" + END, varied),
    Rule("jina key", ("jina_",), BEGIN + r"jina_[0-9a-f]{32}[A-Za-z0-9_-]{20,40}", varied),
)
