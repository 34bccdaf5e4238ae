-- as many groups as rows, and sums of bigints beyond 64 bits
SELECT id, count(*), sum(b), sum(i), sum(x) FROM {numbers} t GROUP BY id ORDER BY id LIMIT 4000;
