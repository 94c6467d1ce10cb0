"""What a customer has put aside."""

from dataclasses import dataclass, field


@dataclass
class Item:
    name: str
    cents: int
    count: int = 1


@dataclass
class Cart:
    items: list[Item] = field(default_factory=list)

    def add(self, item):
        for known in self.items:
            if known.name == item.name:
                known.count += item.count
                return
        self.items.append(item)

    def remove(self, name):
        self.items = [item for item in self.items if item.name != name]

    def total(self):
        total = 0
        for item in self.items:
            total += item.cents * item.count
        return total

    def count(self):
        total = 0
        for item in self.items:
            total += item.count
        return total
