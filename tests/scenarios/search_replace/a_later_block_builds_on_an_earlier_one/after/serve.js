const PORT = 9000;
const TLS = true;
const HOST = 'localhost';

serve(HOST, PORT);
