SELECT t.id, CASE WHEN t.id % 3 = 0 THEN t.u WHEN t.id % 3 = 1 THEN n.name ELSE 'none' END AS s, coalesce(n.name, t.w) AS c
FROM {many_texts} t JOIN {numbers} n ON t.id = n.id ORDER BY t.id
