-- repeated keys on both sides, nulls on both sides
SELECT d.dup_key, count(*), sum(f.amount), sum(d.weight), min(d.code) FROM {facts} f JOIN {dims} d ON f.other_key = d.dup_key
GROUP BY d.dup_key ORDER BY d.dup_key;
