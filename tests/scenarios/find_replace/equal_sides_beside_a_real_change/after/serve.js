const PORT = 9000;
const HOST = '0.0.0.0';

serve(HOST, PORT);
