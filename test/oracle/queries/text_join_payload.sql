SELECT a.id, b.w || '/' || a.v AS t FROM {many_texts} a JOIN {many_texts} b ON a.id = b.id + 7 WHERE length(b.w) < 9 ORDER BY t, a.id LIMIT 500
