class Pool:
    def __init__(self, size):
        self.size = size
        self.idle = []

    def take(self):
        if self.idle:
            return self.idle.pop()
        self.made += 1
        return self.connect()

    def give(self, connection):
        self.idle.append(connection)
