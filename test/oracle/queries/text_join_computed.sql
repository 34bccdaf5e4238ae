SELECT a.v, count(*) AS n, min(b.u) AS least FROM {many_texts} a JOIN {many_texts} b ON a.v || '!' = left(b.u, 3) || '!'
GROUP BY a.v ORDER BY a.v
