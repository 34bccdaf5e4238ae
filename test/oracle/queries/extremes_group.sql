-- extremes as group keys
SELECT n38, b, d, t, count(*) FROM {extremes} e GROUP BY n38, b, d, t ORDER BY n38 NULLS FIRST;
