class Basket:
    pass
