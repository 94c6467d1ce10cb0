def report(lines):
    print("begin")
    for line in lines:
        print(line)
