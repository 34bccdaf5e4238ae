-- a text key of many values
SELECT note, count(*) AS n, sum(small) FROM {numbers} t GROUP BY note HAVING count(*) > 1 ORDER BY n DESC, note LIMIT 500;
