-- IS NULL and IS NOT NULL of each kind
SELECT count(*), sum(id) FROM {numbers} t
WHERE (s IS NULL OR i IS NULL OR b IS NULL OR rate IS NULL OR name IS NULL OR d IS NULL OR x IS NULL OR flag IS NULL)
  AND price IS NOT NULL AND n38 IS NOT NULL;
