def tax(net):
    rate = 0.25
    return net * rate
    return net * rate
