PRICES = {}


def price_of(article):
    return PRICES.get(article, 0)
