def f():
    a = 1
    b = 22
    bb = 3
    c = 3
    return a
