def f():
    first()
    second()
    third()
    fourth()
    x = 10
    y = 2
    return -x


class C:
    pass


def g():
    x = 1
    y = 2
    return x
