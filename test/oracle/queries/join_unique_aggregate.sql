-- aggregation by the build side's key and payload
SELECT d.key, d.since, count(*) AS n, sum(f.amount) AS total, min(f.at), max(f.code) FROM {facts} f, {dims} d WHERE f.dim_key = d.key
GROUP BY d.key, d.since ORDER BY n DESC, d.key;
