-- count and avg by order, HAVING over a count
SELECT l_orderkey, count(*) AS lines, sum(l_quantity) AS quantity, avg(l_extendedprice) AS price, min(l_shipdate), max(l_comment)
FROM {lineitem} l
GROUP BY l_orderkey
HAVING sum(l_quantity) > 250 AND count(*) >= 7
ORDER BY l_orderkey;
