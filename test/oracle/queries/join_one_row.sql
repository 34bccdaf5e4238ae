-- a table of one row
SELECT f.fact_id, o.code, o.since FROM {facts} f JOIN {one_row} o ON f.dim_key = o.key ORDER BY f.fact_id;
