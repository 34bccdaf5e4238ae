-- aggregates and groups over nothing but nulls
SELECT t, count(*), count(i), sum(i), sum(n), avg(n), min(t), max(d), sum(x) FROM {all_null} a GROUP BY t;
