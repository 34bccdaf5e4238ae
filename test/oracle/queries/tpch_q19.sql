-- an OR of ANDs over both sides of a join
SELECT sum(l_extendedprice * (1 - l_discount)) AS revenue, count(*) AS n
FROM {lineitem} l, {part} p
WHERE p_partkey = l_partkey AND (
  (p_brand = 'Brand#12' AND p_container IN ('SM CASE', 'SM BOX', 'SM PACK', 'SM PKG') AND l_quantity BETWEEN 1 AND 11 AND p_size BETWEEN 1 AND 15)
  OR (p_brand = 'Brand#23' AND p_container IN ('MED BAG', 'MED BOX', 'MED PKG', 'MED PACK') AND l_quantity BETWEEN 10 AND 30 AND p_size BETWEEN 1 AND 30)
  OR (p_brand = 'Brand#34' AND p_container IN ('LG CASE', 'LG BOX', 'LG PACK', 'LG PKG') AND l_quantity BETWEEN 20 AND 40 AND p_size BETWEEN 1 AND 45));
