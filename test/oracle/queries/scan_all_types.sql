-- each type printed as it was read
SELECT id, grp, grp_n, s, i, b, small, price, rate, n0, n10, n38, d, d2, flag, x, y, name, note
FROM {numbers} t
WHERE id < 4000
ORDER BY id;
