-- LIMIT 0 and an offset beyond the end
SELECT id, name FROM {numbers} t ORDER BY id LIMIT 0;
