"""The rules by which a question that leans on the one before it is completed (D1); `rewrite` applies them."""
