class Cart(list):
    lines = ()
