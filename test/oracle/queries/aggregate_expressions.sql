-- arithmetic over aggregates, the same aggregate twice, filters in CASE
SELECT grp, sum(price) * 2 - sum(price) AS a, count(*) * 100 + grp AS b, sum(CASE WHEN flag THEN price END) AS c,
  count(CASE WHEN flag THEN 1 END) AS d, coalesce(sum(CASE WHEN small > 1000 THEN small END), 0) AS e, -max(small) AS f
FROM {numbers} t
GROUP BY grp
ORDER BY grp;
