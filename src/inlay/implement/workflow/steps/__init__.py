"""The steps of the workflow, one per file: each takes the state and returns an update."""
