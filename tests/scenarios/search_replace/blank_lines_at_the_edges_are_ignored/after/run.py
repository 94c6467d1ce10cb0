import sys
def main():
    print(sys.argv[1:])
main()
