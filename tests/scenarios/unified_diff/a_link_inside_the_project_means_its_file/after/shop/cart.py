class Cart(list):
    pass
