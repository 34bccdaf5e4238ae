-- both ends of each type
SELECT id, s, i, b, n38, n38_10, d, flag, t FROM {extremes} e ORDER BY b DESC NULLS LAST, id;
