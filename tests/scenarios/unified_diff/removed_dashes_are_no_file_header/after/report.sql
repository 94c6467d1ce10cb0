SELECT name, total
++ newest first
FROM orders
ORDER BY placed;
