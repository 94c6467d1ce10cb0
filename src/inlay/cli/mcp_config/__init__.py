"""The configuration files of MCP clients."""
