SELECT d.code, count(*) AS n, sum(f.amount) AS amount FROM {facts} f JOIN {dims} d ON f.code = d.code GROUP BY d.code ORDER BY d.code
