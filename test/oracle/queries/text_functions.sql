SELECT id, upper(v) AS a, substr(u, 2, 3) AS b, replace(w, 'a', '--') AS c, length(w) AS d, strpos(u, '#') AS e, lpad(v, 5, '*') AS f,
  split_part(u, '#', 2) AS g, reverse(v) AS h, trim(both 'ab' from u) AS i, starts_with(u, v) AS j, concat_ws('-', v, id, u) AS k
FROM {many_texts} ORDER BY id
-- for DuckDB:
SELECT id, upper(v) AS a, substr(u, 2, 3) AS b, replace(w, 'a', '--') AS c, length(w) AS d, strpos(u, '#') AS e, lpad(v, 5, '*') AS f,
  split_part(u, '#', 2) AS g, reverse(v) AS h, trim(u, 'ab') AS i, starts_with(u, v) AS j, concat_ws('-', v, id, u) AS k
FROM {many_texts} ORDER BY id
