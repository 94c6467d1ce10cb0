"""How prices are shown and taxed."""

TAX = 0.19


def with_tax(cents):
    return round(cents * (1 + TAX))


def show(cents):
    return f"{cents / 100:.2f} €"


def discount(cents, percent):
    if percent < 0:
        raise ValueError("a discount cannot be negative")
    return cents - cents * percent // 100
