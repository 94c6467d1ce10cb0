def greet():
    print("hello, world")


greet()
