const PORT = 9443;
const HOST = 'example.org';

serve(HOST, PORT);
