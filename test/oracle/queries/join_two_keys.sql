-- two key columns of different types
SELECT f.fact_id, d.key, d.dup_key FROM {facts} f JOIN {dims} d ON f.dim_key = d.key AND f.other_key = d.dup_key ORDER BY f.fact_id;
