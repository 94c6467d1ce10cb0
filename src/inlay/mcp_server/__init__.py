"""The agent tools over the Model Context Protocol: standard input and output, or HTTP on this machine."""
