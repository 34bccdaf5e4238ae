-- boolean and text keys, null groups
SELECT flag, name, count(*) AS n, sum(price), sum(rate), sum(n0), sum(n10), sum(n38) FROM {numbers} t
GROUP BY flag, name
ORDER BY flag NULLS FIRST, name NULLS FIRST;
