class Cart:
    lines = ()
