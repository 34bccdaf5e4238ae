-- NaN above infinity, -0.0 equal to 0.0
SELECT y, id FROM {numbers} t ORDER BY y DESC NULLS LAST, id LIMIT 9000;
