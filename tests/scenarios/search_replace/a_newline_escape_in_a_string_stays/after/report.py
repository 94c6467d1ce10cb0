def report(lines):
    print("begin\n" + "-" * 20 + "\n")
    for line in lines:
        print(line)
