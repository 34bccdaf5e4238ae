-- AND, OR, NOT over nulls
SELECT id, flag, grp_n FROM {numbers} t
WHERE NOT (flag AND grp_n > 0) OR (flag IS NULL AND NOT grp_n = 2) ORDER BY id LIMIT 2000;
