-- nested CASE, simple CASE, COALESCE over three columns, guards before a division
SELECT id, CASE grp_n WHEN 1 THEN 'one' WHEN 2 THEN 'two' ELSE name END AS a, coalesce(s, i, -1) AS b, coalesce(rate, 0) AS c,
  CASE WHEN grp_n = 0 THEN NULL ELSE small / grp_n END AS e,
  CASE WHEN flag THEN CASE WHEN small > 0 THEN 'p' ELSE 'n' END WHEN NOT flag THEN 'f' END AS f
FROM {numbers} t ORDER BY id LIMIT 1500;
-- for DuckDB:
SELECT id, CASE grp_n WHEN 1 THEN 'one' WHEN 2 THEN 'two' ELSE name END AS a, coalesce(s, i, -1) AS b, coalesce(rate, 0) AS c,
  CASE WHEN grp_n = 0 THEN NULL ELSE small // grp_n END AS e,
  CASE WHEN flag THEN CASE WHEN small > 0 THEN 'p' ELSE 'n' END WHEN NOT flag THEN 'f' END AS f
FROM {numbers} t ORDER BY id LIMIT 1500;
