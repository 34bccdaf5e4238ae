SELECT id, split_part(u, '#', 2)::integer AS n, (id || '.25')::numeric(9,2) AS m, id::text || 'x' AS t FROM {many_texts} ORDER BY id
-- for DuckDB:
SELECT id, split_part(u, '#', 2)::integer AS n, (id || '.25')::decimal(9,2) AS m, id::text || 'x' AS t FROM {many_texts} ORDER BY id
