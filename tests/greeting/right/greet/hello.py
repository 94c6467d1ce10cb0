from greet.names import tidy
from greet.words import word


def hello(name, hour):
    return f"{word(hour)}, {tidy(name)}"
