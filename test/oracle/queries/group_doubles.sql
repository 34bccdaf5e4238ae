-- doubles as group keys: NaN is one group, -0.0 and 0.0 are one group
SELECT CASE WHEN y = 0 THEN 0 ELSE y END AS k, count(*), sum(b), min(id) FROM {numbers} t
WHERE y IS NOT NULL GROUP BY y ORDER BY 1;
-- for DuckDB:
SELECT k, count(*), sum(b), min(id) FROM (SELECT CASE WHEN y = 0 THEN 0 ELSE y END AS k, b, id FROM {numbers} t WHERE y IS NOT NULL)
GROUP BY k ORDER BY 1;
