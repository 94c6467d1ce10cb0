class Pool:
    def __init__(self, size):
        self.size = size
        self.idle = []

    def take(self):
        if self.idle:
            return self.idle.pop()
        return self.connect()

    def give(self, connection):
        if connection.is_open:
            self.idle.append(connection)
