-- top-N with an offset, several directions
SELECT o_orderkey, o_totalprice, o_orderdate, o_orderpriority
FROM {orders} o
ORDER BY o_orderpriority DESC, o_orderdate, o_totalprice DESC, o_orderkey
LIMIT 25 OFFSET 3000;
