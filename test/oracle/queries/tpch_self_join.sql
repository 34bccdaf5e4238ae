-- one table twice under two aliases
SELECT n1.n_name AS supp_nation, n2.n_name AS cust_nation, extract(year FROM l_shipdate) AS l_year, count(*) AS n,
  sum(l_extendedprice * (1 - l_discount)) AS revenue
FROM {supplier} s, {lineitem} l, {orders} o, {customer} c, {nation} n1, {nation} n2
WHERE s_suppkey = l_suppkey AND o_orderkey = l_orderkey AND c_custkey = o_custkey AND s_nationkey = n1.n_nationkey
  AND c_nationkey = n2.n_nationkey
  AND ((n1.n_name = 'FRANCE' AND n2.n_name = 'GERMANY') OR (n1.n_name = 'GERMANY' AND n2.n_name = 'FRANCE'))
GROUP BY supp_nation, cust_nation, l_year
ORDER BY 1, 2, 3;
