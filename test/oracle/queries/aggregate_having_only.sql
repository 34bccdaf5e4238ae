-- HAVING without GROUP BY, true and with an expression over aggregates
SELECT sum(price) + count(*) AS s, max(small) - min(small) AS span FROM {numbers} t HAVING count(*) > 10;
