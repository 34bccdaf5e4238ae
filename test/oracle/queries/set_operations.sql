-- every operation over rows of all ranks, with nulls and repeats
SELECT * FROM (
  (SELECT dim_key AS k, code AS c, 1 AS q FROM {facts} a WHERE amount < 100 INTERSECT ALL SELECT other_key, code, 1 FROM {facts} b)
  UNION ALL
  (SELECT other_key, code, 2 FROM {facts} e EXCEPT SELECT dim_key, code, 2 FROM {facts} f)
  UNION ALL
  (SELECT dim_key, NULL, 3 FROM {facts} g WHERE fact_id < 5000 EXCEPT ALL SELECT dim_key, NULL, 3 FROM {facts} h WHERE fact_id >= 5000)
  UNION ALL
  (SELECT key, code, 4 FROM {dims} i UNION SELECT dup_key, code, 4 FROM {dims} j)
) u ORDER BY q, k, c;
