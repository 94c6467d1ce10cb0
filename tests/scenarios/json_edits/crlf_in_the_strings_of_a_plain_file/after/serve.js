const PORT = 9443;
const TLS = true;
const HOST = 'localhost';

serve(HOST, PORT);
