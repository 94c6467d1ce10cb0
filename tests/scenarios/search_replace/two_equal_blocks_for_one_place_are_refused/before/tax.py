def tax(net):
    rate = 0.2
    return net * rate
