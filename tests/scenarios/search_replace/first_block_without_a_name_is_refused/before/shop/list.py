class List:
    def clear(self):
        pass
