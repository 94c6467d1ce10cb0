"""A task becomes a proposal: ask a model, evaluate, retry within limits."""
