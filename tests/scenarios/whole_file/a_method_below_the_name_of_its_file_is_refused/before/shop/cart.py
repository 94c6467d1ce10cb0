"""The shopping cart."""

from shop.prices import price_of


class Cart:
    def __init__(self):
        self.lines = []

    def add(self, article, count=1):
        self.lines.append((article, count))

    def total(self):
        return sum(price_of(article) for article, count in self.lines)

    def clear(self):
        self.lines = []
