def f():
    a = 11
    b = 2
    c = 33
    return a
