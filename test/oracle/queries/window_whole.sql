-- no partition: all ranks' rows together; frames of every kind over one large partition
SELECT fact_id,
       sum(fact_id) OVER (ORDER BY fact_id) AS running,
       count(other_key) OVER (ORDER BY other_key) AS peers,
       max(amount) OVER (ORDER BY fact_id ROWS BETWEEN 100 PRECEDING AND 100 FOLLOWING) AS m,
       min(amount) OVER (ORDER BY t.at, fact_id ROWS BETWEEN 50 PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW) AS x,
       sum(amount) OVER (ORDER BY other_key GROUPS BETWEEN 2 PRECEDING AND 1 FOLLOWING) AS g,
       count(*) OVER (ORDER BY amount RANGE BETWEEN 10.5 PRECEDING AND 100 FOLLOWING) AS near,
       first_value(code) OVER (ORDER BY t.at, fact_id ROWS BETWEEN 5 PRECEDING AND 1 PRECEDING) AS f,
       ntile(7) OVER (ORDER BY amount, fact_id) AS bucket
FROM {facts} t ORDER BY fact_id;
