-- products and sums of numerics of different scales
SELECT id, price * rate, price + rate, price - n10, rate * rate, n10 * small, -n10, n0 * price, price * (1 - rate) * (1 + rate)
FROM {numbers} t ORDER BY id LIMIT 1500;
