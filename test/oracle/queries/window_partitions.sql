-- functions over partitions by a column with nulls and one large partition; several orders in one query
SELECT fact_id,
       row_number() OVER (PARTITION BY dim_key ORDER BY amount, fact_id) AS n,
       rank() OVER (PARTITION BY dim_key ORDER BY code DESC) AS r,
       dense_rank() OVER (PARTITION BY other_key ORDER BY t.at) AS dr,
       sum(amount) OVER (PARTITION BY dim_key ORDER BY fact_id ROWS BETWEEN 3 PRECEDING AND 2 FOLLOWING) AS s,
       min(amount) OVER (PARTITION BY dim_key ORDER BY t.at RANGE BETWEEN INTERVAL '40 days' PRECEDING AND INTERVAL '1 month' FOLLOWING) AS m,
       max(code) OVER (PARTITION BY other_key) AS c,
       lag(t.at, 2) OVER (PARTITION BY dim_key ORDER BY fact_id) AS l
FROM {facts} t ORDER BY fact_id;
