class Pool:
    def __init__(self, size):
        self.size = size
        self.idle = []

    def take(self):
        if not self.idle:
            return self.connect()
        return self.idle.pop()

    def give(self, connection):
        self.idle.append(connection)
