-- integer division and remainder truncate toward zero
SELECT id, small / 7, small % 7, b / 3, b % 1000, s / grp, s % grp FROM {numbers} t ORDER BY id LIMIT 1500;
-- for DuckDB:
SELECT id, small // 7, small % 7, b // 3, b % 1000, s // grp, s % grp FROM {numbers} t ORDER BY id LIMIT 1500;
