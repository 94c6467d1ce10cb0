"""From a task to a proposal."""
