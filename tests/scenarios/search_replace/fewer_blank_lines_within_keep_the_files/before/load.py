def load(path):
    with open(path) as file:
        text = file.read()


    lines = text.split()

    return lines
