class Circle:
    def draw(self, canvas):
        canvas.begin()
        canvas.circle(self.x, self.y, self.r)
        canvas.end()


class Square:
    sides = 4

    def draw(self, canvas):
        canvas.begin()
        canvas.square(self.x, self.y, self.a)
        canvas.end()
