"""The steps of the workflow, a file each: from the state to what changes in it."""
