"""The agent tools over MCP, on standard input and output or on HTTP of this machine."""
