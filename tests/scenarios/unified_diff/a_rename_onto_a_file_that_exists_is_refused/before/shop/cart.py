class Cart:
    pass
