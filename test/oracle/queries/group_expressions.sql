-- arithmetic, CASE and extract as group keys, by position and alias
SELECT extract(year FROM d2) AS y2, small % 7 AS m, CASE WHEN small < -50 THEN 'low' WHEN small > 50 THEN 'high' END AS kind,
  count(*), sum(price * small)
FROM {numbers} t
GROUP BY 1, m, 3
ORDER BY y2, m, kind NULLS FIRST;
