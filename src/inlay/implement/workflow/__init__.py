"""The workflow as a graph."""
