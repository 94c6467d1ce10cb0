class Circle:
    def draw(self, canvas):
        canvas.begin()
        canvas.circle(self.x, self.y, self.r)
        canvas.end()


class Square:
    def draw(self, canvas):
        canvas.begin()
        canvas.square(self.x, self.y, self.a)
        canvas.end()
