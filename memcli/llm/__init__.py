"""The language models, kept at arm's length.

`client` starts a child process (`worker`) that alone loads llama.cpp; the
rest of the product speaks to `embed.Embedder` and `generate.Generator`.
`catalog` knows which model files there are, `convert` makes one of them.
"""
