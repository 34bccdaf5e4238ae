-- keys far apart: no dense table
SELECT count(*), sum(f.amount), sum(d.key), max(d.big_key) FROM {facts} f JOIN {dims} d ON f.big_key = d.big_key WHERE d.since < date '1975-01-01';
