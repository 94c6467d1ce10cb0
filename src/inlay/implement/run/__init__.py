"""Starting, resuming and scheduling runs."""
