"""Words that name a role in a conversation with an AI, and what they mean."""

from __future__ import annotations

from memcli.types import Role, Trust

USER = frozenset({"user", "human", "prompter", "you", "you said", "me"})
ASSISTANT = frozenset(
    {
        "assistant",
        "ai",
        "gpt",
        "chatgpt",
        "chatgpt said",
        "gpt-4",
        "claude",
        "claude said",
        "gemini",
        "gemini said",
        "bard",
        "bing",
        "bot",
        "chatbot",
        "copilot",
        "copilot said",
        "model",
        "llm",
        "mistral",
        "llama",
        "deepseek",
        "grok",
        "perplexity",
    }
)
SYSTEM = frozenset({"system", "developer"})
TOOL = frozenset({"tool", "function", "observation", "function_call", "tool_call", "ipython"})


def role_of(word: object) -> tuple[Role, Trust]:
    """The role and trust of a role word in an AI's log; unknown words come from others."""
    name = word.strip().lower() if isinstance(word, str) else ""
    if name in USER:
        return "user", "self"
    if name in ASSISTANT:
        return "assistant", "assistant"
    if name in TOOL:
        return "tool", "tool"
    if name in SYSTEM:
        return "system", "other"
    return "unknown", "other"
