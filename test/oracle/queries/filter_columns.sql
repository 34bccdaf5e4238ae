-- comparisons between columns of one type
SELECT count(*), sum(id) FROM {numbers} t WHERE d > d2 AND name < note AND i > s AND b <> i;
