-- each clause over a table without rows
SELECT code, count(*), sum(weight), min(since) FROM {no_rows} e WHERE key > 3 GROUP BY code HAVING count(*) > 0 ORDER BY code LIMIT 3;
