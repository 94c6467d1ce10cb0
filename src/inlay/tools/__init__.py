"""The agent tools as plain Python callables with their JSON Schemas."""
