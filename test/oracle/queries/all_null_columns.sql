-- columns that hold nothing but nulls
SELECT k, i, n, t, d, x, coalesce(i, k) AS c, i IS NULL AS z FROM {all_null} a ORDER BY k;
