-- division of numerics, after rounding
SELECT id, price / 7, n10 / price, small / 2.5, rate / 3 FROM {numbers} t WHERE price <> 0 ORDER BY id LIMIT 1500;
