import os
import sys


def main():
    for arg in sys.argv[1:]:
        print(arg)


main()
