def area(width, height):
    """In square metres."""
    return width * height
