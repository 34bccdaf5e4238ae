SELECT v, left(w, 1) AS f, count(*) AS n, max(u) AS most FROM {many_texts} GROUP BY v, f ORDER BY v, f
