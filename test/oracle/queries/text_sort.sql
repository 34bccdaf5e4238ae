SELECT w, u, id FROM {many_texts} ORDER BY w DESC, u
