-- comparisons between numerics of different scales, integers and doubles
SELECT count(*), sum(id), min(price), max(rate) FROM {numbers} t
WHERE price > rate AND n10 < price AND price <> small AND n38 > b AND x > small AND rate * 2 < 1.5 AND i < n38;
