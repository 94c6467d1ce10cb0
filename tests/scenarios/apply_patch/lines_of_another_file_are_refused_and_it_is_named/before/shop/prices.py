PRICES = {}


def price_of(article):
    return PRICES[article]
