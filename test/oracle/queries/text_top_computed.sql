SELECT id, reverse(u) AS r FROM {many_texts} ORDER BY upper(reverse(u)) DESC, id LIMIT 77
