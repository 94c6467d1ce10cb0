"""One file per provider, behind the protocol of `inlay.llm.provider`."""
