SELECT count(*) AS n, sum(t.id) AS ids FROM {many_texts} t JOIN {numbers} n ON t.id = n.id WHERE t.u < n.note AND n.name <> t.v
