def tidy(name):
    return name.strip()
