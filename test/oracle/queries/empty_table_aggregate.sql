-- aggregates over a table without rows
SELECT count(*), sum(key), avg(weight), min(since), max(code) FROM {no_rows} e;
