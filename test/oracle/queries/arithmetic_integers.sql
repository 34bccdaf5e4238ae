-- + - * unary minus on nullable integers
SELECT id, s + small, s - small, s * small, -s::integer, b / 1000 + i, (small + 1) * (small - 1), small * small * small FROM {numbers} t
ORDER BY id LIMIT 1500;
-- for DuckDB:
SELECT id, s + small, s - small, s * small, -s::integer, b // 1000 + i, (small + 1) * (small - 1), small * small * small FROM {numbers} t
ORDER BY id LIMIT 1500;
