"""The pure engine: text in, text out."""
