def f():
    a = 1
    # ... and the rest
    b = 2
    c = 3
    return a
