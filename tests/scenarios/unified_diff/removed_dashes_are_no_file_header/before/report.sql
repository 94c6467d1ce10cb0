SELECT name, total
-- oldest first
FROM orders
ORDER BY placed;
