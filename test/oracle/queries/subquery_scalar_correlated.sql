-- a scalar aggregate for each row, over repeated and missing keys
SELECT d.key, (SELECT count(*) FROM {facts} f WHERE f.code = d.code) AS n, (SELECT max(f.fact_id) FROM {facts} f WHERE f.code = d.code AND f.fact_id > d.key) AS m FROM {dims} d ORDER BY d.key;
