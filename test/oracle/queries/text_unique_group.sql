SELECT u, count(*) AS n, sum(id) AS ids, min(v) AS v FROM {many_texts} GROUP BY u ORDER BY u
