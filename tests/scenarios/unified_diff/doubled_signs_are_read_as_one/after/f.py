def f():
    a = 1
    b = 22
    c = 3
    return a
