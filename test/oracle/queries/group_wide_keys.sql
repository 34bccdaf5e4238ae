-- numerics of 38 digits and bigints at the ends of their range as keys
SELECT n38, b, count(*) FROM {numbers} t WHERE id < 20000 GROUP BY n38, b ORDER BY n38 NULLS FIRST, b NULLS FIRST;
