"""From a reply to files."""
