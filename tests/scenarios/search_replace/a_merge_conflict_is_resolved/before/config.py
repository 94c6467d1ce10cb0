import os
<<<<<<< HEAD
PORT = 8000
=======
PORT = 9000
>>>>>>> feature/ports
HOST = 'localhost'
