-- default order of nulls, both directions, each type as a key
SELECT flag, grp_n, name, d, n38, x, y, b, id
FROM {numbers} t
ORDER BY flag DESC, grp_n, name DESC, y, d DESC, n38, x DESC, b, id
LIMIT 3000;
