-- year, month and day over two hundred years
SELECT id, extract(year FROM d), extract(month FROM d), extract(day FROM d), d FROM {numbers} t ORDER BY id LIMIT 3000;
