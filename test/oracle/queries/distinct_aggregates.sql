-- several distinct arguments beside others, grouped and filtered
SELECT other_key, count(DISTINCT dim_key) AS a, count(DISTINCT code) AS b, sum(DISTINCT dim_key) AS c, count(*) AS d,
       sum(amount) AS e, min(code) AS f, count(DISTINCT t.at) FILTER (WHERE amount > 0) AS g, sum(amount) FILTER (WHERE code < 'c30') AS h,
       bool_and(amount > 0) AS i, bool_or(code = 'c33') AS j
FROM {facts} t GROUP BY other_key ORDER BY other_key;
