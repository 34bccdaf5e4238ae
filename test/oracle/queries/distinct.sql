-- SELECT DISTINCT over nulls and several types, with an order
SELECT DISTINCT grp_n, flag, extract(year FROM d2) AS y2 FROM {numbers} t WHERE small > 50 ORDER BY y2 DESC, grp_n, flag;
