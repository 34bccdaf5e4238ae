SELECT min(u) AS a, max(u) AS b, min(w) AS c, max(w) AS d, min(v) AS e, max(v || u) AS f, count(v) AS g FROM {many_texts}
