-- aggregates over no row: one row of nulls and a zero
SELECT count(*), count(b), sum(b), sum(price), avg(price), avg(i), min(name), max(d), sum(x), avg(x), max(flag::int) FROM {numbers} t
WHERE small > 100;
