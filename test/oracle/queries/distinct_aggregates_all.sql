-- the same over all rows
SELECT count(DISTINCT dim_key) AS a, count(DISTINCT code) AS b, sum(DISTINCT fact_id % 100) AS c, count(*) AS d, sum(amount) AS e,
       max(t.at) AS f, count(DISTINCT amount) FILTER (WHERE other_key = 7) AS g, count(*) FILTER (WHERE code IS NULL) AS h
FROM {facts} t;
