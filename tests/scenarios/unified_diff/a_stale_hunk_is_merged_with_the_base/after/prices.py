def total(items: list[Item]) -> float:
    result = 0.0
    for item in items:
        result += item.price * item.count
    return result


def mean(items):
    return total(items) / len(items)
