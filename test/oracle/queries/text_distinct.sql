SELECT DISTINCT v || 'x' AS x, length(v) AS n FROM {many_texts} ORDER BY x
