-- 128-bit keys, explicit place of nulls
SELECT n38, n10, id FROM {numbers} t
ORDER BY n38 DESC NULLS LAST, n10 ASC NULLS FIRST, id
LIMIT 2500;
