-- an empty build side, an empty probe side
SELECT count(*), sum(f.amount), max(e.code) FROM {facts} f JOIN {no_rows} e ON f.dim_key = e.key;
