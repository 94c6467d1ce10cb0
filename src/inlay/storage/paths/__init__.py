"""From a name in a reply to an open file inside the project."""
