"""Questions to the person at the terminal."""
