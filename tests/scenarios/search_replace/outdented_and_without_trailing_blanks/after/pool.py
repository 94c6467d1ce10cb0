class Pool:
    def __init__(self, size):
        self.size = size
        self.idle = []

    def take(self):
        while self.idle:
            connection = self.idle.pop()
            if connection.is_open:
                return connection
        return self.connect()

    def give(self, connection):
        self.idle.append(connection)
