-- a chain of three, filters on each
SELECT o.key, count(*) AS n, sum(f.amount) AS s FROM {dims} d, {facts} f, {dims} o
WHERE d.key = f.dim_key AND o.dup_key = f.other_key AND d.weight > 0 AND o.since > date '1970-01-01' AND f.amount BETWEEN -50000 AND 50000
GROUP BY o.key ORDER BY n DESC, o.key LIMIT 100;
