const PORT = 9000;
const HOST = 'localhost';

serve(HOST, PORT);
