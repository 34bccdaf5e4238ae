-- dates before 1970 as keys
SELECT d, count(*), sum(s) FROM {numbers} t WHERE d < date '1970-01-01' GROUP BY d ORDER BY d;
