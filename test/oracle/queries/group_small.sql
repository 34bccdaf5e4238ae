-- nullable small keys, counts of nulls, min and max of each type
SELECT grp_n, count(*), count(s), count(flag), count(name), sum(s), sum(small), min(i), max(i), min(b), max(b), min(d), max(d),
  min(name), max(name), min(n10), max(n10), min(n38), max(n38), min(x), max(x), min(y), max(y)
FROM {numbers} t
GROUP BY grp_n
ORDER BY grp_n;
