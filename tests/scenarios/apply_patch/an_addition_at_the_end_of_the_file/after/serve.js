const PORT = 9000;
const HOST = 'localhost';

serve(HOST, PORT);

console.log(`listening on ${HOST}:${PORT}`);
