-- between each pair of number types, dates and texts
SELECT id, small::bigint, small::double precision, price::integer, CAST(n10 AS numeric(12, 3)), CAST(small AS numeric(10, 2)),
  CAST(rate AS double precision), flag::int, CAST(price AS numeric(15, 0)), CAST('2020-02-29' AS date) AS d3, CAST(d2 AS timestamp) AS ts
FROM {numbers} t ORDER BY id LIMIT 1500;
