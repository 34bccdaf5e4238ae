-- The tables of Q1, Q3 and Q6 in memory: the columns that the three queries and their like use.
CREATE TABLE lineitem AS
SELECT l_orderkey, l_quantity, l_extendedprice, l_discount, l_tax, l_returnflag, l_linestatus, l_shipdate
FROM 'data/tpch/sf1/lineitem.parquet';
CREATE TABLE orders AS
SELECT o_orderkey, o_custkey, o_orderdate, o_shippriority
FROM 'data/tpch/sf1/orders.parquet';
CREATE TABLE customer AS
SELECT c_custkey, c_mktsegment
FROM 'data/tpch/sf1/customer.parquet';
