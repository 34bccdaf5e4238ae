-- no group key, averages of each type
SELECT count(*), count(b), sum(s), sum(i), sum(b), sum(price), sum(rate), sum(n10), sum(n38), sum(x), avg(s), avg(i), avg(b), avg(price), avg(rate),
  avg(n10), avg(x), min(note), max(note), min(flag::int), max(rate), min(y), max(y)
FROM {numbers} t;
