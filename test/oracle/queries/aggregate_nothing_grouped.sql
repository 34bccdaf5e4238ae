-- no group where no row is left
SELECT name, count(*), sum(b) FROM {numbers} t WHERE small > 100 GROUP BY name ORDER BY name;
