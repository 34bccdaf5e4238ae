-- a join over texts of two tables: two dictionaries, repeated keys
SELECT d.code, count(*) AS n, sum(f.amount), min(d.key) FROM {facts} f JOIN {dims} d ON f.code = d.code GROUP BY d.code ORDER BY d.code;
