SELECT left(v, 2) || right(u, 1) AS k, count(*) AS n, min(u) AS least, max(w) AS most FROM {many_texts} GROUP BY k ORDER BY k
