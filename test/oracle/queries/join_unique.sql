-- keys with gaps, negatives, nulls, and half of the rows at one key
SELECT f.fact_id, d.key, d.code, f.amount * d.weight AS w FROM {facts} f JOIN {dims} d ON f.dim_key = d.key
ORDER BY f.fact_id LIMIT 3000;
