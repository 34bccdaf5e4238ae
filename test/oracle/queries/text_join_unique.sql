SELECT count(*) AS n, min(a.u) AS least, max(b.w) AS most, sum(b.id) AS ids FROM {many_texts} a JOIN {many_texts} b ON a.u = b.u
