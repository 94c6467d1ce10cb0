import os
PORT = 9000
HOST = 'localhost'
