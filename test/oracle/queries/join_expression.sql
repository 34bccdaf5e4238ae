-- a key that is computed, and a condition that is no equality
SELECT count(*), sum(f.fact_id), sum(d.key) FROM {facts} f JOIN {dims} d ON f.dim_key + 5 = d.key AND f.at > d.since WHERE f.amount > d.weight;
