-- sums beyond the type: 0 in the end
SELECT sum(s), sum(i), sum(b), sum(n38), min(n38), max(n38), min(n38_10), max(n38_10), min(d), max(d), min(t), max(b), min(x), max(x) FROM {extremes} e;
