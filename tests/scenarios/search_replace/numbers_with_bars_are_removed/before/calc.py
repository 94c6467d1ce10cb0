def area(width, height):
    return width * height


def volume(width, height, depth):
    base = area(width, height)
    return base * depth


def weight(width, height, depth, density):
    return volume(width, height, depth) * density
