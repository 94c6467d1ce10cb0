const PORT = 9443;
const HOST = 'localhost';

serve(HOST, PORT);
