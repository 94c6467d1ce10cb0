"""Nouns as JSON and as text, once, for the command line, the tools, the nodes and the MCP server.

Each module renders one noun by pure functions: no terminal, no colour. `<noun>_json` is for programs and documented in
docs/json.md. `<noun>_brief`, where there is one, is for a model, which pays for every token and repeats what it reads:
hashes are cut, empty values are left out, long texts are shortened.
"""
