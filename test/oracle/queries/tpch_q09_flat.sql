-- extract in a group key, LIKE in the middle, subtraction of products, join on two columns
SELECT n_name AS nation, extract(year FROM o_orderdate) AS o_year,
  sum(l_extendedprice * (1 - l_discount) - ps_supplycost * l_quantity) AS sum_profit
FROM {part} p JOIN {lineitem} l ON p_partkey = l_partkey JOIN {supplier} s ON s_suppkey = l_suppkey
  JOIN {partsupp} ps ON ps_suppkey = l_suppkey AND ps_partkey = l_partkey
  JOIN {orders} o ON o_orderkey = l_orderkey JOIN {nation} n ON s_nationkey = n_nationkey
WHERE p_name LIKE '%green%'
GROUP BY nation, o_year
ORDER BY nation, o_year DESC;
