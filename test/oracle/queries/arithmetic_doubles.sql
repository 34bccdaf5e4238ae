-- doubles with integers and numerics
SELECT id, x + 1, x * 0.5, x - small, -x, x / 3, x + price FROM {numbers} t WHERE x < 1e30 AND (x > 0.001 OR x < -0.001) ORDER BY id LIMIT 1500;
