class Basket(list):
    pass
