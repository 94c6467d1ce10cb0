def area(width, height):
    return width * height


def volume(width, height, depth):
    return area(width, height) * depth


def weight(width, height, depth, density):
    return volume(width, height, depth) * density
